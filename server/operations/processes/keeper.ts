import cluster, { type Worker } from 'node:cluster'
import { setTimeout } from 'node:timers/promises'
import type { FromMember, ToMember } from './messages.ts'

export type KeeperLog = {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

export type Keeper = {
  /** Those that serve. */
  members(): Worker[]
  /** How many have ended without being told to. */
  deaths(): number
  /** Puts a new process in the place of each, one after the other; what an old one has under way it finishes. */
  replaceAll(): Promise<void>
  /** Lets every process finish what it has under way. */
  stop(): Promise<void>
  kill(): void
}

// A process that served for less than this has hardly started.
const settledAfter = 10_000
const longestPause = 30_000
const enough = 5
// Beyond what the longest request and the longest statement can take together.
const leavesWithin = 90_000

/**
 * Keeps `count` processes of this program running, which share its port. Null when not even the first one starts: it has
 * said why. Later on one that dies is started again, ever more slowly if that does not help; `givesUp` is called when it
 * has helped none of them a few times over.
 */
export async function keepProcesses(options: {
  count: number
  logger: KeeperLog
  /** Called once it serves, before it is told of anything. */
  joined: (member: Worker) => void
  givesUp: () => void
}): Promise<Keeper | null> {
  const { count, logger, joined, givesUp } = options
  // Numbers that are none must arrive as such.
  cluster.setupPrimary({ serialization: 'advanced' })
  const serving = new Set<Worker>()
  let failures = 0
  let deaths = 0
  let stopping = false
  let replacing = false

  async function add(): Promise<boolean> {
    const member = await launch()
    if (member === null) return false
    const since = performance.now()
    serving.add(member)
    joined(member)
    member.once('exit', (status, signal) => {
      if (!serving.delete(member) || stopping) return
      deaths++
      logger.error(
        { process: member.process.pid, status, signal },
        'a process ended by itself; another takes its place',
      )
      failures = performance.now() - since < settledAfter ? failures + 1 : 0
      void restore()
    })
    return true
  }

  async function restore(): Promise<void> {
    for (;;) {
      const rounds = failures / count
      if (rounds >= enough && serving.size === 0) return givesUp()
      if (rounds > 0) await setTimeout(Math.min(longestPause, 125 * 2 ** rounds))
      if (stopping || (await add()) || stopping) return
      failures++
      logger.error({ failures }, 'a process did not start')
    }
  }

  async function replaceAll(): Promise<void> {
    if (replacing || stopping) return
    replacing = true
    logger.info({ processes: serving.size }, 'replacing the processes one after the other')
    const all = await replaceEach([...serving])
    replacing = false
    if (all) logger.info({ processes: serving.size }, 'the processes are replaced')
    else logger.error({}, 'a new process did not start: the old ones go on')
  }

  async function replaceEach(members: Worker[]): Promise<boolean> {
    for (const old of members) {
      // One that died meanwhile has been replaced by that.
      if (!serving.has(old) || stopping) continue
      if (!(await add())) return stopping
      serving.delete(old)
      await leave(old)
    }
    return true
  }

  async function leave(old: Worker): Promise<void> {
    tell(old, { type: 'replaced' })
    const timer = globalThis.setTimeout(() => {
      logger.warn({ process: old.process.pid }, 'a process that was replaced does not end, and is ended')
      old.process.kill('SIGKILL')
    }, leavesWithin)
    await ended(old)
    clearTimeout(timer)
  }

  const all = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)

  // The first one alone: what keeps it from starting would keep the others, too, and is better said once.
  if (!(await add())) return null
  for (let others = 1; others < count; others++) void restore()

  return {
    members: () => [...serving],
    deaths: () => deaths,
    replaceAll,
    async stop() {
      stopping = true
      await Promise.all(
        all().map((worker) => {
          worker.process.kill('SIGTERM')
          return ended(worker)
        }),
      )
    },
    kill() {
      for (const worker of all()) worker.process.kill('SIGKILL')
    },
  }
}

/** A process once it serves, or null when it ended before. */
function launch(): Promise<Worker | null> {
  const worker = cluster.fork()
  return new Promise((resolve) => {
    worker.on('message', (message: FromMember) => {
      if (message.type === 'ready') resolve(worker)
    })
    worker.once('exit', () => resolve(null))
  })
}

function ended(worker: Worker): Promise<unknown> {
  return worker.isDead() ? Promise.resolve() : new Promise((resolve) => worker.once('exit', resolve))
}

/** One that is just ending no longer hears it, and need not. */
export function tell(member: Worker, message: ToMember): void {
  member.process.send?.(message, () => {})
}
