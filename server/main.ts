import cluster from 'node:cluster'
import { readConfig } from './config.ts'
import { createConnections } from './http/client-connections.ts'
import { connectionLimits } from './http/limits.ts'
import { createLogger } from './operations/log.ts'
import { keepNextTickFast } from './operations/next-tick.ts'
import type { StartError } from './start-failure.ts'

keepNextTickFast()

const configuration = readConfig('server')
if (!configuration.ok) {
  stopWith(`Invalid configuration:\n${configuration.faults.map((fault) => `  - ${fault}`).join('\n')}`)
}
const { config } = configuration

const isSupervisor = config.processes > 1 && cluster.isPrimary
// Registered right away: without a handler, SIGUSR2 would end the process, and a start could not be stopped cleanly.
let replaceAll: Running['replaceAll'] = async () => {}
process.on('SIGUSR2', () => void replaceAll())
let running: Running | null = null
let ending: 'stop' | 'replaced' | null = null
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    // Terminals and some service managers signal every process, but the supervisor stops its children itself.
    if (cluster.isWorker && (ending || signal === 'SIGINT')) return
    if (ending) {
      running?.kill()
      process.exit(1)
    }
    end('stop')
  })
}

const logger = createLogger(config.logLevel, { shared: config.processes > 1 })

// Neither loads what only the other needs.
running = await (isSupervisor ? supervise() : serve()).catch(failStart)
replaceAll = running.replaceAll
finish()

function end(reason: 'stop' | 'replaced'): void {
  if (ending) return
  ending = reason
  finish()
}

/** A stop requested during the start takes effect once everything runs. */
function finish(): void {
  if (running && ending) void running.stop(ending).then(() => process.exit(0), failStop)
}

type Running = { replaceAll(): Promise<void>; stop(reason: 'stop' | 'replaced'): Promise<void>; kill(): void }

async function supervise(): Promise<Running> {
  const { runProcesses } = await import('./operations/processes/run.ts')
  const supervisor = await runProcesses(config, logger, () => {
    logger.fatal('no process stays up; giving up')
    logger.flush(() => process.exit(1))
  })
  // The process that did not start has printed why.
  return supervisor ?? process.exit(1)
}

async function serve(): Promise<Running> {
  const connections = createConnections(connectionLimits, { held: true })
  // Listen right away, so that early connections wait instead of being refused. A replacement process doesn't have to:
  // the old one serves in the meantime.
  if (!cluster.isWorker) await connections.listen(config)
  const { startServer } = await import('./server.ts')
  const server = await startServer(config, logger, { connections, onReplaced: () => end('replaced') })
  return {
    ...server,
    replaceAll: async () =>
      logger.warn('SIGUSR2 replaces processes one at a time, which needs PROCESSES to be at least 2'),
    kill: () => {},
  }
}

async function failStart(error: StartError): Promise<never> {
  const { explainStartFailure } = await import('./start-failure.ts')
  return stopWith(explainStartFailure(error, config))
}

/** The status tells service managers that work may have been cut off. */
function failStop(error: unknown): void {
  logger.fatal({ err: error }, 'the shutdown failed')
  logger.flush(() => process.exit(1))
}

function stopWith(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
