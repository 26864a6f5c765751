import assert from 'node:assert/strict'
import type { DeliveryQueue, Job } from '../../server/queue/queue.ts'
import { eventually } from '../support/process.ts'

type Disposition = 'done' | 'again'

/** A job under way; it leaves its place and ends when the test says so. */
export type Taken = { job: Job; leave(): void; settle(disposition: Disposition): void }

export type Watch = {
  taken: Taken[]
  /** The deliveries in the order in which their jobs were begun. */
  order(): string[]
  /** How many were under way at the same time, at most. */
  most(): number
  reports: string[]
  /** Waits until this many have been begun, looking again and again. */
  takes(count: number): Promise<void>
  /** The same in the very moment it happens. */
  taking(count: number): Promise<void>
  /** Waits until this many have ended. */
  handled(count: number): Promise<void>
  end(options?: { settle: boolean }): Promise<void>
}

type Answer = Disposition | Error | null

export type WatchOptions = {
  capacity?: number
  perOrganization?: number
  /** What becomes of a job: an answer, an error to throw, or nothing until the test settles it. */
  answer?: Answer | ((job: Job) => Answer)
}

/** A consumer whose every step a test can see and hold. */
export function watch(queue: DeliveryQueue, options: WatchOptions): Watch {
  const { capacity = 64, perOrganization = 64, answer = null } = options
  const taken: Taken[] = []
  const reports: string[] = []
  const waiting = new Map<number, () => void>()
  const held = new Set<(disposition: Disposition) => void>()
  let most = 0
  let running = 0
  let ended = 0
  let ending = false

  async function handle(job: Job, leave: () => void): Promise<Disposition> {
    running += 1
    most = Math.max(most, running)
    const { promise, resolve } = Promise.withResolvers<Disposition>()
    taken.push({ job, leave, settle: resolve })
    held.add(resolve)
    waiting.get(taken.length)?.()
    try {
      const given = typeof answer === 'function' ? answer(job) : answer
      if (given instanceof Error) throw given
      // What was being fetched when the end came has nobody left to settle it.
      return given ?? (ending ? 'done' : await promise)
    } finally {
      held.delete(resolve)
      running -= 1
      ended += 1
    }
  }

  const consumer = queue.consume({
    capacity,
    perOrganization,
    handle,
    report: (problem) => void reports.push(problem),
  })
  const order = () => taken.map(({ job }) => job.deliveryId)
  return {
    taken,
    order,
    most: () => most,
    reports,
    async takes(count) {
      await eventually(async () => taken.length >= count)
      assert.ok(taken.length >= count, `${count} are awaited; taken were ${order().join(', ')}; ${reports.join(', ')}`)
    },
    taking(count) {
      if (taken.length >= count) return Promise.resolve()
      return new Promise((resolve) => waiting.set(count, resolve))
    },
    async handled(count) {
      await eventually(async () => ended >= count)
      assert.ok(ended >= count, `${count} are awaited; ${ended} have ended`)
    },
    async end({ settle } = { settle: true }) {
      const stopping = consumer.stop()
      ending = settle
      if (settle) for (const release of held) release('done')
      await stopping
    },
  }
}
