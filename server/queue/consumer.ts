import type { ClaimedJob, Consumer } from './queue.ts'

export type ConsumerOptions = {
  capacity: number
  perOrganization: number
  handle: (job: ClaimedJob, release: () => void) => Promise<void>
  report: (problem: string, error: unknown) => void
  /** `ofOrganizations`: how many places are left to those that have jobs running here. */
  claim: (free: number, ofOrganizations: ReadonlyMap<string, number>) => Promise<ClaimedJob[]>
  renew: (jobs: ClaimedJob[]) => Promise<void>
  renewEveryMilliseconds: number
  pollMilliseconds: number
}

// While there is work, claims are this far apart, so that what becomes ready meanwhile shares a statement. The first
// claim after a quiet moment waits for nothing.
const betweenClaims = 10
const pauseAfterFault = 1_000

/** Keeps up to `capacity` jobs running, claiming more as places become free, and holds their leases meanwhile. */
export function startConsumer(options: ConsumerOptions): Consumer {
  const { capacity, perOrganization, handle, report, pollMilliseconds } = options
  /** Jobs that are not settled yet, and since when. Those that still run also hold a place. */
  const inHand = new Map<ClaimedJob, number>()
  const running = new Map<string, number>()
  let places = capacity
  /** Whether the last claim may have left something because there was no place for it. */
  let hungry = false
  let stopping = false
  const alarm = createAlarm()

  async function loop(): Promise<void> {
    while (!stopping) {
      const claimed = await claim()
      // With every place taken, the next one that becomes free wakes this loop.
      if (claimed === 'failed') await alarm.wait(pauseAfterFault, pauseAfterFault)
      else
        await alarm.wait(places > 0 && claimed > 0 ? betweenClaims : pollMilliseconds, claimed > 0 ? betweenClaims : 0)
    }
    while (inHand.size > 0) await alarm.wait(pollMilliseconds, 0)
  }

  async function claim(): Promise<number | 'failed'> {
    // Settling may lag behind while the database is slow: what is in hand is bounded all the same.
    const free = Math.min(places, 2 * capacity - inHand.size)
    hungry = free === 0
    if (free === 0) return 0
    try {
      const jobs = await options.claim(free, placesLeft())
      hungry = jobs.length === free
      for (const job of jobs) void run(job)
      return jobs.length
    } catch (error) {
      report('jobs could not be claimed; trying again in a second', error)
      return 'failed'
    }
  }

  function placesLeft(): Map<string, number> {
    return new Map([...running].map(([organizationId, count]) => [organizationId, perOrganization - count]))
  }

  async function run(job: ClaimedJob): Promise<void> {
    inHand.set(job, performance.now())
    const release = takePlace(job.organizationId)
    try {
      await handle(job, release)
    } catch (error) {
      report(`delivery ${job.deliveryId} was interrupted; it comes again when its lease runs out`, error)
    } finally {
      release()
      inHand.delete(job)
      if (hungry || stopping) alarm.ring()
    }
  }

  function takePlace(organizationId: string): () => void {
    places -= 1
    running.set(organizationId, (running.get(organizationId) ?? 0) + 1)
    let released = false
    return () => {
      if (released) return
      released = true
      places += 1
      const before = running.get(organizationId) ?? 0
      if (before > 1) running.set(organizationId, before - 1)
      else running.delete(organizationId)
      // An organization that had no place left may have more waiting.
      if (hungry || before >= perOrganization) alarm.ring()
    }
  }

  const renewing = setInterval(() => {
    const since = performance.now() - options.renewEveryMilliseconds / 2
    const held = [...inHand].flatMap(([job, at]) => (at < since ? [job] : []))
    if (held.length > 0) {
      options.renew(held).catch((error) => report('leases could not be renewed; their jobs may be sent twice', error))
    }
  }, options.renewEveryMilliseconds)

  const ended = loop().finally(() => clearInterval(renewing))
  return {
    wake: alarm.ring,
    async stop() {
      stopping = true
      alarm.ring()
      await ended
    },
  }
}

/** Waits for a time or for a ring, whichever is first. A ring that comes while nobody waits is kept. */
function createAlarm() {
  let rung = false
  let answer: (() => void) | null = null

  /** Not less than `least`, however often it rings. */
  async function wait(most: number, least: number): Promise<void> {
    if (least > 0) await new Promise((resolve) => setTimeout(resolve, least))
    if (!rung && most > least) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, most - least)
        answer = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    answer = null
    rung = false
  }

  return {
    wait,
    ring() {
      rung = true
      answer?.()
    },
  }
}
