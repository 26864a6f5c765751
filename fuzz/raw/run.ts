import { setTimeout } from 'node:timers/promises'
import type { ExitResult } from '../../support/process.ts'
import { type LoopBlock, type Monitoring, startMonitoring } from '../../support/server-monitoring.ts'
import { type Played, play } from './client.ts'
import { type HostileConnection, hostileConnection, idleReader, isSlow } from './connections.ts'
import { createSlots } from './slots.ts'
import { createTrail, type Trail } from './trail.ts'

/** A server under fuzz. */
export type Target = {
  port: number
  ended: Promise<ExitResult>
  stop(): Promise<unknown>
}

/** Starts one in a process of its own with these settings, by which it is monitored, among its own. */
export type StartTarget = (environment: Record<string, string>) => Promise<Target>

export type RawFault = {
  what: string
  /** One that shows the fault by itself where there is one; otherwise one of those that were open. */
  connection: HostileConnection | null
  detail: string
}

export type RawOutcome = {
  connections: number
  /** How often each status was the first answer; `none` where nothing was answered, or nobody read it. */
  answers: Map<string, number>
  manners: Map<string, number>
  /** The longest block that one connection brings about when it is alone, and the longest while all were there. */
  longestTurnAlone: number
  longestTurn: number
  mostMemoryGrowth: number
  faults: RawFault[]
}

export const limits = { turnMilliseconds: 50, crowdedTurnMilliseconds: 250, memoryBytes: 200 * 1024 * 1024 }

const quickAtOnce = 96
const slowAtOnce = 200
const warmUp = 300
/** So many at once ask for something large and do not read it, as often as that. */
const crowd = { size: 300, every: 20_000, at: 400, milliseconds: 10_000 }
const leaveMilliseconds = 10_000
const mostRestarts = 20

type Options = {
  start: StartTarget
  seed: number
  connections: number
  connectionAt?: (seed: number, index: number) => HostileConnection
  progress?: (done: number, faults: number) => void
}

/** Sends hostile connections to a server until their number is reached, and says what they did to it. */
export async function fuzzRaw(options: Options): Promise<RawOutcome> {
  const { start, seed, connections, connectionAt = hostileConnection, progress } = options
  const monitoring = await startMonitoring()
  const run = new Run(monitoring, start)
  try {
    await run.startServer()
    for (let index = 0; index < connections; index++) {
      if (index === Math.min(warmUp, Math.floor(connections / 4))) await run.settle()
      await run.begin(connectionAt(seed, index))
      if (index % crowd.every === crowd.at) await run.crowd(seed)
      if (index % 100 === 0) {
        await run.investigate()
        progress?.(index, run.outcome.faults.length)
      }
    }
    await run.finish()
    return run.outcome
  } finally {
    await run.stop()
    await monitoring.close()
  }
}

/** One connection alone, on a server that has seen it once before: what it does by itself. */
export async function fuzzRawOnce(start: StartTarget, connection: HostileConnection): Promise<RawOutcome> {
  const monitoring = await startMonitoring()
  const run = new Run(monitoring, start)
  try {
    await run.startServer()
    await run.settle()
    await run.begin(connection)
    await run.finish()
    return run.outcome
  } finally {
    await run.stop()
    await monitoring.close()
  }
}

class Run {
  readonly outcome: RawOutcome = {
    ...{ connections: 0, answers: new Map(), manners: new Map(), faults: [] },
    ...{ longestTurn: 0, longestTurnAlone: 0, mostMemoryGrowth: 0 },
  }
  readonly #monitoring: Monitoring
  readonly #start: StartTarget
  readonly #quick = createSlots(quickAtOnce)
  readonly #slow = createSlots(slowAtOnce)
  readonly #trail: Trail = createTrail()
  readonly #known = new Set<string>()
  #server: Target | null = null
  #ended: (ExitResult & { at: number }) | null = null
  #restarts = 0
  #turns: LoopBlock[] = []
  #memoryAtRest: number | null = null
  #collectAgainAt = 0
  #memoryWatch: NodeJS.Timeout | undefined

  constructor(monitoring: Monitoring, start: StartTarget) {
    this.#monitoring = monitoring
    this.#start = start
    monitoring.onBlock((block) => {
      // What is compiled and loaded with the first requests is not what later ones cost.
      if (this.#memoryAtRest === null) return
      this.outcome.longestTurn = Math.max(this.outcome.longestTurn, block.milliseconds)
      if (block.milliseconds > limits.turnMilliseconds) this.#turns.push(block)
    })
  }

  async startServer(): Promise<void> {
    const server = await this.#start(this.#monitoring.environment)
    await this.#monitoring.connected()
    this.#server = server
    this.#ended = null
    void server.ended.then((ended) => {
      if (this.#server === server) this.#ended = { ...ended, at: Date.now() }
    })
  }

  async begin(connection: HostileConnection): Promise<void> {
    await (isSlow(connection) ? this.#slow : this.#quick).take(() => this.#play(connection))
  }

  /** Nobody else is there, so that what the server holds is held for these. */
  async crowd(seed: number): Promise<void> {
    await this.#everybodyLeaves()
    const leave = new AbortController()
    const all: Promise<unknown>[] = []
    for (let index = 0; index < crowd.size; index++) {
      all.push(this.#play(idleReader(seed, index), leave.signal))
      // One after the other, so that a long block is not the work of all of them.
      await setTimeout(2)
    }
    const deadline = performance.now() + crowd.milliseconds
    for (let before = 0, now = 1; now > before && performance.now() < deadline; ) {
      before = now
      await setTimeout(500)
      await this.#askTwice()
      now = this.#monitoring.state().rss
    }
    await this.#weigh()
    leave.abort()
    await Promise.all(all)
  }

  /** Lets everybody leave, and takes what the server then holds for what it always holds. */
  async settle(): Promise<void> {
    for (let memory: number | null = null; memory === null; ) {
      await this.#everybodyLeaves()
      if (this.#ended) await this.#investigateEnd(this.#ended)
      memory = await this.#monitoring.collect()
      if (memory === null) await this.#server?.ended
      this.#memoryAtRest = memory
    }
    clearInterval(this.#memoryWatch)
    this.#memoryWatch = setInterval(() => void this.#weigh(), 250)
  }

  /** Finds out which connection it was that ended the process or held up its loop. */
  async investigate(): Promise<void> {
    if (this.#ended) await this.#investigateEnd(this.#ended)
    const turns = this.#turns.splice(0)
    const longest = turns.toSorted((one, other) => other.milliseconds - one.milliseconds)[0]
    if (longest) await this.#investigateTurn(longest)
  }

  async finish(): Promise<void> {
    await this.#everybodyLeaves()
    await this.#endsNow()
    await this.investigate()
    clearInterval(this.#memoryWatch)
    await this.#weigh()
    for (const connection of await this.#leftOpen()) {
      this.#fault(`a connection is still open ${leaveMilliseconds / 1000} s after its client has gone`, connection)
    }
    const alive = await fetch(`http://127.0.0.1:${this.#server?.port}/healthz`).catch(() => null)
    if (await this.#endsNow()) await this.investigate()
    else if (alive?.status !== 200) this.#fault('does not answer /healthz any more', null)
  }

  async stop(): Promise<void> {
    clearInterval(this.#memoryWatch)
    const server = this.#server
    this.#server = null
    await server?.stop()
  }

  async #play(connection: HostileConnection, leave?: AbortSignal): Promise<Played> {
    const left = this.#trail.enter(connection)
    const played = await play(connection, this.#server?.port ?? 0, { ...(leave && { leave }) })
    left(played.port)
    const { outcome } = this
    outcome.connections++
    count(outcome.answers, played.status === null ? 'none' : String(played.status))
    count(outcome.manners, connection.manner.does)
    if (played.serverError !== null)
      this.#fault(`answered ${played.serverError.slice(9, 12)}`, connection, played.serverError)
    return played
  }

  async #everybodyLeaves(): Promise<void> {
    while (this.#trail.present().length > 0) await setTimeout(20)
  }

  async #investigateEnd(ended: ExitResult & { at: number }): Promise<void> {
    const suspects = this.#trail.between(ended.at - 3_000, ended.at)
    await this.#everybodyLeaves()
    const culprit = await findAlone(suspects, async (group) => {
      if (this.#ended) await this.#restart()
      // What comes down to a moment does not happen every time.
      for (let tries = 0; tries < 5; tries++) {
        await Promise.all(group.map((connection) => this.#play(connection)))
        if (await this.#endsNow()) return true
      }
      return false
    })
    if (this.#ended) await this.#restart()
    const detail = culprit ? '' : `None of ${suspects.length} connections did it again alone.\n`
    this.#fault(`the process ended with ${ended.status ?? ended.signal}`, culprit, detail + ended.stderr.slice(-2_000))
  }

  async #endsNow(): Promise<boolean> {
    const wait = new AbortController()
    await Promise.race([this.#server?.ended, setTimeout(50, null, { signal: wait.signal }).catch(() => {})])
    wait.abort()
    // Long enough on a machine that has nothing else to do; on a busy one the server is to say that it is well.
    if (!(await this.#askTwice())) await this.#server?.ended
    return this.#ended !== null
  }

  async #restart(): Promise<void> {
    if (++this.#restarts > mostRestarts) throw new Error('The server ends again and again')
    await this.startServer()
    if (this.#memoryAtRest !== null) this.#memoryAtRest = await this.#monitoring.collect()
  }

  /**
   * A block serves everybody who has sent something, so that a long one may be the work of many. Only one connection that
   * makes it long when it is alone, twice, is held to the limit; a block much longer than that is a fault in any case.
   */
  async #investigateTurn({ milliseconds, from, to }: LoopBlock): Promise<void> {
    const suspects = this.#trail.between(from - 500, to).toSorted((one, other) => other.bytes.length - one.bytes.length)
    if (suspects.some(({ name }) => this.#known.has(`block ${name}`))) return
    await this.#everybodyLeaves()
    let alone = 0
    const culprit = await findAlone(suspects, async (group) => {
      alone = await this.#longestTurnOf(group)
      if (group.length === 1) alone = Math.min(alone, await this.#longestTurnOf(group))
      return alone > limits.turnMilliseconds
    })
    if (culprit) {
      this.outcome.longestTurnAlone = Math.max(this.outcome.longestTurnAlone, alone)
      this.#known.add(`block ${culprit.name}`)
      this.#fault(`held the event loop for ${Math.round(alone)} ms`, culprit)
    } else if (milliseconds > limits.crowdedTurnMilliseconds) {
      const what = `the event loop was held for ${Math.round(milliseconds)} ms`
      this.#fault(what, suspects[0] ?? null, `None of ${suspects.length} connections did it again alone.`)
    }
  }

  async #longestTurnOf(connections: HostileConnection[]): Promise<number> {
    await Promise.all(connections.map((connection) => this.#play(connection)))
    await this.#askTwice()
    return Math.max(0, ...this.#turns.splice(0).map(({ milliseconds }) => milliseconds))
  }

  /** The answer to the first question may come in the very block that is asked about, the answer to the second cannot. */
  async #askTwice(): Promise<boolean> {
    await this.#monitoring.connections()
    return (await this.#monitoring.connections()) !== null
  }

  async #weigh(): Promise<void> {
    if (this.#memoryAtRest === null || this.#ended) return
    const grown = this.#monitoring.state().rss - this.#memoryAtRest
    if (grown <= limits.memoryBytes) return this.#grew(grown)
    // What nobody holds any more is only not collected yet. Collecting takes time of its own: not again and again.
    if (performance.now() < this.#collectAgainAt) return
    this.#collectAgainAt = Number.POSITIVE_INFINITY
    const present = this.#trail.present()
    const held = await this.#monitoring.collect()
    if (held !== null) this.#grew(held - this.#memoryAtRest, present)
    this.#collectAgainAt = performance.now() + 3_000
  }

  #grew(bytes: number, present: HostileConnection[] = []): void {
    this.outcome.mostMemoryGrowth = Math.max(this.outcome.mostMemoryGrowth, bytes)
    if (bytes <= limits.memoryBytes || this.#known.has('memory')) return
    this.#known.add('memory')
    const kinds = Map.groupBy(present, ({ name, manner }) => `${name}, ${manner.does}`)
    const most = [...kinds].toSorted(([, one], [, other]) => other.length - one.length).slice(0, 5)
    const detail = most.map(([kind, { length }]) => `${length} × ${kind}`).join('\n')
    const example = most[0]?.[1][0] ?? null
    this.#fault(`memory grew by ${Math.round(bytes / 1024 ** 2)} MB`, example, `Open at that time:\n${detail}`)
  }

  async #leftOpen(): Promise<HostileConnection[]> {
    const deadline = performance.now() + leaveMilliseconds
    for (;;) {
      // Whoever asks whether the server is well keeps a connection, too; it is not on the trail.
      const ports = (await this.#monitoring.connections()) ?? []
      const open = ports.flatMap((port) => this.#trail.lastAt(port) ?? [])
      if (open.length === 0 || performance.now() > deadline) return open
      await setTimeout(50)
    }
  }

  /** The same fault of the same kind of connection is told once. */
  #fault(what: string, connection: HostileConnection | null, detail = ''): void {
    const key = `${what.replace(/\d+ ms/, '')} ${connection?.name}`
    if (this.#known.has(key)) return
    this.#known.add(key)
    this.outcome.faults.push({ what, connection, detail })
  }
}

/** Those that wait are all alike, and waiting is not what a server minds. */
function hastened(connection: HostileConnection): HostileConnection {
  const { manner } = connection
  return 'milliseconds' in manner ? { ...connection, manner: { ...manner, milliseconds: 200 } } : connection
}

/** The one of many that shows something by itself, if there is one. */
async function findAlone(
  present: HostileConnection[],
  shows: (group: HostileConnection[]) => Promise<boolean>,
): Promise<HostileConnection | null> {
  const suspects = [...new Map(present.map((one) => [isSlow(one) ? one.name : one, hastened(one)])).values()]
  for (let at = 0; at < suspects.length; at += 48) {
    const found = await narrow(suspects.slice(at, at + 48), shows)
    if (found) return found
  }
  return null
}

async function narrow(
  group: HostileConnection[],
  shows: (group: HostileConnection[]) => Promise<boolean>,
): Promise<HostileConnection | null> {
  const [first = null] = group
  if (first === null || !(await shows(group))) return null
  if (group.length === 1) return first
  const half = Math.ceil(group.length / 2)
  return (await narrow(group.slice(0, half), shows)) ?? narrow(group.slice(half), shows)
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
