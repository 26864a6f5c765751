import assert from 'node:assert/strict'
import type { ClaimedJob, DeliveryQueue } from '../../server/queue/queue.ts'
import { eventually } from '../../support/process.ts'

/** How a job ends: it is done, is retried, becomes a dead letter, or its worker vanishes. */
export type Disposition = 'done' | 'again' | 'exhausted' | 'vanished'

/** A running job. The test decides when it releases its slot and when it ends. */
export type RunningJob = { job: ClaimedJob; release(): void; settle(disposition: Disposition): void }

export type Watch = {
  running: RunningJob[]
  /** The deliveries in the order in which their jobs started. */
  order(): string[]
  /** The maximum number of jobs that ran at once. */
  max(): number
  reports: string[]
  /** Waits until this many have started. */
  begins(count: number): Promise<void>
  /** The same, without a delay. */
  beginning(count: number): Promise<void>
  /** Waits until this many have ended. */
  ends(count: number): Promise<void>
  stop(options?: { settle: boolean }): Promise<void>
}

export type WatchOptions = {
  capacity?: number
  perOrganization?: number
  /** How each job ends. Without it, jobs run until the test settles them. */
  result?: Disposition | null | ((job: ClaimedJob) => Disposition | null)
}

/** A consumer that lets a test observe and pause every job. */
export function watch(
  queue: DeliveryQueue,
  settle: (job: ClaimedJob, disposition: Disposition) => Promise<void>,
  options: WatchOptions,
): Watch {
  const { capacity = 64, perOrganization = 64, result = null } = options
  const running: RunningJob[] = []
  const reports: string[] = []
  const waiting = new Map<number, () => void>()
  const held = new Set<(disposition: Disposition) => void>()
  let max = 0
  let atOnce = 0
  let ended = 0
  let stopping = false

  async function handle(job: ClaimedJob, release: () => void): Promise<void> {
    atOnce += 1
    max = Math.max(max, atOnce)
    const { promise, resolve } = Promise.withResolvers<Disposition>()
    running.push({ job, release, settle: resolve })
    held.add(resolve)
    waiting.get(running.length)?.()
    try {
      const ending = typeof result === 'function' ? result(job) : result
      // Jobs claimed while the test was ending have nobody left to settle them.
      await settle(job, ending ?? (stopping ? 'done' : await promise))
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
    max: () => max,
    reports,
    async begins(count) {
      await eventually(async () => running.length >= count)
      assert.ok(running.length >= count, `${count} awaited; started: ${order().join(', ')}; ${reports.join(', ')}`)
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
