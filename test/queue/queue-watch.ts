import assert from 'node:assert/strict'
import type { ClaimedJob, DeliveryQueue } from '../../server/queue/queue.ts'
import { eventually } from '../../support/process.ts'

/** What a handler makes of a job: it is done, comes again, is over for good, or its worker vanishes without a word. */
export type Disposition = 'done' | 'again' | 'exhausted' | 'vanished'

/** A job under way; it releases its place and ends when the test says so. */
export type RunningJob = { job: ClaimedJob; release(): void; settle(disposition: Disposition): void }

export type Watch = {
  running: RunningJob[]
  /** The deliveries in the order in which their jobs were begun. */
  order(): string[]
  /** How many were under way at the same time, at most. */
  most(): number
  reports: string[]
  /** Waits until this many have been begun. */
  begins(count: number): Promise<void>
  /** The same in the very moment it happens. */
  beginning(count: number): Promise<void>
  /** Waits until this many have ended. */
  ends(count: number): Promise<void>
  stop(options?: { settle: boolean }): Promise<void>
}

export type WatchOptions = {
  capacity?: number
  perOrganization?: number
  /** What becomes of a job, or nothing until the test settles it. */
  answer?: Disposition | null | ((job: ClaimedJob) => Disposition | null)
}

/** A consumer whose every step a test can see and hold. */
export function watch(
  queue: DeliveryQueue,
  settle: (job: ClaimedJob, disposition: Disposition) => Promise<void>,
  options: WatchOptions,
): Watch {
  const { capacity = 64, perOrganization = 64, answer = null } = options
  const running: RunningJob[] = []
  const reports: string[] = []
  const waiting = new Map<number, () => void>()
  const held = new Set<(disposition: Disposition) => void>()
  let most = 0
  let atOnce = 0
  let ended = 0
  let stopping = false

  async function handle(job: ClaimedJob, release: () => void): Promise<void> {
    atOnce += 1
    most = Math.max(most, atOnce)
    const { promise, resolve } = Promise.withResolvers<Disposition>()
    running.push({ job, release, settle: resolve })
    held.add(resolve)
    waiting.get(running.length)?.()
    try {
      const given = typeof answer === 'function' ? answer(job) : answer
      // What was being claimed when the end came has nobody left to settle it.
      await settle(job, given ?? (stopping ? 'done' : await promise))
    } finally {
      held.delete(resolve)
      atOnce -= 1
      ended += 1
    }
  }

  const report = (problem: string) => void reports.push(problem)
  const consumer = queue.consume({ capacity, perOrganization, handle, report })
  const order = () => running.map(({ job }) => job.deliveryId)
  return {
    running,
    order,
    most: () => most,
    reports,
    async begins(count) {
      await eventually(async () => running.length >= count)
      assert.ok(running.length >= count, `${count} awaited; begun were ${order().join(', ')}; ${reports.join(', ')}`)
    },
    beginning(count) {
      if (running.length >= count) return Promise.resolve()
      return new Promise((resolve) => waiting.set(count, resolve))
    },
    async ends(count) {
      await eventually(async () => ended >= count)
      assert.ok(ended >= count, `${count} awaited; ${ended} have ended; ${reports.join(', ')}`)
    },
    async stop({ settle } = { settle: true }) {
      const stopped = consumer.stop()
      stopping = settle
      if (settle) for (const release of held) release('done')
      await stopped
    },
  }
}
