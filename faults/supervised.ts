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
  /** Resolves when it is ready. */
  up(): Promise<void>
  /** SIGTERM; it stays down until it is resumed. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** SIGTERM, for good. */
  stop(): Promise<void>
}

const stopTimeout = 60_000

/** Keeps a server running as a supervisor does in production: whenever it exits, restarts it on the same port. */
export async function supervise({
  name,
  environment,
  nameServer,
  folder,
  reportProblem,
}: {
  name: string
  environment: Environment
  nameServer: string
  folder: string
  /** Called when a server does something that it never should. */
  reportProblem: (what: string) => void
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

  // A server that starts while PostgreSQL is down exits with a message, and is restarted.
  async function startAgain(): Promise<void> {
    while (!stopped) {
      try {
        current = watch(await startServer({ ...environmentWithPreload, PORT: String(port) }))
        return
      } catch (error) {
        log(`-- not started: ${error}\n`)
        await setTimeout(100)
      }
    }
  }
  let starting = Promise.resolve()

  async function end(server: ServerProcess): Promise<void> {
    const late = new AbortController()
    const ended = server.stop().then(({ status }) => {
      if (status !== 0) reportProblem(`${name} ended with ${status} after SIGTERM`)
    })
    const tooLate = setTimeout(stopTimeout, null, { signal: late.signal }).then(
      () => reportProblem(`${name} did not stop within a minute`),
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
      while (current === null) await starting
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
