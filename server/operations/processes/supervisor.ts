import cluster, { type Worker } from 'node:cluster'
import { setTimeout } from 'node:timers/promises'
import type { ChildMessage, SupervisorMessage } from './messages.ts'

export type SupervisorLog = {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

export type Supervisor = {
  /** Those that are serving requests. */
  children(): Worker[]
  /** How many died unexpectedly. */
  deaths(): number
  /** Replaces the processes one at a time; each old one finishes its in-flight work. */
  replaceAll(): Promise<void>
  /** Lets every process finish its in-flight work. */
  stop(): Promise<void>
  kill(): void
}

// A process that dies sooner counts as a failed start.
const stableAfter = 10_000
const maxBackoff = 30_000
const maxRestartRounds = 5
// Longer than the longest request and the longest statement together.
const exitMilliseconds = 90_000

/**
 * Keeps `count` processes running that share the port. Null if the first one does not start; it has printed why. A
 * process that dies later is restarted, with increasing delays; `onGiveUp` is called if none of them stays up.
 */
export async function startSupervisor(options: {
  count: number
  /** How long a stopping process goes on serving. */
  stopDelaySeconds: number
  logger: SupervisorLog
  /** Called when a child is ready, before any message is sent to it. */
  onStart: (child: Worker) => void
  onGiveUp: () => void
  /** How long a process may take to finish its work and exit. */
  exitTimeout?: number
}): Promise<Supervisor | null> {
  const { count, stopDelaySeconds, logger, onStart, onGiveUp, exitTimeout = exitMilliseconds } = options
  // JSON would turn NaN in the metrics into null.
  cluster.setupPrimary({ serialization: 'advanced' })
  const serving = new Set<Worker>()
  let failures = 0
  let deaths = 0
  let stopping = false
  let replacing = false

  async function add(): Promise<boolean> {
    const child = await launch()
    if (child === null) return false
    const since = performance.now()
    serving.add(child)
    onStart(child)
    child.once('exit', (status, signal) => {
      if (!serving.delete(child) || stopping) return
      deaths++
      logger.error({ process: child.process.pid, status, signal }, 'process died; starting another')
      failures = performance.now() - since < stableAfter ? failures + 1 : 0
      void restore()
    })
    return true
  }

  async function restore(): Promise<void> {
    for (;;) {
      const rounds = failures / count
      if (rounds >= maxRestartRounds && serving.size === 0) return onGiveUp()
      if (rounds > 0) await setTimeout(Math.min(maxBackoff, 125 * 2 ** rounds))
      if (stopping || (await add()) || stopping) return
      failures++
      logger.error({ failures }, 'process did not start')
    }
  }

  async function replaceAll(): Promise<void> {
    if (replacing || stopping) return
    replacing = true
    logger.info({ processes: serving.size }, 'replacing processes one at a time')
    const done = await replaceEach([...serving])
    replacing = false
    if (done) logger.info({ processes: serving.size }, 'all processes replaced')
    else logger.error({}, 'new process did not start; keeping the old ones')
  }

  async function replaceEach(children: Worker[]): Promise<boolean> {
    for (const old of children) {
      // One that died in the meantime has been replaced already.
      if (!serving.has(old) || stopping) continue
      if (!(await add())) return stopping
      serving.delete(old)
      await retire(old)
    }
    return true
  }

  async function retire(old: Worker): Promise<void> {
    send(old, { type: 'replaced' })
    await waitForExit(old, exitTimeout)
  }

  async function waitForExit(child: Worker, milliseconds: number): Promise<void> {
    if (child.isDead()) return
    const timer = globalThis.setTimeout(() => {
      logger.warn({ process: child.process.pid }, 'process did not exit in time; killing it')
      child.process.kill('SIGKILL')
    }, milliseconds)
    await new Promise((resolve) => child.once('exit', resolve))
    clearTimeout(timer)
  }

  const all = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)

  // The first one alone: what keeps it from starting would affect them all, and should be printed once.
  if (!(await add())) return null
  for (let others = 1; others < count; others++) void restore()

  return {
    children: () => [...serving],
    deaths: () => deaths,
    replaceAll,
    async stop() {
      stopping = true
      await Promise.all(
        all().map((worker) => {
          worker.process.kill('SIGTERM')
          return waitForExit(worker, stopDelaySeconds * 1_000 + exitTimeout)
        }),
      )
    },
    kill() {
      for (const worker of all()) worker.process.kill('SIGKILL')
    },
  }
}

/** Resolves when the process is ready; null if it exits before that. */
function launch(): Promise<Worker | null> {
  const worker = cluster.fork()
  return new Promise((resolve) => {
    worker.on('message', (message: ChildMessage) => {
      if (message.type === 'ready') resolve(worker)
    })
    worker.once('exit', () => resolve(null))
  })
}

/** Ignores errors: a process that is exiting does not need the message. */
export function send(child: Worker, message: SupervisorMessage): void {
  child.process.send?.(message, () => {})
}
