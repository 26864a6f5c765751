import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type Environment, type ServerProcess, startServer } from '../support/process.ts'
import type { Random } from '../support/random.ts'

export type Supervised = {
  name: string
  url: string
  isUp(): boolean
  /** SIGKILL to a random process of it. The main process is restarted here; the others are replaced by it. */
  kill(random: Random): Promise<void>
  /** SIGKILL to its main process. */
  crash(): Promise<void>
  /** SIGTERM, then a restart, without waiting for it. */
  restart(): void
  /** Sets how far its clock is off from now on. */
  shiftClock(milliseconds: number): void
  /** Resolves when it is ready. Rejects if it does not start again, or was stopped for good. */
  up(): Promise<void>
  /** SIGTERM; it stays down until it is resumed. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** SIGTERM, for good. */
  stop(): Promise<void>
}

// Requests get thirty seconds, and recording what was sent another thirty if the database is away. A busy machine takes
// its time for the rest.
const stopTimeout = 3 * 60_000
// Far longer than any fault lasts. Each try has its own limit.
const defaultStartTimeout = 5 * 60_000

/** Keeps a server running as a supervisor does in production: whenever it exits, restarts it on the same port. */
export async function supervise({
  name,
  environment,
  nameServer,
  folder,
  reportProblem,
  over,
  startTimeout = defaultStartTimeout,
}: {
  name: string
  environment: Environment
  nameServer: string
  folder: string
  /** Called when a server does something that it never should. */
  reportProblem: (what: string) => void
  /** Aborted if it does not start again: there is no point in going on. */
  over: AbortController
  /** For how many milliseconds to try. */
  startTimeout?: number
}): Promise<Supervised> {
  const clock = join(folder, `${name}.clock`)
  const log = (text: string) => appendFileSync(join(folder, `${name}.log`), text)
  writeFileSync(clock, '0')
  const environmentWithPreload = { ...environment, ...preloadEnvironment({ clock, nameServer }) }

  const watch = (server: ServerProcess): ServerProcess => {
    log(`-- ready after ${Math.round(server.millisecondsToReady)} ms\n`)
    void server.ended.then(({ stdout, stderr, status, signal }) => {
      log(`${stdout}${stderr}-- ended with ${status ?? signal}\n`)
      if (current !== server) return
      current = null
      reportProblem(`${name} exited on its own with ${status ?? signal}: ${stderr.slice(0, 500)}`)
      starting = startAgain()
    })
    return server
  }
  let current: ServerProcess | null = await startServer(environmentWithPreload)
  watch(current)
  const { url, port } = current
  let stopped = false
  let failure: Error | null = null

  // A server that starts while PostgreSQL is down exits with a message, and is restarted.
  async function startAgain(): Promise<void> {
    const deadline = performance.now() + startTimeout
    while (!stopped) {
      try {
        current = watch(await startServer({ ...environmentWithPreload, PORT: String(port) }))
        return
      } catch (error) {
        log(`-- not started: ${error}\n`)
        if (performance.now() > deadline) return giveUp(error)
        await setTimeout(100)
      }
    }
  }
  function giveUp(error: unknown): void {
    failure = new Error(`${name} does not start anymore. ${error instanceof Error ? error.message : error}`)
    over.abort(failure)
  }
  let starting = Promise.resolve()

  async function end(server: ServerProcess): Promise<void> {
    const late = new AbortController()
    const ended = server.stop().then(({ status, stdout, stderr }) => {
      const last = `${stdout}${stderr}`.slice(-500)
      if (status !== 0) reportProblem(`${name} ended with ${status} after SIGTERM: ${last}`)
    })
    const tooLate = setTimeout(stopTimeout, null, { signal: late.signal }).then(
      () => reportProblem(`${name} did not stop within three minutes`),
      () => {},
    )
    await Promise.race([ended, tooLate])
    late.abort()
    await server.kill()
  }

  const take = (): ServerProcess | null => {
    const taken = current
    current = null
    return taken
  }
  const crash = async () => {
    const killed = take()?.kill()
    if (killed) starting = killed.then(startAgain)
    await killed
  }
  const pause = async () => {
    await starting
    const server = take()
    if (server) await end(server)
  }
  return {
    name,
    url,
    isUp: () => current !== null,
    async kill(random) {
      // It may have crashed around a request in the meantime.
      if (current === null) return
      const chosen = random.pick(processesOf(current.pid))
      if (chosen !== current.pid) return killQuietly(chosen)
      await crash()
    },
    crash,
    restart() {
      const server = take()
      if (server) starting = end(server).then(startAgain)
    },
    shiftClock: (milliseconds) => writeFileSync(clock, String(milliseconds)),
    async up() {
      while (current === null) {
        if (failure) throw failure
        if (stopped) throw new Error(`${name} was stopped`)
        await setTimeout(20)
      }
    },
    pause,
    async resume() {
      starting = startAgain()
      await starting
    },
    async stop() {
      stopped = true
      await pause()
    },
  }
}

/** A server's process and its children, as far as Linux shows them. */
function processesOf(pid: number | undefined): (number | undefined)[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
    return [pid, ...children.map(Number)]
  } catch {
    return [pid]
  }
}

function killQuietly(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
  } catch {
    // It has just ended.
  }
}

/** The environment that loads the module above into a server. */
export function preloadEnvironment({ clock, nameServer }: { clock: string; nameServer: string }): Environment {
  const module = pathToFileURL(join(import.meta.dirname, 'preload.ts')).href
  return { NODE_OPTIONS: `--import=${module}`, FAULTS_CLOCK: clock, FAULTS_NAME_SERVER: nameServer }
}
