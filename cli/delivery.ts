import type { Command } from 'commander'
import type { Queryable } from '../server/database/database.ts'
import { type Delivery, findDelivery, listDeliveries, type PastAttempt } from '../server/deliveries/delivery-history.ts'
import { type DeliveryStatus, deliveryStatuses } from '../server/deliveries/outcome.ts'
import { commandLine } from '../server/organizations/activity.ts'
import { retryFailed } from '../server/workflows/administer.ts'
import { CommandFault, leaf, type Run, withServerHint } from './command.ts'
import { table } from './table.ts'

export function deliveryCommands(program: Command, run: Run): void {
  const delivery = program.command('delivery').description('what became of the events')

  leaf(delivery, 'list', 'show deliveries, newest first')
    .requiredOption('--organization <id>', 'the organization, org_…')
    .option('--status <status>', `only those that are ${deliveryStatuses.join(', ')}`)
    .option('--limit <count>', 'how many at most', '100')
    .action((options: { organization: string; status?: string; limit: string }) =>
      run(async ({ database }) => {
        const status = options.status === undefined ? undefined : readStatus(options.status)
        const limit = Number(options.limit)
        if (!Number.isInteger(limit) || limit < 1 || limit > 10_000) {
          throw new CommandFault('--limit must be a whole number between 1 and 10000')
        }
        const page = await listDeliveries(database, options.organization, { limit, ...(status && { status }) })
        if (page === 'invalid_cursor') throw new Error('There was no cursor')
        const { data } = page
        const text = table(['ID', 'STATUS', 'REASON', 'ATTEMPTS', 'RESULT', 'SINCE'], data.map(row))
        return { json: { data: data.map(forScripts) }, text }
      }),
    )

  leaf(delivery, 'show', 'show a delivery with every attempt')
    .requiredOption('--id <id>', 'the delivery, dlv_…')
    .action(({ id }: { id: string }) =>
      run(async ({ database }) => {
        const found = await readDelivery(database, id)
        return { json: forScripts(found), text: inWords(found) }
      }),
    )

  leaf(delivery, 'retry', 'send a failed delivery again, in about a minute')
    .requiredOption('--id <id>', 'the delivery, dlv_…')
    .action(({ id }: { id: string }) =>
      run(async ({ database, clock }, server) => {
        const change = { id, organizationId: 'any', actor: commandLine }
        const retried = await retryFailed(database, change, clock())
        if (retried === 'not_found') throw new CommandFault(`There is no delivery ${id}`)
        if (retried === 'not_failed') throw new CommandFault(`Delivery ${id} is not FAILED: there is nothing to retry`)
        const text = `Retry scheduled. ${id} sends in about a minute, at ${retried.nextAttemptAt}.`
        return { json: forScripts(await readDelivery(database, id)), text: withServerHint(text, server) }
      }),
    )
}

export async function readDelivery(database: Queryable, id: string): Promise<Delivery & { history: PastAttempt[] }> {
  const found = await findDelivery(database, id)
  if (!found) throw new CommandFault(`There is no delivery ${id}`)
  return found
}

/** The fields that scripts may rely on. What else there is people see in the list, or it is in the history. */
export function forScripts<Shown extends Delivery>(shown: Shown): Omit<Shown, 'lastError' | 'nextAttemptAt'> {
  const { lastError: _, nextAttemptAt: __, ...delivery } = shown
  return delivery
}

export function inWords({ history, ...record }: Delivery & { history: PastAttempt[] }): string {
  const fields = Object.entries(record).map(([name, value]) => [name, value === null ? '-' : String(value)])
  const attempts = table(['ATTEMPT', 'STARTED', 'OUTCOME', 'MS', 'ADDRESS', 'DETAIL'], history.map(attemptRow))
  return `${table(['FIELD', 'VALUE'], fields)}\n\n${attempts}`
}

function readStatus(text: string): DeliveryStatus {
  const status = deliveryStatuses.find((known) => known === text.toUpperCase())
  if (!status) throw new CommandFault(`--status must be one of ${deliveryStatuses.join(', ')}`)
  return status
}

function row(delivery: Delivery): string[] {
  const { id, status, failureReason, lastError, attempts, resultId, createdAt } = delivery
  return [id, status, failureReason ?? lastError ?? '-', String(attempts), resultId, createdAt]
}

function attemptRow({ number, startedAt, finishedAt, status, error, timing, address, detail }: PastAttempt): string[] {
  const answered = status === null ? '' : ` (${status})`
  const outcome = finishedAt === null ? 'interrupted' : `${error ?? 'delivered'}${answered}`
  const milliseconds = timing.total === null ? '-' : timing.total.toFixed(0)
  return [String(number), startedAt, outcome, milliseconds, address ?? '-', detail ?? '-']
}
