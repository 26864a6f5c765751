import cluster from 'node:cluster'
import type { Logger } from 'pino'
import { serveCommands } from '../cli/handover.ts'
import { runCommand } from '../cli/program.ts'
import { type Config, readConfig } from './config.ts'
import { DirectoryInUse } from './database/data-directory.ts'
import { DatabaseUnavailable } from './database/failures.ts'
import { openStore } from './database/open-store.ts'
import { startWorker } from './deliveries/worker.ts'
import { createApp } from './http/app.ts'
import { createThumbnailChecker, type ThumbnailChecker } from './images/thumbnail-checker.ts'
import { createLogger } from './operations/log.ts'
import { startMaintenance } from './operations/maintenance.ts'
import type { Metrics } from './operations/metrics/metrics.ts'
import { openMetrics, openMetricsRoutes, openTracing } from './operations/observability.ts'
import { joinKeeper } from './operations/processes/member.ts'
import { runProcesses } from './operations/processes/run.ts'
import type { Tracing } from './operations/tracing/tracing.ts'
import { releaseLeases } from './queue/jobs.ts'
import { openOutbound, openServices, type Services } from './services.ts'
import { createDemo, welcome } from './workflows/create-demo.ts'

const configuration = readConfig('server')
if (!configuration.ok) {
  stopWith(`The configuration is wrong:\n${configuration.faults.map((fault) => `  - ${fault}`).join('\n')}`)
}
const { config } = configuration

const isKeeper = config.processes > 1 && cluster.isPrimary
const logger = createLogger(config.logLevel, { shared: config.processes > 1 })
// Heard from the start: unheard, it would end the process.
let replaceAll: Running['replaceAll'] = async () => {}
process.on('SIGUSR2', () => void replaceAll())
// So are these: whoever stops a server in the middle of its start gets an orderly end, too.
let running: Running | null = null
let ending: 'stop' | 'replaced' | null = null
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    // A terminal sends it to the keeper as well, and a service manager may: the keeper sees to its processes.
    if (cluster.isWorker && (ending || signal === 'SIGINT')) return
    if (ending) {
      running?.kill()
      process.exit(1)
    }
    end('stop')
  })
}

running = await (isKeeper ? keep() : start(config)).catch((error: StartError) => stopWith(startFault(error, config)))
replaceAll = running.replaceAll
finish()

function end(reason: 'stop' | 'replaced'): void {
  if (ending) return
  ending = reason
  finish()
}

/** Stops what runs, if somebody has asked for that; what is still starting is stopped once it runs. */
function finish(): void {
  if (running && ending) void running.stop(ending).then(() => process.exit(0))
}

type Running = { replaceAll(): Promise<void>; stop(reason: 'stop' | 'replaced'): Promise<void>; kill(): void }

async function keep(): Promise<Running> {
  const keeper = await runProcesses(config, logger, () => {
    logger.fatal('no process starts any more: giving up')
    logger.flush()
    process.exit(1)
  })
  // The process that did not start has said why.
  return keeper ?? process.exit(1)
}

/** Config → database → domains → roles. What it returns closes them again, in reverse order. */
async function start(config: Config): Promise<Running> {
  warnOfOpenings(config, logger)
  const tracing = await openTracing(config, logger)
  const store = await openStore(config)
  const { engineToken, secretsKey } = store
  if (engineToken === null || secretsKey === null) throw new Error('A server needs its secrets')
  const services = openServices(config, store, logger, tracing)
  const { database, clock } = services
  const metrics = openMetrics(config, services)
  const checker = createThumbnailChecker({ processes: config.processes, observe: metrics?.imageChecked })
  const membership = joinKeeper({ metrics, replaced: () => end('replaced') })
  const { appUrl } = config

  if (config.store.engine === 'embedded') await releaseLeases(database)
  const wayOut = config.roles.has('worker')
    ? startDelivering(services, { checker, secretsKey, metrics, tracing })
    : null
  const commands =
    config.store.engine === 'embedded'
      ? await serveCommands(config.store.directory, (args) => runCommand(args, async () => services))
      : null
  const metricsRoutes = await openMetricsRoutes(config, membership, metrics)
  const stopping = new AbortController()
  const app = await createApp({
    ...services,
    ...config,
    engineToken,
    secretsKey,
    checker,
    logger,
    tracing,
    answered: metrics?.answered,
    imageUploaded: metrics?.imageUploaded,
    metrics: metricsRoutes.route,
    stopping: stopping.signal,
  })
  await app.listen({ host: config.host, port: config.port, listenTextResolver: () => `listening on ${appUrl}` })
  // Last of all: a start that fails after this would take its key, shown to nobody, with it.
  const demo = config.store.engine === 'embedded' ? await createDemo(database, clock()) : null
  if (demo) process.stdout.write(welcome(demo, appUrl))
  membership?.ready()

  return {
    replaceAll: async () =>
      logger.warn('SIGUSR2 replaces processes one after the other; with PROCESSES=1 there is one'),
    async stop(reason) {
      logger.info('shutting down; finishing in-flight work')
      if (reason === 'stop') stopping.abort()
      await app.close()
      await commands?.close()
      await wayOut?.stop()
      await checker.close()
      await metricsRoutes.close()
      await tracing?.stop()
      await membership?.leave()
      await services.close()
      logger.info('stopped')
      logger.flush()
    },
    kill: () => {},
  }
}

function startDelivering(
  services: Services,
  options: { checker: ThumbnailChecker; secretsKey: Buffer; metrics: Metrics | null; tracing: Tracing | undefined },
): { stop(): Promise<void> } {
  const { checker, secretsKey, metrics, tracing } = options
  const outbound = openOutbound(services, { checker, secretsKey })
  const worker = startWorker({
    ...outbound,
    queue: services.queue,
    logger,
    observe(settled) {
      metrics?.settled(settled)
      tracing?.settled(settled)
    },
  })
  const maintenance = startMaintenance(services, { logger, observer: metrics })
  return {
    async stop() {
      await maintenance.stop()
      await worker.stop()
      await outbound.close()
    },
  }
}

/** Whoever opens the way to private addresses shall not do so unawares. */
function warnOfOpenings({ destinationAllowCidrs: ranges, destinationCa }: Config, logger: Logger): void {
  if (ranges.length > 0) {
    logger.warn(`DESTINATION_ALLOW_CIDRS IS SET: events may be sent to ${ranges.join(', ')}, public or not`)
  }
  if (destinationCa !== null) {
    logger.warn(
      'DESTINATION_CA_FILE IS SET: receivers may use certificates of an authority that the world does not trust',
    )
  }
}

type StartError = Error & { code?: string; port?: number }

function startFault(error: StartError, config: Config): string {
  if (error instanceof DirectoryInUse) return error.message
  if (error instanceof DatabaseUnavailable) {
    return `The database cannot be reached: ${error.message}\nCheck DATABASE_URL and that PostgreSQL is running.`
  }
  // PostgreSQL's own codes for a wrong user or password, and for a database that is not there.
  if (/^(28...|3D000)$/.test(error.code ?? '')) {
    return `The database rejected the connection: ${error.message}\nCheck DATABASE_URL.`
  }
  if (error.code === 'EADDRINUSE' && error.port === config.metricsPort) {
    return `Port ${error.port} on ${config.metricsHost} is taken by another program. Stop it, or set METRICS_PORT to another number.`
  }
  if (error.code === 'EADDRINUSE') {
    return `Port ${config.port} on ${config.host} is taken by another program. Stop it, or set PORT to another number.`
  }
  return `The start failed: ${error.stack ?? error.message}`
}

function stopWith(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
