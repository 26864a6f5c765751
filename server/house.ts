import type { Logger } from 'pino'
import { atMost } from './at-most.ts'
import type { CompletionDependencies, CompletionTracing } from './completion.ts'
import type { Config } from './config.ts'
import type { ThumbnailChecker } from './interviews/thumbnail.ts'
import { createUnseal } from './secrets.ts'
import type { Store } from './store.ts'
import type { DeliverDependencies } from './webhooks/deliver.ts'
import { createDeliveryRecords } from './webhooks/deliveries.ts'
import { createDestinationGuard, type DestinationGuard } from './webhooks/destination.ts'
import { createPoster } from './webhooks/post.ts'
import type { DeliveryQueue } from './webhooks/queue.ts'
import { createPgBossQueue } from './webhooks/queue-pgboss.ts'
import { createResolver } from './webhooks/resolve.ts'

export type House = Store & {
  config: Config
  clock: () => Date
  guard: DestinationGuard
  queue: DeliveryQueue
  completion: CompletionDependencies
}

/** The domains over one opened database, the same for the server and for single commands. */
export function openHouse(config: Config, store: Store, logger: Logger, tracing?: CompletionTracing): House {
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
export function openWayOut(
  house: House,
  options: { checker: ThumbnailChecker; secretsKey: Buffer; delivered?: DeliverDependencies['observe'] },
): DeliverDependencies & { close(): Promise<void> } {
  const { database, guard, clock, config } = house
  const poster = createPoster(config.destinationCa === null ? {} : { extraCa: config.destinationCa })
  return {
    database,
    records: createDeliveryRecords(database, clock),
    checker: options.checker,
    // Two keep a processor busy; more would fill the memory with what is about to be an event.
    largeImages: atMost(2),
    // One for each thread, and one that is being fetched.
    largeLooks: atMost(options.checker.threads + 1),
    // All places of the worker for ordinary images, half of them for the largest: more would fill the memory.
    largeEvents: atMost(48_000_000, { each: 12_000_000 }),
    guard,
    poster,
    unseal: createUnseal(options.secretsKey),
    appUrl: config.appUrl,
    clock,
    observe: options.delivered,
    close: () => poster.close(),
  }
}
