import type { Database } from '../database/database.ts'
import { startConsumer } from './consumer.ts'
import { addJobs, claimJobs, renewLeases } from './jobs.ts'
import type { Consumer, DeliveryQueue } from './queue.ts'

// Long enough for a busy process to renew it in time, short enough that what a dead one left is soon sent.
const ordinaryLease = 10
// A job that comes due for a retry, or that another process has enqueued, wakes nobody: somebody has to look.
const ordinaryPoll = 250

export type PostgresQueue = DeliveryQueue & {
  /** For whoever has written jobs together with their records: this process looks for them now. */
  wake(): void
}

/** The queue in our own database. */
export function createPostgresQueue(options: {
  database: Database
  leaseSeconds?: number
  pollMilliseconds?: number
}): PostgresQueue {
  const { database, leaseSeconds = ordinaryLease, pollMilliseconds = ordinaryPoll } = options
  const consumers = new Set<Consumer>()
  const wake = () => {
    for (const consumer of consumers) consumer.wake()
  }

  return {
    wake,

    async enqueue(jobs) {
      if (jobs.length === 0) return
      await addJobs(database, jobs)
      wake()
    },

    consume(options) {
      const { perOrganization } = options
      let next = ''
      const consumer = startConsumer({
        ...options,
        pollMilliseconds,
        renewEveryMilliseconds: (leaseSeconds * 1_000) / 3,
        renew: (jobs) => renewLeases(database, jobs, leaseSeconds),
        async claim(free, ofOrganizations) {
          // The rest of the organizations after the last claim's, then all of them once.
          for (let circles = next === '' ? 1 : 2; circles > 0; circles -= next === '' ? 1 : 0) {
            const places = { free, perOrganization, ofOrganizations }
            const claim = await claimJobs(database, { after: next, places, leaseSeconds })
            next = claim.next
            if (claim.jobs.length > 0) return claim.jobs
          }
          return []
        },
      })
      consumers.add(consumer)
      return {
        wake: consumer.wake,
        async stop() {
          await consumer.stop()
          consumers.delete(consumer)
        },
      }
    },

    async stop() {
      await Promise.all([...consumers].map((consumer) => consumer.stop()))
    },
  }
}
