import type { Command } from 'commander'
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
import { decodeCursor, encodeCursor, isCursorTime } from '../server/interviews/paging.ts'
import { commandLine } from '../server/organizations/activity.ts'
import type { Services } from '../server/services.ts'
import {
  CommandFault,
  ConfirmationNeeded,
  leaf,
  type Outcome,
  type Run,
  type ServerState,
  withServerHint,
} from './command.ts'
import { forScripts, inWords, readDelivery } from './delivery.ts'
import { ageOf, readDuration } from './duration.ts'
import { printable } from './printable.ts'
import { table } from './table.ts'

type Narrowing = { organization?: string; error?: string; olderThan?: string }
type Listing = Narrowing & { limit: string; cursor?: string }
type Redriving = Narrowing & { id?: string; all?: boolean; yes?: boolean }

export function deadLetterCommands(program: Command, run: Run): void {
  const deadLetter = program.command('dead-letter').description('jobs that were received four times without success')
  const narrowing = (command: Command) =>
    command
      .option('--organization <id>', 'only those of one organization, org_…')
      .option('--error <error>', `only those whose last attempt ended with ${attemptErrors.join(', ')}`)
      .option('--older-than <time>', 'only those dead for longer than this: 90m, 12h, 7d')

  narrowing(leaf(deadLetter, 'list', 'show them with their reason, newest first'))
    .option('--limit <count>', 'how many at most', '100')
    .option('--cursor <cursor>', 'go on where an earlier list ended')
    .action((options: Listing) => run((services) => list(services, options)))

  leaf(deadLetter, 'show', 'show one with its delivery and every attempt')
    .requiredOption('--id <id>', 'the dead letter')
    .action(({ id }: { id: string }) => run((services) => show(services, id)))

  narrowing(leaf(deadLetter, 'redrive', 'take one out, or all that match, and start their deliveries over at once'))
    .option('--id <id>', 'the dead letter')
    .option('--all', 'all of them')
    .option('--yes', 'do it without asking')
    .action((options: Redriving) => run((services, server) => redriveSome(services, options, server)))
}

async function list(services: Services, options: Listing): Promise<Outcome> {
  const { database, clock } = services
  const filter = readFilter(options, clock())
  const limit = /^\d{1,5}$/.test(options.limit) ? Number(options.limit) : 0
  if (limit < 1 || limit > 10_000) throw new CommandFault('--limit must be a whole number between 1 and 10000')
  const after = options.cursor === undefined ? null : readPlace(options.cursor)
  const { data, next } = await listDeadLetters(database, filter, { limit, ...(after && { after }) })
  const nextCursor = next && encodeCursor([next.deadSince, next.id])
  const headings = ['ID', 'DELIVERY', 'REASON', 'AGE', 'NOW', 'ORGANIZATION']
  const rows = table(
    headings,
    data.map((letter) => row(letter, clock())),
  )
  const text = nextCursor === null ? rows : `${rows}\n\nThere are more: add --cursor ${nextCursor}`
  return { json: { data, ...(nextCursor !== null && { nextCursor }) }, text }
}

async function show(services: Services, id: string): Promise<Outcome> {
  const { database, clock } = services
  const letter = await findDeadLetter(database, id)
  if (!letter) throw new CommandFault(`There is no dead letter ${id}`)
  const delivery = await readDelivery(database, letter.deliveryId)
  const { deadSince, organizationId, organizationName } = letter
  const age = ageOf(deadSince, clock())
  const text = `Dead letter ${id} of ${printable(organizationName)} (${organizationId}), dead for ${age}, since ${deadSince}\n\n`
  return { json: { ...letter, delivery: forScripts(delivery) }, text: text + inWords(delivery) }
}

async function redriveSome(services: Services, options: Redriving, server: ServerState): Promise<Outcome> {
  const { database, clock } = services
  const { id, all, organization, error, olderThan } = options
  const filter = readFilter(options, clock())
  const narrowed = (organization ?? error ?? olderThan) !== undefined
  if ([id !== undefined, all === true, narrowed].filter(Boolean).length !== 1) {
    throw new CommandFault('Name one with --id, or several with --organization, --error or --older-than, or --all')
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
  const removed = `Removed ${others} whose deliveries had been delivered or retried meanwhile.`
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
    throw new CommandFault(`${ended[redriven.outcome](deliveryId)}; the dead letter is removed`)
  const delivery = await readDelivery(database, deliveryId)
  return { json: forScripts(delivery), text: withServerHint(`Redrove ${deliveryId}. It sends now.`, server) }
}

const ended = {
  delivered: (deliveryId: string) => `Delivery ${deliveryId} has been delivered meanwhile`,
  superseded: (deliveryId: string) => `Delivery ${deliveryId} has been retried meanwhile`,
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

function readPlace(cursor: string): LetterPosition {
  const [deadSince, id] = decodeCursor(cursor) ?? []
  if (!isCursorTime(deadSince) || typeof id !== 'string' || !isLetterId(id)) {
    throw new CommandFault('--cursor must be one that an earlier list has shown')
  }
  return { deadSince, id }
}

function row(letter: DeadLetter, now: Date): string[] {
  const { id, deliveryId, deadSince, status, failureReason, lastError, organizationName, organizationId } = letter
  const reason = [failureReason, lastError].filter((part) => part !== null).join(' ') || '-'
  return [id, deliveryId, reason, ageOf(deadSince, now), status, `${organizationName} (${organizationId})`]
}
