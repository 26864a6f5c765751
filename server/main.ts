import { serveCommands } from '../cli/handover.ts'
import { runCommand } from '../cli/program.ts'
import { type Config, readConfig } from './config.ts'
import { DatabaseUnavailable } from './database/database.ts'
import { createDemo, welcome } from './demo.ts'
import { createApp } from './http/app.ts'
import { createLogger } from './log.ts'
import { openStore } from './store.ts'

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
  const clock = () => new Date()
  const { appUrl, interviewUrl } = config
  const logger = createLogger(config.logLevel)
  const store = await openStore(config)
  if (store === 'in_use') throw new DirectoryInUse()
  const { database } = store
  const demo = config.store.engine === 'embedded' ? await createDemo(database, clock()) : null

  const commands =
    config.store.engine === 'embedded'
      ? await serveCommands(config.store.directory, (args) => runCommand(args, { open: async () => database, clock }))
      : null
  const app = await createApp({ database, logger, clock, appUrl, interviewUrl })
  await app.listen({ host: config.host, port: config.port, listenTextResolver: () => `listening on ${appUrl}` })
  if (demo) process.stdout.write(welcome(demo, appUrl))

  return async () => {
    logger.info('stopping: requests in flight are finished first')
    await app.close()
    await commands?.close()
    await store.close()
    logger.info('stopped')
    logger.flush()
  }
}

class DirectoryInUse extends Error {}

function startFault(error: Error & { code?: string }, config: Config): string {
  if (error instanceof DirectoryInUse && config.store.engine === 'embedded') {
    return `Another process is using ${config.store.directory}. Stop it first, or set DATA_DIR to another directory.`
  }
  if (error instanceof DatabaseUnavailable) {
    return `The database cannot be reached: ${error.message}\nCheck DATABASE_URL and that PostgreSQL is running.`
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
