import { setTimeout } from 'node:timers/promises'
import type { ExitResult } from '../../support/process.ts'
import { type LoopBlock, type Monitoring, startMonitoring } from '../../support/server-monitoring.ts'
import { runConnection } from './client.ts'
import { type HostileConnection, hostileConnection, idleReader, isSlow } from './connections.ts'
import { findCulprit } from './culprit.ts'
import { createMemoryWatch, type MemoryWatch } from './memory-watch.ts'
import { createRecorder, limits, type RawOutcome } from './outcome.ts'
import { probe } from './probe.ts'
import { createSlots } from './slots.ts'
import type { StartTarget, Target } from './target.ts'
import { createTrail } from './trail.ts'

const quickAtOnce = 96
const slowAtOnce = 200
const warmUp = 300
/** This many clients request something large at once and don't read it, every so many connections. */
const crowd = { size: 300, every: 20_000, at: 400, milliseconds: 10_000 }
/** How often to look for connections that are still open: for ten seconds, or longer on a slow machine. */
const closeChecks = { count: 200, everyMilliseconds: 50 }
const maxCrashes = 20

type Options = {
  start: StartTarget
  seed: number
  connections: number
  connectionAt?: (seed: number, index: number) => HostileConnection
  progress?: (done: number, findings: number) => void
}

/** Sends this many hostile connections to a server, and returns what they did to it. */
export async function fuzzRaw(options: Options): Promise<RawOutcome> {
  const { start, seed, connections, connectionAt = hostileConnection, progress } = options
  return withRun(start, async (run) => {
    for (let index = 0; index < connections; index++) {
      if (index === Math.min(warmUp, Math.floor(connections / 4))) await run.settle()
      await run.begin(connectionAt(seed, index))
      if (index % crowd.every === crowd.at) await run.crowd(seed)
      if (index % 100 === 0) {
        await run.investigate()
        progress?.(index, run.outcome.findings.length)
      }
    }
  })
}

/** Sends a single connection to a warmed-up server, to see what it does on its own. */
export async function fuzzRawOnce(start: StartTarget, connection: HostileConnection): Promise<RawOutcome> {
  return withRun(start, async (run) => {
    await run.settle()
    await run.begin(connection)
  })
}

async function withRun(start: StartTarget, work: (run: Run) => Promise<void>): Promise<RawOutcome> {
  const monitoring = await startMonitoring()
  const run = new Run(monitoring, start)
  try {
    await run.startServer()
    await work(run)
    await run.finish()
    return run.outcome
  } finally {
    await run.stop()
    await monitoring.close()
  }
}

class Run {
  readonly #monitoring: Monitoring
  readonly #start: StartTarget
  readonly #quick = createSlots(quickAtOnce)
  readonly #slow = createSlots(slowAtOnce)
  readonly #trail = createTrail()
  readonly #recorder = createRecorder()
  readonly #memory: MemoryWatch
  readonly #knownToBlock = new Set<string>()
  #server: Target | null = null
  #exited: (ExitResult & { at: number }) | null = null
  #crashes = 0
  #blocks: LoopBlock[] = []

  constructor(monitoring: Monitoring, start: StartTarget) {
    this.#monitoring = monitoring
    this.#start = start
    const dependencies = { monitoring, trail: this.#trail, recorder: this.#recorder }
    this.#memory = createMemoryWatch(dependencies, () => this.#exited !== null)
    monitoring.onBlock((block) => {
      // The first requests also compile and load code, so they don't count.
      if (!this.#memory.hasBaseline()) return
      this.outcome.longestBlock = Math.max(this.outcome.longestBlock, block.milliseconds)
      if (block.milliseconds > limits.blockMilliseconds) this.#blocks.push(block)
    })
  }

  get outcome(): RawOutcome {
    return this.#recorder.outcome
  }

  async startServer(): Promise<void> {
    const server = await this.#start(this.#monitoring.environment)
    await this.#monitoring.connected()
    this.#server = server
    this.#exited = null
    void server.ended.then((exited) => {
      if (this.#server === server) this.#exited = { ...exited, at: Date.now() }
    })
  }

  async begin(connection: HostileConnection): Promise<void> {
    await (isSlow(connection) ? this.#slow : this.#quick).take(() => this.#run(connection))
  }

  /** Runs with no other connections, so that the memory in use is due to these. */
  async crowd(seed: number): Promise<void> {
    await this.#allClosed()
    const close = new AbortController()
    const all: Promise<unknown>[] = []
    for (let index = 0; index < crowd.size; index++) {
      all.push(this.#run(idleReader(seed, index), close.signal))
      // One after the other, so that a long block isn't due to all of them.
      await setTimeout(2)
    }
    const deadline = performance.now() + crowd.milliseconds
    for (let before = 0, now = 1; now > before && performance.now() < deadline; ) {
      before = now
      await setTimeout(500)
      await this.#hasCaughtUp()
      now = this.#monitoring.state().rss
    }
    await this.#memory.check()
    close.abort()
    await Promise.all(all)
  }

  /** Waits until all connections are closed, and takes the memory in use then as the baseline. */
  async settle(): Promise<void> {
    for (let settled = false; !settled; ) {
      await this.#allClosed()
      if (await this.#hasExited()) await this.investigate()
      settled = await this.#memory.setBaseline()
      if (!settled) await this.#server?.ended
    }
    this.#memory.start()
  }

  /** Finds out which connection ended the process or blocked its event loop. */
  async investigate(): Promise<void> {
    if (this.#exited) await this.#investigateExit(this.#exited)
    const blocks = this.#blocks.splice(0)
    const longest = blocks.toSorted((one, other) => other.milliseconds - one.milliseconds)[0]
    if (longest) await this.#investigateBlock(longest)
  }

  async finish(): Promise<void> {
    await this.#allClosed()
    await this.#hasExited()
    await this.investigate()
    this.#memory.stop()
    await this.#memory.check()
    for (const connection of await this.#leftOpen()) {
      this.#recorder.report('a connection is still open 10 s after its client has closed it', connection)
    }
    const health = await fetch(`http://127.0.0.1:${this.#server?.port}/healthz`).catch(() => null)
    if (await this.#hasExited()) await this.investigate()
    else if (health?.status !== 200) this.#recorder.report('no longer responds to /healthz', null)
  }

  async stop(): Promise<void> {
    this.#memory.stop()
    const server = this.#server
    this.#server = null
    await server?.stop()
  }

  async #run(connection: HostileConnection, close?: AbortSignal): Promise<void> {
    const left = this.#trail.enter(connection)
    const caughtUp = () => probe(this.#server?.port ?? 0)
    const result = await runConnection(connection, this.#server?.port ?? 0, { caughtUp, ...(close && { close }) })
    left(result.port)
    this.#recorder.connectionEnded(connection, result)
  }

  async #allClosed(): Promise<void> {
    while (this.#trail.present().length > 0) await setTimeout(20)
  }

  async #investigateExit(exited: ExitResult & { at: number }): Promise<void> {
    // Not counted by restarts: finding the culprit takes several.
    if (++this.#crashes > maxCrashes) throw new Error('The server keeps crashing')
    // A slow server may have crashed over a connection that its client has closed long ago.
    const suspects = this.#trail.between(Math.min(exited.at, this.#monitoring.heardAt()) - 3_000, exited.at)
    await this.#allClosed()
    const culprit = await findCulprit(suspects, async (group) => {
      if (this.#exited) await this.#restart()
      // A race does not happen every time.
      for (let tries = 0; tries < 5; tries++) {
        await Promise.all(group.map((connection) => this.#run(connection)))
        if (await this.#hasExited()) return true
      }
      return false
    })
    if (this.#exited) await this.#restart()
    const detail = culprit ? '' : `None of ${suspects.length} connections reproduced it alone.\n`
    const what = `the process ended with ${exited.status ?? exited.signal}`
    this.#recorder.report(what, culprit, detail + exited.stderr.slice(-2_000))
  }

  async #hasExited(): Promise<boolean> {
    const wait = new AbortController()
    await Promise.race([this.#server?.ended, setTimeout(50, null, { signal: wait.signal }).catch(() => {})])
    wait.abort()
    // That is long enough on an idle machine. On a busy one, ask the server itself.
    if (!(await this.#hasCaughtUp())) await this.#server?.ended
    return this.#exited !== null
  }

  async #restart(): Promise<void> {
    await this.startServer()
    if (this.#memory.hasBaseline()) await this.#memory.setBaseline()
  }

  /**
   * One block can serve many connections, so a long one may be due to all of them. The limit applies to a connection that
   * exceeds it alone, twice. A much longer block is also reported if all of them together cause it again.
   */
  async #investigateBlock({ milliseconds, from, to, ports }: LoopBlock): Promise<void> {
    const present = this.#trail.between(from - 500, to)
    if (present.some(({ name }) => this.#knownToBlock.has(name))) return
    await this.#allClosed()
    // What they did late must not be blamed on those that are tried first.
    await this.#hasCaughtUp()
    this.#blocks = []
    const onServer = ports.flatMap((port) => this.#trail.lastAt(port) ?? [])
    const suspects = [...new Set([...present, ...onServer])].toSorted((a, b) => b.bytes.length - a.bytes.length)
    if (suspects.some(({ name }) => this.#knownToBlock.has(name))) return
    let alone = 0
    const culprit = await findCulprit(suspects, async (group) => {
      alone = await this.#longestBlockBy(group)
      if (group.length === 1) alone = Math.min(alone, await this.#longestBlockBy(group))
      return alone > limits.blockMilliseconds
    })
    if (culprit) {
      this.outcome.longestBlockAlone = Math.max(this.outcome.longestBlockAlone, alone)
      this.#knownToBlock.add(culprit.name)
      this.#recorder.report(`blocked the event loop for ${Math.round(alone)} ms`, culprit)
    } else if (
      milliseconds > limits.crowdedBlockMilliseconds &&
      // Not if the host took the processor away for a moment.
      (await this.#longestBlockBy(present)) > limits.crowdedBlockMilliseconds
    ) {
      const what = `the event loop was blocked for ${Math.round(milliseconds)} ms`
      const detail = `None of ${suspects.length} connections reproduced it alone.`
      this.#recorder.report(what, present[0] ?? null, detail)
    }
  }

  async #longestBlockBy(connections: HostileConnection[]): Promise<number> {
    await Promise.all(connections.map((connection) => this.#run(connection)))
    await this.#hasCaughtUp()
    return Math.max(0, ...this.#blocks.splice(0).map(({ milliseconds }) => milliseconds))
  }

  /**
   * Waits until the server has handled every connection made so far, and reported what that did to its event loop. False
   * if it has exited. Asks twice: the first reply can come from within the block in question, the second can't.
   */
  async #hasCaughtUp(): Promise<boolean> {
    await probe(this.#server?.port ?? 0)
    await this.#monitoring.connections()
    return (await this.#monitoring.connections()) !== null
  }

  async #leftOpen(): Promise<HostileConnection[]> {
    for (let check = 1; ; check++) {
      // The health check has an open connection, too, but it is not on the trail.
      const ports = (await this.#monitoring.connections()) ?? []
      const open = ports.flatMap((port) => this.#trail.lastAt(port) ?? [])
      if (open.length === 0 || check === closeChecks.count) return open
      await setTimeout(closeChecks.everyMilliseconds)
    }
  }
}
