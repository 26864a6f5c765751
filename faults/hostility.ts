import { setTimeout } from 'node:timers/promises'
import { runConnection } from '../fuzz/raw/client.ts'
import { type HostileConnection, hostileConnection } from '../fuzz/raw/connections.ts'
import { escaped } from '../fuzz/raw/report.ts'
import type { Random } from '../support/random.ts'

export type Hostility = {
  /** How many connections there were, and which got a 5xx. */
  connections(): number
  serverErrors: ServerError[]
  /** Resolves when all connections are closed. */
  stop(): Promise<void>
}

export type ServerError = { connection: Pick<HostileConnection, 'name' | 'bytes'>; response: string }

/** Strangers that open hostile connections to random servers alongside the normal traffic. */
export function startHostility(options: {
  seed: number
  urls: readonly string[]
  random: Random
  strangers: number
  restMilliseconds: number
  over: AbortController
}): Hostility {
  const { seed, urls, random, strangers, restMilliseconds, over } = options
  const serverErrors: ServerError[] = []
  let started = 0
  let stopping = false
  const work = async (random: Random) => {
    while (!stopping && !over.signal.aborted) {
      const connection = hostileConnection(seed, started++)
      const { serverError: response } = await runConnection(connection, Number(new URL(random.pick(urls)).port))
      if (response !== null) serverErrors.push({ connection, response })
      await setTimeout(random.between(0, 2 * restMilliseconds))
    }
  }
  const working = Array.from({ length: strangers }, (_, index) => work(random.branch(`stranger ${index}`)))
  return {
    connections: () => started,
    serverErrors,
    async stop() {
      stopping = true
      await Promise.all(working)
    },
  }
}

/** A 503 is fine, since the database may be down. No other 5xx is allowed without a key. */
export function judgeHostility(serverErrors: readonly ServerError[]): string[] {
  return serverErrors
    .filter(({ response }) => !response.startsWith('HTTP/1.1 503 '))
    .map(({ connection: { name, bytes }, response }) => `${name}, ${escaped(bytes)}, got ${response}`)
}
