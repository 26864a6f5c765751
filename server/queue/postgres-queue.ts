import type { Database } from '../database/database.ts'
import { startConsumer } from './consumer.ts'
import { addJobs, claimJobs, renewLeases } from './jobs.ts'
import { renewTurns } from './pace.ts'
import type { Consumer, DeliveryQueue } from './queue.ts'

// Long enough for a busy process to renew in time, short enough to pick up a dead process's jobs soon.
const defaultLeaseSeconds = 10
// Retries that come due, and jobs other processes enqueue, are only noticed by polling.
const defaultPollMilliseconds = 250

/** The queue in our own database. */
export function createPostgresQueue(options: {
  database: Database
  leaseSeconds?: number
  pollMilliseconds?: number
  /** How many processes share the load on this machine. */
  processes?: number
}): DeliveryQueue {
  const {
    database,
    leaseSeconds = defaultLeaseSeconds,
    pollMilliseconds = defaultPollMilliseconds,
    processes,
  } = options
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
      // Each claim says whether the next one must look at paces. A limit set in between is noticed before the request leaves.
      let pace = true
      const consumer = startConsumer({
        ...options,
        pollMilliseconds,
        processes,
        renewEveryMilliseconds: (leaseSeconds * 1_000) / 3,
        async renew(jobs) {
          await renewLeases(database, jobs, leaseSeconds)
          const paced = jobs.filter(({ holdsTurn }) => holdsTurn)
          await renewTurns(database, paced, leaseSeconds)
        },
        async claim(free, freeByOrganization) {
          // Continue after the last claim's organizations to the end, then go through all of them once.
          for (let passes = next === '' ? 1 : 2; passes > 0; passes -= next === '' ? 1 : 0) {
            const slots = { free, perOrganization, freeByOrganization }
            const claim = await claimJobs(database, { after: next, slots, leaseSeconds, pace })
            next = claim.next
            pace = claim.anyPace
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
