import { createBatcher } from '../database/batcher.ts'
import type { Consumer, Job } from './queue.ts'
import { receives } from './queue.ts'

/** A job as the engine hands it out: which one, and which of its receives. */
export type FetchedJob = { id: string; retryCount: number; organizationId: string; deliveryId: string }

/**
 * `heldBack`: organizations that have more which is due, and no place for it before some of their jobs are settled.
 * `more`: whether another look at once may find some.
 */
export type Fetched = { jobs: FetchedJob[]; heldBack: ReadonlySet<string>; more: boolean }

export type ConsumerOptions = {
  capacity: number
  handle: (job: Job, leave: () => void) => Promise<'done' | 'again'>
  report: (problem: string, error: unknown) => void
  fetch: (most: number) => Promise<Fetched>
  complete: (jobs: FetchedJob[]) => Promise<unknown>
  fail: (jobs: FetchedJob[]) => Promise<unknown>
}

// A job that comes due for a retry, or one enqueued by another process, wakes nobody: somebody has to look.
const lookEvery = 250
// While there is more to do, a fetch waits this long for several places to become free: one job at a time would cost a
// statement each, and waiting for many would let one slow endpoint hold up the rest.
const gatherFor = 50
const settleWithin = 20
const pauseAfterFault = 1_000

/** Keeps up to `capacity` jobs under way, fetching as places become free, and settles each as soon as it ends. */
export function consume(options: ConsumerOptions): Consumer & { wake(): void } {
  const { capacity, handle, report } = options
  const enough = Math.ceil(capacity / 2)
  /** Jobs in hand, and how many of them hold a place. */
  let underWay = 0
  let running = 0
  let backlog = false
  let heldBack: ReadonlySet<string> = new Set()
  let fetching = false
  let stopping = false
  let called = false
  let getUp: (() => void) | null = null

  const isAwaited = ({ organizationId }: FetchedJob) => heldBack.has(organizationId)
  const settling = {
    report,
    isAwaited,
    // One that ends while a fetch is under way may free the place for which that fetch holds a job back.
    settled(jobs: FetchedJob[]) {
      if (fetching || jobs.some(isAwaited)) rouse()
    },
  }
  const completed = settler(options.complete, settling)
  const failed = settler(options.fail, settling)

  // A call that comes while a fetch is under way may be about a job which that fetch does not see.
  function rouse(): void {
    called = true
    getUp?.()
  }

  async function run(job: FetchedJob): Promise<void> {
    underWay++
    running++
    let placed = true
    const leave = () => {
      if (placed) running--
      placed = false
      if (backlog) rouse()
    }
    const receive = job.retryCount + 1
    try {
      const { deliveryId } = job
      const disposition = await handle({ deliveryId, receive, last: receive >= receives }, leave)
      if (disposition === 'done') completed.add(job)
      else failed.add(job)
    } catch (error) {
      report(`the job of delivery ${job.deliveryId} broke off; it comes again`, error)
      failed.add(job)
    } finally {
      underWay--
      leave()
      if (stopping) rouse()
    }
  }

  async function loop(): Promise<void> {
    while (!stopping) {
      const free = capacity - running
      let pause = lookEvery
      if (free > 0) {
        fetching = true
        const fetched = await options.fetch(free).catch((error): Fetched => {
          report('jobs cannot be fetched for the moment', error)
          pause = pauseAfterFault
          return { jobs: [], heldBack: new Set(), more: false }
        })
        fetching = false
        for (const job of inOrder(fetched.jobs)) void run(job)
        backlog = fetched.more
        heldBack = fetched.heldBack
        // Where some came from, more may come, from a process that cannot call this one.
        if (fetched.jobs.length > 0) pause = gatherFor
      }
      if (backlog) await gather()
      else await rest(pause)
    }
    while (underWay > 0) await rest(lookEvery)
    await Promise.all([completed.flushed(), failed.flushed()])
  }

  async function gather(): Promise<void> {
    const until = performance.now() + gatherFor
    while (!stopping && capacity - running < enough) {
      const left = until - performance.now()
      if (left <= 0 && running < capacity) return
      await rest(running < capacity ? left : lookEvery)
    }
  }

  async function rest(milliseconds: number): Promise<void> {
    if (!called) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds)
        getUp = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      getUp = null
    }
    called = false
  }

  const ended = loop()
  return {
    wake: rouse,
    async stop() {
      stopping = true
      rouse()
      await ended
    },
  }
}

function inOrder(jobs: FetchedJob[]): FetchedJob[] {
  return jobs.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

/**
 * Gathers what ends at about the same time into one statement, unless somebody waits for a place. What cannot be settled
 * comes back by itself later.
 */
function settler(
  settle: (jobs: FetchedJob[]) => Promise<unknown>,
  options: {
    report: ConsumerOptions['report']
    isAwaited: (job: FetchedJob) => boolean
    settled: (jobs: FetchedJob[]) => void
  },
) {
  const { report, isAwaited, settled } = options
  const underWay = new Set<Promise<void>>()
  let awaited = false
  const settleTogether = createBatcher(
    async (jobs: FetchedJob[]) => {
      awaited = false
      await settle(jobs).catch((error) => report('finished jobs could not be settled; they come again', error))
      settled(jobs)
      return jobs
    },
    { most: 128, wait: () => (awaited ? 0 : settleWithin) },
  )

  return {
    add(job: FetchedJob): void {
      awaited ||= isAwaited(job)
      const ended = settleTogether(job).then(() => void underWay.delete(ended))
      underWay.add(ended)
    },
    flushed: () => Promise.all(underWay),
  }
}
