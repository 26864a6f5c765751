import type { Consumer, DeliveryQueue } from '../queue/queue.ts'
import { type DeliverDependencies, deliver } from './attempt.ts'

export type WorkerLog = {
  debug(fields: object, text: string): void
  info(fields: object, text: string): void
  error(fields: object, text: string): void
}

// How many deliveries are under way at once in this process, and how many of one organization anywhere: a receiver that
// hangs can hold a quarter of the places, never all.
export const capacity = 128
const perOrganization = 32

/** Takes jobs from the queue and delivers. */
export function startWorker(dependencies: DeliverDependencies & { queue: DeliveryQueue; logger: WorkerLog }): Consumer {
  const { queue, logger } = dependencies
  return queue.consume({
    capacity,
    perOrganization,
    report: (problem, error) => logger.error({ err: error }, problem),
    async handle({ deliveryId, receive, last }, leave) {
      const { disposition, outcome } = await deliver(dependencies, { deliveryId, last, sent: leave })
      const { error, detail, status, timing } = outcome ?? { error: null, detail: null, status: null, timing: null }
      const fields = { deliveryId, receive, error, detail, status, milliseconds: timing?.total }
      if (outcome === null) logger.debug(fields, 'nothing to deliver')
      else if (error === null) logger.info(fields, 'delivered')
      else logger.info(fields, 'not delivered')
      return disposition
    },
  })
}
