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
  /** SIGKILL; it is started again at once. Of several processes it may be any: those that a keeper keeps, it replaces. */
  kill(random: Random): Promise<void>
  /** SIGTERM; it is started again once it has ended, for which nobody waits here. */
  restart(): void
  /** Its clock is off by this much from now on, until it is told otherwise. */
  shiftClock(milliseconds: number): void
  /** Resolves when it answers. */
  up(): Promise<void>
  /** SIGTERM; it stays away until it is resumed. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** SIGTERM, for good. */
  stop(): Promise<void>
}

const patience = 60_000

/** A server that a supervisor keeps running, as in production: whenever it ends, it is started again on the same port. */
export async function supervise({
  name,
  environment,
  nameServer,
  folder,
  fault,
}: {
  name: string
  environment: Environment
  nameServer: string
  folder: string
  /** Told about what no server should ever do. */
  fault: (what: string) => void
}): Promise<Supervised> {
  const clock = join(folder, `${name}.clock`)
  const log = (text: string) => appendFileSync(join(folder, `${name}.log`), text)
  writeFileSync(clock, '0')
  const misled = { ...environment, ...misleading({ clock, nameServer }) }

  const watch = (server: ServerProcess): ServerProcess => {
    log(`-- ready after ${Math.round(server.millisecondsToReady)} ms\n`)
    void server.ended.then(({ stdout, stderr, status, signal }) => {
      log(`${stdout}${stderr}-- ended with ${status ?? signal}\n`)
      if (current !== server) return
      current = null
      fault(`${name} ended by itself with ${status ?? signal}: ${stderr.slice(0, 500)}`)
      starting = startAgain()
    })
    return server
  }
  let current: ServerProcess | null = await startServer(misled)
  watch(current)
  const { url, port } = current
  let stopped = false

  // Whoever starts while PostgreSQL is away ends with a message, and is started again.
  async function startAgain(): Promise<void> {
    while (!stopped) {
      try {
        current = watch(await startServer({ ...misled, PORT: String(port) }))
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
      if (status !== 0) fault(`${name} ended with ${status} when it was asked to stop`)
    })
    const tooLate = setTimeout(patience, null, { signal: late.signal }).then(
      () => fault(`${name} did not stop within a minute`),
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
      const chosen = random.pick(processesOf(current?.pid))
      if (chosen !== current?.pid) return killQuietly(chosen)
      const killed = take()?.kill()
      if (killed) starting = killed.then(startAgain)
      await killed
    },
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

/** A server's process and those that it keeps, as far as Linux tells. */
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

/** What a server's environment must hold for it to be misled. */
export function misleading({ clock, nameServer }: { clock: string; nameServer: string }): Environment {
  const module = pathToFileURL(join(import.meta.dirname, 'misled.ts')).href
  return { NODE_OPTIONS: `--import=${module}`, FAULTS_CLOCK: clock, FAULTS_NAME_SERVER: nameServer }
}
