import type { Queryable } from '../database/database.ts'
import type { SqsClient } from './sqs-client.ts'
import { handOver, takeBack } from './sqs-jobs.ts'

export type Feeder = {
  /** Tells SQS of due jobs now, or right after what is under way. */
  wake(): void
  /** Room has become free in SQS. */
  refill(): void
  stop(): Promise<void>
}

// So that jobs that become due together share requests.
const restMilliseconds = 10
const probeSize = 10
const firstDelay = 1_000
const longestDelay = 15_000

/**
 * Tells SQS of the jobs that are due. Any process does so when it has written a job, and every worker also once in a while:
 * for retries that come due, backlogs, and jobs of processes that died before they could.
 */
export function createFeeder(options: {
  database: Queryable
  sqs: Pick<SqsClient, 'send'>
  report: (problem: string, error: unknown) => void
}): Feeder {
  const { database, sqs, report } = options
  let requested = false
  let hasMore = false
  let stopping = false
  /** While SQS is away: how long to leave it alone, and since when. */
  let delay = 0
  let failedAt = 0
  let feeding: Promise<void> | null = null

  async function work(): Promise<void> {
    while (requested && !isResting()) {
      requested = false
      try {
        await feed()
      } catch (error) {
        report('due jobs could not be claimed for SQS; trying again later', error)
        rest()
      }
      if (!stopping) await new Promise((resolve) => setTimeout(resolve, restMilliseconds))
    }
  }

  async function feed(): Promise<void> {
    let after = ''
    hasMore = false
    do {
      const limit = delay > 0 ? probeSize : 1_000_000
      const handover = await handOver(database, { after, limit })
      hasMore ||= handover.hasMore
      if (handover.postings.length > 0) {
        const unsent = await sqs.send(handover.postings)
        await takeBack(database, unsent)
        if (unsent.length === handover.postings.length) return rest()
        // SQS is back, and there may be more than the probe.
        if (delay > 0) requested = true
        delay = 0
      }
      after = handover.next
    } while (after !== '')
  }

  function rest(): void {
    delay = Math.min(longestDelay, delay === 0 ? firstDelay : 2 * delay)
    failedAt = performance.now()
  }

  function isResting(): boolean {
    return delay > 0 && performance.now() - failedAt < delay
  }

  function wake(): void {
    requested = true
    feeding ??= work().finally(() => {
      feeding = null
      if (requested && !isResting()) wake()
    })
  }

  return {
    wake,
    refill() {
      if (hasMore) wake()
    },
    async stop() {
      stopping = true
      await feeding
    },
  }
}
