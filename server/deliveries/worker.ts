import { createBatcher, spacing } from '../database/batcher.ts'
import type { Database, Queryable } from '../database/database.ts'
import { DatabaseUnavailable } from '../database/failures.ts'
import { waitOutOutage } from '../database/outage.ts'
import { isCurrentUrl } from '../endpoints/endpoint.ts'
import { SecretUnreadable } from '../endpoints/secrets.ts'
import { type EndedTurn, endTurns } from '../queue/pace.ts'
import { learnCeiling, pauseOrganization } from '../queue/pauses.ts'
import { type ClaimedJob, type Consumer, type DeliveryQueue, receives } from '../queue/queue.ts'
import { askedPause } from './asked-pause.ts'
import { type AttemptDependencies, type AttemptResult, attempt } from './attempt.ts'
import type { LoadedDelivery } from './load.ts'
import { type Settlement, settle } from './transitions.ts'

export type WorkerLog = {
  debug(fields: object, text: string): void
  info(fields: object, text: string): void
  error(fields: object, text: string): void
}

export type SettledDelivery = { settlement: Settlement; delivery: LoadedDelivery }

export type WorkerDependencies = Omit<AttemptDependencies, 'database'> & {
  database: Database
  queue: DeliveryQueue
  logger: WorkerLog
  /** How many processes share the load on this machine. */
  processes?: number
  observe?: ((settled: SettledDelivery) => void) | undefined
}

// Concurrent deliveries in this process, and per organization: a receiver that hangs can take a quarter of the slots,
// never all of them.
export const capacity = 192
const perOrganization = 48

export function startWorker(dependencies: WorkerDependencies): Consumer {
  const { database, queue, logger, observe, processes } = dependencies
  const report = (problem: string, error: unknown) => logger.error({ err: error }, problem)
  const record = createRecorder(database, report, spacing(apartMilliseconds, processes))
  const endTurn = createTurnEnder(database, report)
  return queue.consume({
    capacity,
    perOrganization,
    report,
    async handle(job, release) {
      const { settlement, delivery } = await attempt(dependencies, job).catch((error) =>
        settleInterrupted(job, error, report),
      )
      const pause = settlement.attempt && askedPause(settlement.attempt)
      // Before anything else: until then, more of the organization's events leave.
      if (pause !== null) await startPause(dependencies, job, { seconds: pause, url: settlement.attempt?.url ?? '' })
      release()
      const ended = job.holdsTurn ? endTurn(toEndedTurn(settlement)) : null
      // Once an uncounted receive is recorded, the next claim takes a turn under the same number.
      if (settlement.uncounted) await ended
      await record(settlement)
      await ended
      // Now the successes before it are recorded too.
      if (pause !== null) await learnCeiling(database, job.organizationId).catch((error) => report(unlearned, error))
      if (delivery && settlement.outcome !== 'dropped') observe?.({ settlement, delivery })
      log(logger, settlement)
    },
  })
}

const outageDelay = 2
// While SECRETS_KEY is being rotated, another process may have the key that decrypts the secret.
const unreadableDelay = 15

/**
 * The failure is ours. During a database outage, or when SECRETS_KEY can't decrypt the signing secret, the receive does
 * not count. Anything else does, so a row that can't be processed ends up as a dead letter instead of looping forever.
 */
function settleInterrupted(job: ClaimedJob, error: unknown, report: Report): AttemptResult {
  report(`delivery ${job.deliveryId} could not be attempted`, error)
  const isUnreadable = error instanceof SecretUnreadable
  const uncounted = isUnreadable || error instanceof DatabaseUnavailable
  if (!uncounted && job.receive >= receives) {
    return { settlement: { job, outcome: 'exhausted', attempt: null }, delivery: null }
  }
  const settlement = {
    job,
    outcome: 'postponed',
    delaySeconds: isUnreadable ? unreadableDelay : outageDelay,
    uncounted,
    attempt: null,
  } as const
  return { settlement, delivery: null }
}

const unpaused = 'the pause a receiver asked for could not be recorded; its next events are sent without it'
const unlearned = 'how much a receiver accepts could not be recorded'

/** Unless the events go to another receiver by now. */
async function startPause(
  { database, logger }: Pick<WorkerDependencies, 'database' | 'logger'>,
  { organizationId, deliveryId }: ClaimedJob,
  { seconds, url }: { seconds: number; url: string },
): Promise<void> {
  const report: Report = (problem, error) => logger.error({ err: error, organizationId }, problem)
  const pause = async (transaction: Queryable) => {
    if (!(await isCurrentUrl(transaction, organizationId, url))) return false
    await pauseOrganization(transaction, organizationId, seconds)
    return true
  }
  try {
    // Nothing of the organization is claimed before the database is back, so the pause still comes in time.
    const isPaused = await waitOutOutage(
      () => database.transaction(pause),
      (error) => report('the pause a receiver asked for could not be recorded yet', error),
    )
    if (isPaused) logger.info({ organizationId, deliveryId, seconds }, 'receiver asked for a pause')
  } catch (error) {
    report(unpaused, error)
  }
}

function toEndedTurn({ job, outcome, attempt }: Settlement): EndedTurn {
  return { job, sent: attempt !== null && attempt.address !== null, delivered: outcome === 'delivered' }
}

/** A turn that could not be ended ends by itself. */
function createTurnEnder(database: Database, report: Report): (turn: EndedTurn) => Promise<unknown> {
  const end = createBatcher(
    async (turns: EndedTurn[]) => {
      await endTurns(database, turns)
      return turns.map(() => true)
    },
    { maxSize: 128 },
  )
  return (turn) => end(turn).catch((error) => report('turns could not be ended; they end by themselves', error))
}

// Nothing waits for the outcome to be recorded, so attempts that end at about the same time can share a statement.
const apartMilliseconds = 30

type Report = (problem: string, error: unknown) => void

/** Waits out a database outage: an outcome that goes unrecorded means the event is sent again. */
function createRecorder(
  database: Database,
  report: Report,
  spacingMilliseconds: number,
): (settlement: Settlement) => Promise<unknown> {
  const settleBatched = createBatcher(
    async (settlements: Settlement[]) => {
      for (const batch of splitDuplicates(settlements)) await settle(database, batch)
      return settlements.map(() => true)
    },
    { maxSize: 128, apartMilliseconds: spacingMilliseconds },
  )
  return (settlement) =>
    waitOutOutage(
      () => settleBatched(settlement),
      (error) => report(`delivery ${settlement.job.deliveryId} could not be recorded yet`, error),
    )
}

/** After a lease expires, a delivery may be attempted twice at once, but one statement can settle it only once. */
function splitDuplicates(settlements: Settlement[]): Settlement[][] {
  const batches: Map<string, Settlement>[] = []
  for (const settlement of settlements) {
    const { deliveryId } = settlement.job
    const batch = batches.find((candidate) => !candidate.has(deliveryId))
    if (batch) batch.set(deliveryId, settlement)
    else batches.push(new Map([[deliveryId, settlement]]))
  }
  return batches.map((batch) => [...batch.values()])
}

function log(logger: WorkerLog, { job, outcome, reason, waitSeconds, attempt }: Settlement): void {
  const { deliveryId, round, receive } = job
  const { error, code, detail, status, timing } = attempt ?? {}
  const fields = { deliveryId, round, receive, reason, error, code, detail, status, milliseconds: timing?.total }
  if (outcome === 'dropped') logger.debug(fields, 'nothing to deliver')
  else if (waitSeconds !== undefined) logger.debug({ ...fields, waitSeconds }, 'waiting for its turn')
  else logger.info(fields, outcome)
}
