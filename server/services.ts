import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Store } from './database/open-store.ts'
import { createDeliveryLoader } from './deliveries/load.ts'
import type { WorkerDependencies } from './deliveries/worker.ts'
import type { Unseal } from './endpoints/secrets.ts'
import { createSigningKey } from './endpoints/signature.ts'
import { createEventImages } from './images/event-images.ts'
import type { RecentImages } from './images/recent-images.ts'
import type { ThumbnailChecker } from './images/thumbnail-checker.ts'
import { startChatSender, startMailSender } from './notifications/channels.ts'
import type { SenderDependencies } from './notifications/sender.ts'
import { createDestinationGuard, type DestinationGuard } from './outbound/destination.ts'
import { createPoster, deadlineMilliseconds } from './outbound/post.ts'
import { createResolver } from './outbound/resolve.ts'
import { createPostgresQueue } from './queue/postgres-queue.ts'
import type { DeliveryQueue } from './queue/queue.ts'
import { createSqsClient } from './queue/sqs-client.ts'
import { createSqsQueue } from './queue/sqs-queue.ts'
import { type CompletionTracing, createCompletion, type InterviewCompletion } from './workflows/complete-interview.ts'

export type Services = Store & {
  config: Config
  clock: () => Date
  /** Logs an error that doesn't fail the caller. */
  report: (problem: string, error: unknown) => void
  guard: DestinationGuard
  queue: DeliveryQueue
  completion: InterviewCompletion
}

/** Shared by the server and the command line. */
export function openServices(config: Config, store: Store, logger: Logger, tracing?: CompletionTracing): Services {
  const { database } = store
  const { processes } = config
  const report = (problem: string, error: unknown) => logger.error({ err: error }, problem)
  const queue =
    config.queue.engine === 'sqs'
      ? createSqsQueue({ database, report, processes, sqs: createSqsClient({ ...config.queue, report }) })
      : createPostgresQueue({ database, processes })
  return {
    ...store,
    config,
    clock: () => new Date(),
    report,
    guard: createDestinationGuard({ resolve: createResolver(), allowCidrs: config.destinationAllowCidrs }),
    queue,
    completion: createCompletion({ database, wake: queue.wake, report, tracing, processes }),
    async close() {
      await queue.stop()
      await store.close()
    },
  }
}

/** What only a process with the worker role needs. */
export function openOutbound(
  { database, guard, clock, config }: Services,
  { checker, recentImages, unseal }: { checker: ThumbnailChecker; recentImages: RecentImages; unseal: Unseal },
): Omit<WorkerDependencies, 'queue' | 'logger' | 'observe'> & { close(): Promise<void> } {
  const { destinationCa, appUrl, retryDelaySeconds, processes } = config
  const poster = createPoster({ extraCa: destinationCa })
  return {
    database,
    loader: createDeliveryLoader(database),
    images: createEventImages({ database, checker, recent: recentImages }),
    guard,
    poster,
    signingKey: createSigningKey(unseal),
    appUrl,
    retryDelaySeconds,
    deadlineMilliseconds,
    clock,
    processes,
    close: () => poster.close(),
  }
}

/** Sends what waits in the outbox, apart from deliveries: a slow mail or chat server holds up nothing else. */
export function startSenders(
  { database, guard, report, config: { mail, appUrl, destinationCa } }: Services,
  { unseal, logger, observe }: { unseal: Unseal; logger: Logger; observe: SenderDependencies['observe'] },
): { stop(): Promise<void> } {
  const poster = createPoster({ extraCa: destinationCa })
  const dependencies = { database, unseal, logger, report, observe, appUrl }
  const email = mail && startMailSender({ ...dependencies, server: mail })
  const chat = startChatSender({ ...dependencies, guard, poster })
  return {
    async stop() {
      await Promise.all([email?.stop(), chat.stop()])
      await poster.close()
    },
  }
}
