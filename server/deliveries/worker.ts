import { setTimeout as pause } from 'node:timers/promises'
import { createBatcher } from '../database/batcher.ts'
import type { Database } from '../database/database.ts'
import { DatabaseUnavailable } from '../database/failures.ts'
import { type ClaimedJob, type Consumer, type DeliveryQueue, receives } from '../queue/queue.ts'
import { type AttemptDependencies, type Attempted, attempt } from './attempt.ts'
import type { LoadedDelivery } from './load.ts'
import { type Settlement, settle } from './transitions.ts'

export type WorkerLog = {
  debug(fields: object, text: string): void
  info(fields: object, text: string): void
  error(fields: object, text: string): void
}

/** A receive whose outcome is recorded. */
export type SettledDelivery = { settlement: Settlement; delivery: LoadedDelivery }

export type WorkerDependencies = Omit<AttemptDependencies, 'database'> & {
  database: Database
  queue: DeliveryQueue
  logger: WorkerLog
  observe?: ((settled: SettledDelivery) => void) | undefined
}

// How many deliveries are under way at once in this process, and how many of one organization: a receiver that hangs can
// hold a quarter of the places, never all.
export const capacity = 128
const perOrganization = 32

/** Takes jobs from the queue and delivers. */
export function startWorker(dependencies: WorkerDependencies): Consumer {
  const { database, queue, logger, observe } = dependencies
  const report = (problem: string, error: unknown) => logger.error({ err: error }, problem)
  const record = createRecorder(database, report)
  return queue.consume({
    capacity,
    perOrganization,
    report,
    async handle(job, release) {
      const { settlement, delivery } = await attempt(dependencies, job).catch((error) =>
        interrupted(job, error, report),
      )
      release()
      await record(settlement)
      if (delivery && settlement.outcome !== 'dropped') observe?.({ settlement, delivery })
      log(logger, settlement)
    },
  })
}

const outageDelay = 2

/**
 * A fault of our own. While the database is away nothing is tried, and the receive is given back; anything else counts,
 * so that a row which cannot be processed ends as a dead letter instead of coming for ever.
 */
function interrupted(job: ClaimedJob, error: unknown, report: Report): Attempted {
  report(`delivery ${job.deliveryId} could not be attempted`, error)
  const isOutage = error instanceof DatabaseUnavailable
  if (!isOutage && job.receive >= receives) {
    return { settlement: { job, outcome: 'exhausted', attempt: null }, delivery: null }
  }
  const settlement = {
    job,
    outcome: 'postponed',
    delaySeconds: outageDelay,
    uncounted: isOutage,
    attempt: null,
  } as const
  return { settlement, delivery: null }
}

type Report = (problem: string, error: unknown) => void

// What ends at about the same time shares a statement; nobody waits for it.
const gatherMilliseconds = 10
const patienceSeconds = 30

/** Records what became of receives. An outage of the database is waited for: otherwise each would be sent again. */
function createRecorder(database: Database, report: Report): (settlement: Settlement) => Promise<unknown> {
  const settleTogether = createBatcher(
    async (settlements: Settlement[]) => {
      for (const batch of withoutRepeats(settlements)) await settle(database, batch)
      return settlements.map(() => true)
    },
    { most: 128, waitMilliseconds: gatherMilliseconds },
  )
  return async (settlement) => {
    for (let second = 1; ; second++) {
      try {
        return await settleTogether(settlement)
      } catch (error) {
        const isOutage = error instanceof DatabaseUnavailable
        // What was given back may have been claimed again meanwhile, and is not given back twice.
        if (!isOutage || settlement.uncounted || second > patienceSeconds) throw error
        if (second === 1) report(`delivery ${settlement.job.deliveryId} could not be recorded yet`, error)
        await pause(1_000)
      }
    }
  }
}

/** A delivery whose lease ran out may have been attempted twice at once: one statement takes each only once. */
function withoutRepeats(settlements: Settlement[]): Settlement[][] {
  const batches: Map<string, Settlement>[] = []
  for (const settlement of settlements) {
    const { deliveryId } = settlement.job
    const batch = batches.find((one) => !one.has(deliveryId))
    if (batch) batch.set(deliveryId, settlement)
    else batches.push(new Map([[deliveryId, settlement]]))
  }
  return batches.map((batch) => [...batch.values()])
}

function log(logger: WorkerLog, { job, outcome, reason, attempt }: Settlement): void {
  const { deliveryId, round, receive } = job
  const { error, code, detail, status, timing } = attempt ?? {}
  const fields = { deliveryId, round, receive, reason, error, code, detail, status, milliseconds: timing?.total }
  if (outcome === 'dropped') logger.debug(fields, 'nothing to deliver')
  else logger.info(fields, outcome)
}
