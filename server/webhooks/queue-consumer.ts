import { gathered } from '../gather.ts'
import type { Consumer, Job } from './queue.ts'
import { receives } from './queue.ts'

/** A job as the engine hands it out: which one, and which of its receives. */
export type Fetched = { id: string; retryCount: number; data: { deliveryId: string } }

export type ConsumerOptions = {
  capacity: number
  handle: (job: Job, leave: () => void) => Promise<'done' | 'again'>
  report: (problem: string, error: unknown) => void
  fetch: (batchSize: number) => Promise<Fetched[]>
  complete: (jobs: Fetched[]) => Promise<unknown>
  fail: (jobs: Fetched[]) => Promise<unknown>
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
  const completed = settler(options.complete, report)
  const failed = settler(options.fail, report)
  /** Jobs in hand, and how many of them hold a place. */
  let underWay = 0
  let running = 0
  let backlog = false
  let stopping = false
  let called = false
  let getUp: (() => void) | null = null

  // A call that comes while a fetch is under way may be about a job which that fetch does not see.
  function rouse(): void {
    called = true
    getUp?.()
  }

  async function run(job: Fetched): Promise<void> {
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
      const { deliveryId } = job.data
      const disposition = await handle({ deliveryId, receive, last: receive >= receives }, leave)
      if (disposition === 'done') completed.add(job)
      else failed.add(job)
    } catch (error) {
      report(`the job of delivery ${job.data.deliveryId} broke off; it comes again`, error)
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
        const jobs = await options.fetch(batchWithin(free)).catch((error) => {
          report('jobs cannot be fetched for the moment', error)
          pause = pauseAfterFault
          return []
        })
        for (const job of inOrder(jobs)) void run(job)
        // Fewer than asked for can also mean that an organization has reached its share: look once more before resting.
        backlog = jobs.length > 0
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

/** A power of two: the engine writes the number into its statement, and each text is planned anew. */
function batchWithin(free: number): number {
  return 2 ** Math.floor(Math.log2(free))
}

function inOrder(jobs: Fetched[]): Fetched[] {
  return jobs.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

/** Gathers what ends at about the same time into one statement. What cannot be settled comes back by itself later. */
function settler(settle: (jobs: Fetched[]) => Promise<unknown>, report: ConsumerOptions['report']) {
  const underWay = new Set<Promise<void>>()
  const settleTogether = gathered(
    async (jobs: Fetched[]) => {
      await settle(jobs).catch((error) => report('finished jobs could not be settled; they come again', error))
      return jobs
    },
    { most: 128, wait: settleWithin },
  )

  return {
    add(job: Fetched): void {
      const settled = settleTogether(job).then(() => void underWay.delete(settled))
      underWay.add(settled)
    },
    flushed: () => Promise.all(underWay),
  }
}
