import type { Command } from 'commander'
import { decodeCursor, isCursorTime } from '../server/database/paging.ts'
import {
  countDeadLetters,
  type DeadLetter,
  findDeadLetter,
  isLetterId,
  type LetterFilter,
  type LetterPosition,
  listDeadLetters,
  type RedriveResult,
  redrive,
  redriveAll,
} from '../server/deliveries/dead-letters.ts'
import { type AttemptError, attemptErrors } from '../server/deliveries/outcome.ts'
import { commandLine } from '../server/organizations/activity.ts'
import type { Services } from '../server/services.ts'
import {
  CommandFault,
  ConfirmationNeeded,
  leaf,
  type Outcome,
  type PageOptions,
  paged,
  type Run,
  readPages,
  type ServerState,
  withServerHint,
} from './command.ts'
import { forScripts, inWords, readDelivery } from './delivery.ts'
import { ageOf, readDuration } from './duration.ts'
import { printable } from './printable.ts'
import { listing } from './table.ts'

type Narrowing = { organization?: string; error?: string; olderThan?: string }
type Listing = Narrowing & PageOptions
type Redriving = Narrowing & { id?: string; all?: boolean; yes?: boolean }

export function deadLetterCommands(program: Command, run: Run): void {
  const deadLetter = program.command('dead-letter').description('deliveries given up after four attempts')
  const narrowing = (command: Command) =>
    command
      .option('--organization <id>', 'only this organization, org_…')
      .option('--error <error>', `only if the last attempt ended with ${attemptErrors.join(', ')}`)
      .option('--older-than <time>', 'only if given up longer ago than this: 90m, 12h, 7d')

  paged(narrowing(leaf(deadLetter, 'list', 'list dead letters and their reasons, newest first'))).action(
    (options: Listing) => run((services) => list(services, options)),
  )

  leaf(deadLetter, 'show', 'show a dead letter with its delivery and all attempts')
    .requiredOption('--id <id>', 'the dead letter')
    .action(({ id }: { id: string }) => run((services) => show(services, id)))

  narrowing(leaf(deadLetter, 'redrive', 'send one again now, or all that match'))
    .option('--id <id>', 'the dead letter')
    .option('--all', 'all dead letters')
    .option('--yes', 'don’t ask for confirmation')
    .action((options: Redriving) => run((services, server) => redriveSome(services, options, server)))
}

async function list(services: Services, options: Listing): Promise<Outcome> {
  const { database, clock } = services
  const filter = readFilter(options, clock())
  const { data, nextCursor } = await readPages(options, async ({ limit, cursor }) => {
    if (cursor === undefined) return listDeadLetters(database, filter, { limit })
    const after = readPosition(cursor)
    return after === 'invalid_cursor' ? after : listDeadLetters(database, filter, { limit, after })
  })
  const headings = ['ID', 'DELIVERY', 'REASON', 'AGE', 'NOW', 'ORGANIZATION']
  const none = Object.keys(filter).length > 0 ? 'No dead letters match.' : 'No dead letters.'
  const rows = data.map((letter) => row(letter, clock()))
  return { json: { data, nextCursor }, text: listing(headings, rows, { none, nextCursor }) }
}

async function show(services: Services, id: string): Promise<Outcome> {
  const { database, clock } = services
  const letter = await findDeadLetter(database, id)
  if (!letter) throw new CommandFault(`There is no dead letter ${id}`)
  const delivery = await readDelivery(database, letter.deliveryId)
  const { deadSince, organizationId, organizationName } = letter
  const age = ageOf(deadSince, clock())
  const text = `Dead letter ${id} of ${printable(organizationName)} (${organizationId}), given up ${age} ago, at ${deadSince}\n\n`
  return { json: { ...letter, delivery: forScripts(delivery) }, text: text + inWords(delivery) }
}

async function redriveSome(services: Services, options: Redriving, server: ServerState): Promise<Outcome> {
  const { database, clock } = services
  const { id, all, organization, error, olderThan } = options
  const filter = readFilter(options, clock())
  const narrowed = (organization ?? error ?? olderThan) !== undefined
  if ([id !== undefined, all === true, narrowed].filter(Boolean).length !== 1) {
    throw new CommandFault('Choose one with --id, several with --organization, --error or --older-than, or --all')
  }
  if (id !== undefined) return redriveOne(services, id, server)

  if (!options.yes) {
    const count = await countDeadLetters(database, filter)
    if (count === 0) throw new CommandFault('No dead letter matches')
    throw new ConfirmationNeeded(count === 1 ? 'One dead letter matches' : `${count} dead letters match`, 'Redrive?')
  }
  const done = await redriveAll(redriving(services), { filter, actor: commandLine }, clock)
  return { json: done, text: summaryOf(done, server) }
}

function summaryOf(
  { redriven, delivered, superseded }: Record<RedriveResult['outcome'], number>,
  server: ServerState,
): string {
  const others = delivered + superseded
  const removed = `Removed ${others} whose deliveries had since been delivered or retried.`
  if (redriven === 0) return others === 0 ? 'No dead letter matches' : removed
  const sending =
    redriven === 1 ? 'Redrove one delivery. It sends now.' : `Redrove ${redriven} deliveries. They send now.`
  return withServerHint(others === 0 ? sending : `${sending} ${removed}`, server)
}

async function redriveOne(services: Services, id: string, server: ServerState): Promise<Outcome> {
  const { database, clock } = services
  const [redriven] = await redrive(redriving(services), { ids: [id], actor: commandLine }, clock())
  if (!redriven) throw new CommandFault(`There is no dead letter ${id}`)
  const { deliveryId } = redriven.letter
  if (redriven.outcome !== 'redriven')
    throw new CommandFault(`${ended[redriven.outcome](deliveryId)}; its dead letter was removed`)
  const delivery = await readDelivery(database, deliveryId)
  return { json: forScripts(delivery), text: withServerHint(`Redrove ${deliveryId}. It sends now.`, server) }
}

const ended = {
  delivered: (deliveryId: string) => `Delivery ${deliveryId} has since been delivered`,
  superseded: (deliveryId: string) => `Delivery ${deliveryId} has since been retried`,
}

function redriving({ database, queue }: Services): Parameters<typeof redrive>[0] {
  return { database, wake: queue.wake }
}

function readFilter({ organization, error, olderThan }: Narrowing, now: Date): LetterFilter {
  return {
    ...(organization !== undefined && { organizationId: organization }),
    ...(error !== undefined && { error: readError(error) }),
    ...(olderThan !== undefined && { deadBefore: new Date(now.getTime() - readDuration('--older-than', olderThan)) }),
  }
}

function readError(text: string): AttemptError {
  const error = attemptErrors.find((known) => known === text.toUpperCase())
  if (!error) throw new CommandFault(`--error must be one of ${attemptErrors.join(', ')}`)
  return error
}

function readPosition(cursor: string): LetterPosition | 'invalid_cursor' {
  const [deadSince, id] = decodeCursor(cursor) ?? []
  if (!isCursorTime(deadSince) || typeof id !== 'string' || !isLetterId(id)) return 'invalid_cursor'
  return { deadSince, id }
}

function row(letter: DeadLetter, now: Date): string[] {
  const { id, deliveryId, deadSince, status, failureReason, lastError, organizationName, organizationId } = letter
  const reason = [failureReason, lastError].filter((part) => part !== null).join(' ') || '-'
  return [id, deliveryId, reason, ageOf(deadSince, now), status, `${organizationName} (${organizationId})`]
}
