import type { Logger } from 'pino'
import { serveCommands } from '../cli/handover.ts'
import type { Config } from './config.ts'
import { openStore } from './database/open-store.ts'
import { startWorker } from './deliveries/worker.ts'
import { createUnseal, type Unseal } from './endpoints/secrets.ts'
import { checkSecretsKey } from './endpoints/secrets-key.ts'
import { createApp } from './http/app.ts'
import type { Connections } from './http/client-connections.ts'
import { createRecentImages, type RecentImages } from './images/recent-images.ts'
import { createThumbnailChecker, type ThumbnailChecker } from './images/thumbnail-checker.ts'
import { createThumbnailUploader } from './images/thumbnail-uploader.ts'
import { createOutbox, type Outbox } from './notifications/outbox.ts'
import { startMaintenance } from './operations/maintenance.ts'
import type { Metrics } from './operations/metrics/metrics.ts'
import { openMetrics, openMetricsRoutes, openTracing } from './operations/observability.ts'
import { connectToSupervisor } from './operations/processes/supervisor-link.ts'
import type { Tracing } from './operations/tracing/tracing.ts'
import { releaseLeases } from './queue/jobs.ts'
import { openOutbound, openServices, type Services, startSenders } from './services.ts'
import { createDemo, welcome } from './workflows/create-demo.ts'

const loadCompilersAfter = 1_000

/** Config → database → domains → roles. `stop` closes them again in reverse order. */
export async function startServer(
  config: Config,
  logger: Logger,
  { connections, onReplaced }: { connections: Connections; onReplaced: () => void },
): Promise<{ stop(reason: 'stop' | 'replaced'): Promise<void> }> {
  warnAboutDestinations(config, logger)
  warnAboutLinks(config, logger)
  const tracing = await openTracing(config, logger)
  const store = await openStore(config)
  const { engineToken, secretsKey } = store
  if (engineToken === null || secretsKey === null) throw new Error('A server needs ENGINE_TOKEN and SECRETS_KEY')
  const keys = { current: secretsKey, previous: config.secretsKeyPrevious }
  if ((await checkSecretsKey(store.database, keys)) === 'previous') {
    logger.warn(
      'secrets are still encrypted under SECRETS_KEY_PREVIOUS; run: npx partner-interview-admin secrets rotate',
    )
  }
  const unseal = createUnseal(keys)
  const services = openServices(config, store, logger, tracing)
  const { database, clock, report } = services
  const metrics = await openMetrics(config, services)
  const checker = createThumbnailChecker({ processes: config.processes, observe: metrics?.imageChecked })
  const recentImages = createRecentImages()
  const supervisor = connectToSupervisor({ metrics, onReplaced })
  const { appUrl } = config
  const outbox = createOutbox({ mailConfigured: config.mail !== null, secretsKey })

  if (config.store.engine === 'embedded') await releaseLeases(database)
  const delivering = config.roles.has('worker')
    ? startDelivering(services, logger, { checker, recentImages, unseal, outbox, metrics, tracing })
    : null
  const commands =
    config.store.engine === 'embedded'
      ? await serveCommands(config.store.directory, async (args) => {
          const { runCommand } = await import('../cli/program.ts')
          return runCommand(args, async () => services, 'running')
        })
      : null
  const uploader = createThumbnailUploader({
    database,
    checker,
    // Only a process that sends events needs them again soon.
    recent: delivering ? recentImages : undefined,
    report,
    observe: metrics?.imageUploaded,
    processes: config.processes,
  })
  const metricsRoutes = await openMetricsRoutes(config, supervisor, metrics, logger)
  const stopping = new AbortController()
  const app = await createApp({
    logger,
    clock,
    database,
    guard: services.guard,
    completion: services.completion,
    uploader,
    checker,
    outbox,
    unseal,
    engineToken,
    secretsKey,
    secretsKeyPrevious: config.secretsKeyPrevious,
    appUrl,
    apiUrl: config.apiUrl,
    interviewUrl: config.interviewUrl,
    roles: config.roles,
    sandbox: config.sandbox,
    listen: config.listen,
    destinationCa: config.destinationCa,
    trustedProxies: config.trustedProxies,
    tracing,
    requestCompleted: metrics?.requestCompleted,
    metrics: metricsRoutes.route,
    connections,
    stopping: stopping.signal,
    stopDelaySeconds: config.stopDelaySeconds,
  })
  await app.ready()
  if (!connections.server.listening) await connections.listen(config)
  connections.release()
  // The first moments belong to the requests that waited for the start.
  setTimeout(() => void app.loadCompilers(), loadCompilersAfter).unref()
  logger.info({ host: config.host, port: config.port }, `listening on ${appUrl}`)
  // Last, because a start that failed after this would never print the key.
  const demo = config.store.engine === 'embedded' ? await createDemo(database, clock()) : null
  if (demo) process.stdout.write(welcome(demo, appUrl))
  supervisor?.ready()

  return {
    async stop(reason) {
      logger.info('shutting down; finishing in-flight work')
      if (reason === 'stop') stopping.abort()
      await app.close()
      await commands?.close()
      await delivering?.stop()
      await checker.close()
      await metricsRoutes.close()
      await tracing?.stop()
      await supervisor?.leave()
      await services.close()
      logger.info('stopped')
      // Exiting earlier would print the last lines ahead of those that are being written.
      await new Promise((resolve) => logger.flush(resolve))
    },
  }
}

function startDelivering(
  services: Services,
  logger: Logger,
  options: {
    checker: ThumbnailChecker
    recentImages: RecentImages
    unseal: Unseal
    outbox: Outbox
    metrics: Metrics | null
    tracing: Tracing | undefined
  },
): { stop(): Promise<void> } {
  const { checker, recentImages, unseal, outbox, metrics, tracing } = options
  const outbound = openOutbound(services, { checker, recentImages, unseal })
  const worker = startWorker({
    ...outbound,
    queue: services.queue,
    logger,
    observe(settled) {
      metrics?.settled(settled)
      tracing?.settled(settled)
    },
  })
  const maintenance = startMaintenance(services, { outbox, logger, observer: metrics })
  const senders = startSenders(services, { unseal, logger, observe: metrics?.messageHandled })
  return {
    async stop() {
      // Together: a statement that hangs in one must not let the worker claim more.
      await Promise.all([maintenance.stop(), senders.stop(), worker.stop()])
      await outbound.close()
    },
  }
}

/** Nobody should allow private destinations without knowing it. */
function warnAboutDestinations(
  { destinationAllowCidrs: ranges, destinationCa, nodeExtraCa }: Config,
  logger: Logger,
): void {
  if (ranges.length > 0) {
    logger.warn(`DESTINATION_ALLOW_CIDRS IS SET: events may be sent to ${ranges.join(', ')}, public or not`)
  }
  if (destinationCa !== null) {
    logger.warn(
      'DESTINATION_CA_FILE IS SET: receivers may use certificates from an authority that is not publicly trusted',
    )
  }
  if (nodeExtraCa !== null) {
    logger.warn(
      `NODE_EXTRA_CA_CERTS IS SET: receivers and other servers may use certificates from the authorities in ${nodeExtraCa}`,
    )
  }
}

function warnAboutLinks({ roles, hasInterviewPage }: Config, logger: Logger): void {
  if (roles.has('api') && !hasInterviewPage) {
    logger.warn('INTERVIEW_URL is not set and SANDBOX is off: the links candidates get lead nowhere')
  }
}
