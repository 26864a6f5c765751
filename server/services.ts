import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Store } from './database/open-store.ts'
import type { DeliverDependencies } from './deliveries/attempt.ts'
import { createDeliveryRecords } from './deliveries/deliveries.ts'
import { createUnseal } from './endpoints/secrets.ts'
import { createSemaphore } from './images/semaphore.ts'
import type { ThumbnailChecker } from './images/thumbnail.ts'
import { createDestinationGuard, type DestinationGuard } from './outbound/destination.ts'
import { createPoster } from './outbound/post.ts'
import { createResolver } from './outbound/resolve.ts'
import type { DeliveryQueue } from './queue/queue.ts'
import { createPgBossQueue } from './queue/queue-pgboss.ts'
import type { CompletionDependencies, CompletionTracing } from './workflows/complete-interview.ts'

export type Services = Store & {
  config: Config
  clock: () => Date
  guard: DestinationGuard
  queue: DeliveryQueue
  completion: CompletionDependencies
}

/** The domains over one opened database, the same for the server and for single commands. */
export function openServices(config: Config, store: Store, logger: Logger, tracing?: CompletionTracing): Services {
  const { database } = store
  const report = (problem: string, error: unknown) => logger.error({ err: error }, problem)
  const queue = createPgBossQueue({
    database,
    engine: config.store.engine,
    retryDelaySeconds: config.retryDelaySeconds,
    report,
  })
  return {
    ...store,
    config,
    clock: () => new Date(),
    guard: createDestinationGuard({ resolve: createResolver(), allowCidrs: config.destinationAllowCidrs }),
    queue,
    completion: { database, queue, report, tracing },
    async close() {
      await queue.stop()
      await store.close()
    },
  }
}

/** What only a process that delivers needs: above all connections to the world outside. */
export function openOutbound(
  services: Services,
  options: { checker: ThumbnailChecker; secretsKey: Buffer; delivered?: DeliverDependencies['observe'] },
): DeliverDependencies & { close(): Promise<void> } {
  const { database, guard, clock, config } = services
  const poster = createPoster(config.destinationCa === null ? {} : { extraCa: config.destinationCa })
  return {
    database,
    records: createDeliveryRecords(database, clock),
    checker: options.checker,
    // Two keep a processor busy; more would fill the memory with what is about to be an event.
    largeImages: createSemaphore(2),
    // One for each thread, and one that is being fetched.
    largeLooks: createSemaphore(options.checker.threads + 1),
    // All places of the worker for ordinary images, half of them for the largest: more would fill the memory.
    largeEvents: createSemaphore(48_000_000, { each: 12_000_000 }),
    guard,
    poster,
    unseal: createUnseal(options.secretsKey),
    appUrl: config.appUrl,
    clock,
    observe: options.delivered,
    close: () => poster.close(),
  }
}
