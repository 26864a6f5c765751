import type { Command } from 'commander'
import type { Queryable } from '../server/database/database.ts'
import { isId } from '../server/database/ids.ts'
import { type Delivery, findDelivery, type PastAttempt } from '../server/deliveries/delivery-history.ts'
import { type DeliveryRow, listDeliveryRows } from '../server/deliveries/delivery-table.ts'
import { type DeliveryStatus, deliveryStatuses } from '../server/deliveries/outcome.ts'
import { commandLine } from '../server/organizations/activity.ts'
import { deliveryKey } from '../server/queue/queue.ts'
import type { Services } from '../server/services.ts'
import { retryFailed } from '../server/workflows/administer.ts'
import {
  CommandFault,
  leaf,
  type Outcome,
  type PageOptions,
  paged,
  type Run,
  readPages,
  type ServerState,
  withServerHint,
} from './command.ts'
import { known } from './organization.ts'
import { listing, table } from './table.ts'

type Filter = { status?: string; result?: string; candidate?: string }
type Listing = Filter & PageOptions & { organization: string }

export function deliveryCommands(program: Command, run: Run): void {
  const delivery = program.command('delivery').description('events and what became of them')

  const list = leaf(delivery, 'list', 'list deliveries, newest first')
    .requiredOption('--organization <id>', 'the organization, org_…')
    .option('--status <status>', `only ${deliveryStatuses.join(', ')}`)
    .option('--result <id>', 'only the delivery of this result, res_…')
    .option('--candidate <email>', 'only candidates whose email address starts with this')
  paged(list).action((options: Listing) => run(({ database }) => listAll(database, options)))

  leaf(delivery, 'show', 'show a delivery and all its attempts')
    .requiredOption('--id <id>', 'the delivery, dlv_…')
    .action(({ id }: { id: string }) =>
      run(async ({ database }) => {
        const found = await readDelivery(database, id)
        return { json: forScripts(found), text: inWords(found) }
      }),
    )

  leaf(delivery, 'retry', 'send a failed delivery again, in about a minute')
    .requiredOption('--id <id>', 'the delivery, dlv_…')
    .action(({ id }: { id: string }) => run((services, server) => retry(services, id, server)))
}

async function listAll(database: Queryable, options: Listing): Promise<Outcome> {
  const { organization } = options
  const filter = readFilter(options)
  await known(database, organization)
  const { data, nextCursor } = await readPages(options, (page) =>
    listDeliveryRows(database, organization, { ...filter, ...page }),
  )
  const none = Object.keys(filter).length > 0 ? 'No deliveries match.' : 'No deliveries yet.'
  const headings = ['ID', 'STATUS', 'REASON', 'ATTEMPTS', 'RESULT', 'CREATED', 'CANDIDATE']
  return {
    json: { data: data.map((row) => recordForScripts({ ...row, organizationId: organization })), nextCursor },
    text: listing(headings, data.map(columnsOf), { none, nextCursor }),
  }
}

function readFilter({ status, result, candidate }: Filter): { status?: DeliveryStatus; search?: string } {
  if (result !== undefined && candidate !== undefined) {
    throw new CommandFault('Use either --result or --candidate: a result has one candidate')
  }
  if (result !== undefined && !isId('res', result)) throw new CommandFault('--result must be a result ID, res_…')
  const search = result ?? candidate?.trim()
  return {
    ...(status !== undefined && { status: readStatus(status) }),
    ...(search !== undefined && { search }),
  }
}

function readStatus(text: string): DeliveryStatus {
  const status = deliveryStatuses.find((known) => known === text.toUpperCase())
  if (!status) throw new CommandFault(`--status must be one of ${deliveryStatuses.join(', ')}`)
  return status
}

function columnsOf(row: DeliveryRow): string[] {
  const { id, status, failureReason, lastError, totalAttempts, resultId, createdAt, candidate } = row
  return [id, status, failureReason ?? lastError ?? '-', String(totalAttempts), resultId, createdAt, candidate.email]
}

async function retry({ database, clock }: Services, id: string, server: ServerState): Promise<Outcome> {
  const change = { id, organizationId: null, actor: commandLine }
  const retried = await retryFailed(database, change, clock())
  if (retried === 'not_found') throw new CommandFault(`There is no delivery ${id}`)
  if (retried === 'not_failed') throw new CommandFault(`Delivery ${id} is not FAILED: there is nothing to retry`)
  const text = `Retry scheduled. ${id} sends in about a minute, at ${retried.nextAttemptAt}.`
  return { json: forScripts(await readDelivery(database, id)), text: withServerHint(text, server) }
}

export async function readDelivery(database: Queryable, id: string): Promise<Delivery & { history: PastAttempt[] }> {
  const found = await findDelivery(database, id)
  if (!found) throw new CommandFault(`There is no delivery ${id}`)
  return found
}

export function forScripts({ history, ...delivery }: Delivery & { history: PastAttempt[] }) {
  return { ...recordForScripts(delivery), history }
}

/** The fields that scripts can rely on. The others are for people, or are part of the history. */
function recordForScripts(delivery: Omit<Delivery, 'deliveryKey' | 'idempotencyKey'>) {
  const { id, organizationId, resultId, status, failureReason, attempts, createdAt, updatedAt, deliveredAt } = delivery
  return {
    id,
    organizationId,
    resultId,
    deliveryKey: deliveryKey(resultId),
    idempotencyKey: resultId,
    status,
    failureReason,
    attempts,
    createdAt,
    updatedAt,
    deliveredAt,
  }
}

export function inWords({ history, ...record }: Delivery & { history: PastAttempt[] }): string {
  // The history below goes on counting after a Retry.
  const wasRetried = (history.at(-1)?.number ?? 0) > record.attempts
  const label = (name: string) => (name === 'attempts' && wasRetried ? 'attempts since last retry' : name)
  const fields = Object.entries(record).map(([name, value]) => [label(name), value === null ? '-' : String(value)])
  const headings = ['ATTEMPT', 'STARTED', 'OUTCOME', 'MS', 'ADDRESS', 'DETAIL']
  const attempts = listing(headings, history.map(attemptRow), { none: 'No attempts yet.' })
  return `${table(['FIELD', 'VALUE'], fields)}\n\n${attempts}`
}

function attemptRow({ number, startedAt, finishedAt, status, error, timing, address, detail }: PastAttempt): string[] {
  const answered = status === null ? '' : ` (${status})`
  const outcome = finishedAt === null ? 'interrupted' : `${error ?? 'delivered'}${answered}`
  const milliseconds = timing.total === null ? '-' : timing.total.toFixed(0)
  return [String(number), startedAt, outcome, milliseconds, address ?? '-', detail ?? '-']
}
