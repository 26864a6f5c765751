import type { Logger } from 'pino'
import { serveCommands } from '../cli/handover.ts'
import { runCommand } from '../cli/program.ts'
import { type Config, readConfig } from './config.ts'
import { DirectoryInUse } from './data-directory.ts'
import { DatabaseUnavailable } from './database/database.ts'
import { createDemo, welcome } from './demo.ts'
import { type House, openHouse, openWayOut } from './house.ts'
import { createApp } from './http/app.ts'
import { createLogger } from './log.ts'
import { openStore } from './store.ts'
import { startSweeping } from './webhooks/sweep.ts'
import { startWorker } from './webhooks/worker.ts'

const configuration = readConfig('server')
if (!configuration.ok) {
  stopWith(`The configuration is wrong:\n${configuration.faults.map((fault) => `  - ${fault}`).join('\n')}`)
}
const { config } = configuration

const stop = await start(config).catch((error: Error & { code?: string }) => stopWith(startFault(error, config)))

let stopping = false
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (stopping) process.exit(1)
    stopping = true
    void stop().then(() => process.exit(0))
  })
}

/** Config → database → domains → roles. What it returns closes them again, in reverse order. */
async function start(config: Config): Promise<() => Promise<void>> {
  const logger = createLogger(config.logLevel)
  warnOfOpenings(config, logger)
  const store = await openStore(config)
  const { engineToken, secretsKey } = store
  if (engineToken === null || secretsKey === null) throw new Error('A server needs its secrets')
  const house = openHouse(config, store, logger)
  const { database, clock } = house
  const { appUrl } = config

  await house.queue.start()
  if (config.store.engine === 'embedded') await house.queue.takeBackOrphans()
  const wayOut = config.roles.has('worker') ? startDelivering(house, secretsKey, logger) : null
  const commands =
    config.store.engine === 'embedded'
      ? await serveCommands(config.store.directory, (args) => runCommand(args, async () => house))
      : null
  const app = await createApp({ ...house, ...config, engineToken, logger })
  await app.listen({ host: config.host, port: config.port, listenTextResolver: () => `listening on ${appUrl}` })
  // Last of all: a start that fails after this would take its key, shown to nobody, with it.
  const demo = config.store.engine === 'embedded' ? await createDemo(database, clock()) : null
  if (demo) process.stdout.write(welcome(demo, appUrl))

  return async () => {
    logger.info('stopping: what is under way is finished first')
    await app.close()
    await commands?.close()
    await wayOut?.stop()
    await house.close()
    logger.info('stopped')
    logger.flush()
  }
}

function startDelivering(house: House, secretsKey: Buffer, logger: Logger): { stop(): Promise<void> } {
  const { queue, config } = house
  const out = openWayOut(house, secretsKey)
  const worker = startWorker({ ...out, queue, logger })
  const sweeping = startSweeping({
    ...house,
    intervalSeconds: config.sweepIntervalSeconds,
    done: (swept) => logger.debug(swept, 'swept'),
    report: (problem, error) => logger.error({ err: error }, problem),
  })
  return {
    async stop() {
      await sweeping.stop()
      await worker.stop()
      await out.close()
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

function startFault(error: Error & { code?: string }, config: Config): string {
  if (error instanceof DirectoryInUse) return error.message
  if (error instanceof DatabaseUnavailable) {
    return `The database cannot be reached: ${error.message}\nCheck DATABASE_URL and that PostgreSQL is running.`
  }
  // PostgreSQL's own codes for a wrong user or password, and for a database that is not there.
  if (/^(28...|3D000)$/.test(error.code ?? '')) {
    return `The database refused us: ${error.message}\nCheck DATABASE_URL.`
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
