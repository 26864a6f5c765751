import { spacing } from '../database/batcher.ts'
import type { ClaimedJob, Consumer } from './queue.ts'

export type ConsumerOptions = {
  capacity: number
  perOrganization: number
  handle: (job: ClaimedJob, release: () => void) => Promise<void>
  report: (problem: string, error: unknown) => void
  /** `freeByOrganization`: the slots left for organizations with jobs running here. */
  claim: (free: number, freeByOrganization: ReadonlyMap<string, number>) => Promise<ClaimedJob[]>
  renew: (jobs: ClaimedJob[]) => Promise<void>
  renewEveryMilliseconds: number
  pollMilliseconds: number
  /** How many processes share the load on this machine. */
  processes?: number | undefined
}

// The minimum time between claims while there is work, so one statement can claim several jobs. The first claim after an
// idle period is immediate.
const claimMilliseconds = 10
const errorDelay = 1_000
// By then, every other process has tried again as well.
const recoveryDelay = 2 * errorDelay

/** Keeps up to `capacity` jobs running, claims more as slots free up, and renews the leases of running jobs. */
export function startConsumer(options: ConsumerOptions): Consumer {
  const { capacity, perOrganization, handle, report, pollMilliseconds } = options
  const claimInterval = spacing(claimMilliseconds, options.processes)
  /** When each job that is not settled yet was claimed. Only those still running also hold a slot. */
  const unsettled = new Map<ClaimedJob, number>()
  const running = new Map<string, number>()
  let freeSlots = capacity
  /** The last claim may have left jobs behind for lack of slots. */
  let mayHaveMore = false
  let stopping = false
  let hasFailed = false
  let lastWorkedAt = performance.now()
  const signal = createSignal()

  async function loop(): Promise<void> {
    while (!stopping) {
      const claimed = await claim()
      if (claimed === 'failed') await signal.wait(errorDelay, errorDelay)
      else if (mayHaveMore) await untilWorthClaiming()
      else await signal.wait(claimed > 0 ? claimInterval : pollMilliseconds, claimed > 0 ? claimInterval : 0)
    }
    while (unsettled.size > 0) await signal.wait(pollMilliseconds, 0)
  }

  /** The more slots are free, the sooner: half of them at once, an eighth after `claimInterval`, any after four of those. */
  async function untilWorthClaiming(): Promise<void> {
    const began = performance.now()
    const isWorthIt = () => {
      const intervals = (performance.now() - began) / claimInterval
      return free() >= capacity / 2 || (intervals >= 1 && free() >= capacity / 8) || (intervals >= 4 && free() > 0)
    }
    while (!stopping && !isWorthIt()) await signal.wait(free() === 0 ? pollMilliseconds : claimInterval, 0)
  }

  async function claim(): Promise<number | 'failed'> {
    const wanted = free()
    mayHaveMore = wanted === 0
    if (wanted === 0) return 0
    try {
      if (hasFailed) await keepUnsettled()
      const began = performance.now()
      const jobs = await options.claim(wanted, freeByOrganization())
      hasFailed = false
      lastWorkedAt = began
      mayHaveMore = jobs.length === wanted
      for (const job of jobs) void run(job)
      return jobs.length
    } catch (error) {
      hasFailed = true
      report('jobs could not be claimed; retrying in a second', error)
      return 'failed'
    }
  }

  /**
   * In a long outage, leases expire while their jobs go on. Every process renews its own before any of them claims, or events
   * that have arrived would be sent again before that could be recorded.
   */
  async function keepUnsettled(): Promise<void> {
    if (performance.now() - lastWorkedAt < options.renewEveryMilliseconds) return
    await options.renew([...unsettled.keys()])
    await signal.wait(recoveryDelay, recoveryDelay)
  }

  /** Settling may lag behind while the database is slow, so unsettled jobs are bounded too. */
  function free(): number {
    return Math.min(freeSlots, 2 * capacity - unsettled.size)
  }

  function freeByOrganization(): Map<string, number> {
    return new Map([...running].map(([organizationId, count]) => [organizationId, perOrganization - count]))
  }

  async function run(job: ClaimedJob): Promise<void> {
    unsettled.set(job, performance.now())
    const release = takeSlot(job.organizationId)
    try {
      await handle(job, release)
    } catch (error) {
      report(`delivery ${job.deliveryId} was interrupted; it will be received again when its lease expires`, error)
    } finally {
      release()
      unsettled.delete(job)
      if (mayHaveMore || stopping) signal.notify()
    }
  }

  function takeSlot(organizationId: string): () => void {
    freeSlots -= 1
    running.set(organizationId, (running.get(organizationId) ?? 0) + 1)
    let released = false
    return () => {
      if (released) return
      released = true
      freeSlots += 1
      const before = running.get(organizationId) ?? 0
      if (before > 1) running.set(organizationId, before - 1)
      else running.delete(organizationId)
      // An organization that was at its limit may have more jobs waiting.
      if (mayHaveMore || before >= perOrganization) signal.notify()
    }
  }

  const renewing = setInterval(() => {
    const since = performance.now() - options.renewEveryMilliseconds / 2
    const held = [...unsettled].flatMap(([job, at]) => (at < since ? [job] : []))
    if (held.length > 0) {
      options.renew(held).catch((error) => report('leases could not be renewed; events may be sent twice', error))
    }
  }, options.renewEveryMilliseconds)

  const ended = loop().finally(() => clearInterval(renewing))
  return {
    wake: signal.notify,
    async stop() {
      stopping = true
      signal.notify()
      await ended
    },
  }
}

/** Waits for a timeout or a notification, whichever comes first. A notification while nobody waits is remembered. */
function createSignal() {
  let notified = false
  let wakeUp: (() => void) | null = null

  /** Waits at least `minimum` milliseconds, however many notifications arrive. */
  async function wait(maximum: number, minimum: number): Promise<void> {
    if (minimum > 0) await new Promise((resolve) => setTimeout(resolve, minimum))
    if (!notified && maximum > minimum) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, maximum - minimum)
        wakeUp = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    wakeUp = null
    notified = false
  }

  return {
    wait,
    notify() {
      notified = true
      wakeUp?.()
    },
  }
}
