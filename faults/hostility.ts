import { setTimeout } from 'node:timers/promises'
import { play } from '../fuzz/raw/client.ts'
import { type HostileConnection, hostileConnection } from '../fuzz/raw/connections.ts'
import { escaped } from '../fuzz/raw/report.ts'
import type { Random } from '../support/random.ts'

export type Hostility = {
  /** How many connections there were, and which were answered with 5xx. */
  connections(): number
  serverErrors: ServerError[]
  /** Ends when those under way have left. */
  stop(): Promise<void>
}

export type ServerError = { connection: Pick<HostileConnection, 'name' | 'bytes'>; answer: string }

/** Strangers that open hostile connections to one server after the other, beside everybody else. */
export function startHostility(options: {
  seed: number
  urls: readonly string[]
  random: Random
  strangers: number
  restMilliseconds: number
}): Hostility {
  const { seed, urls, random, strangers, restMilliseconds } = options
  const serverErrors: ServerError[] = []
  let begun = 0
  let stopping = false
  const work = async (random: Random) => {
    while (!stopping) {
      const connection = hostileConnection(seed, begun++)
      const { serverError: answer } = await play(connection, Number(new URL(random.pick(urls)).port))
      if (answer !== null) serverErrors.push({ connection, answer })
      await setTimeout(random.between(0, 2 * restMilliseconds))
    }
  }
  const working = Array.from({ length: strangers }, (_, index) => work(random.branch(`stranger ${index}`)))
  return {
    connections: () => begun,
    serverErrors,
    async stop() {
      stopping = true
      await Promise.all(working)
    },
  }
}

/** A database that is away is no fault of the server, and 503 says so. Nothing else of 5xx may be had without a key. */
export function judgeHostility(serverErrors: readonly ServerError[]): string[] {
  return serverErrors
    .filter(({ answer }) => !answer.startsWith('HTTP/1.1 503 '))
    .map(({ connection: { name, bytes }, answer }) => `${name}, ${escaped(bytes)}, was answered ${answer}`)
}
