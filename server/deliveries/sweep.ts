import sql from 'sql-template-tag'
import type { Database } from '../database/database.ts'
import { startScheduled } from '../operations/scheduler.ts'
import type { DeliveryQueue, QueuedDelivery } from '../queue/queue.ts'
import { deliveryKey } from './deliveries.ts'

export type SweepDependencies = { database: Database; queue: DeliveryQueue }

export type Swept = { enqueued: number; exhausted: number }

const staleAfter = 60_000
const pageSize = 500

/**
 * Sees to records that nobody else will: PENDING ones untouched for a minute and those whose first enqueue failed get a
 * job, unless they have one; those whose job died in its last receive are FAILED.
 */
export async function sweep({ database, queue }: SweepDependencies, now: Date): Promise<Swept> {
  const swept = { enqueued: 0, exhausted: 0 }
  await queue.mendTimes()
  let after = ''
  for (;;) {
    const page = await waitingDeliveries(database, after, now)
    const last = page.at(-1)
    if (!last) return swept
    after = last.deliveryId
    // Before the dead letters, not after: a job that ends in between then is in one of the two, never in neither.
    const inHand = await queue.inHand(page.map(({ deliveryKey }) => deliveryKey))
    const jobless = page.filter(({ deliveryKey }) => !inHand.has(deliveryKey))
    const dead = await deadAmong(queue, jobless)
    swept.exhausted += await markExhausted(database, [...dead], now)
    swept.enqueued += await queue.enqueueAll(jobless.filter(({ deliveryId }) => !dead.has(deliveryId)))
  }
}

type Waiting = QueuedDelivery & { attempts: number; roundStartedAt: string }

async function waitingDeliveries(database: Database, after: string, now: Date): Promise<Waiting[]> {
  const stale = new Date(now.getTime() - staleAfter)
  // Touched that far ahead of now, it was touched by a process whose clock was wrong, and would wait until then.
  const impossible = new Date(now.getTime() + staleAfter)
  const rows = await database.query<{
    id: string
    resultId: string
    organizationId: string
    attempts: number
    roundStartedAt: string
  }>(sql`
    select id, result_id as "resultId", organization_id as "organizationId", attempts,
      round_started_at as "roundStartedAt"
    from deliveries
    where id > ${after} and (
      (status = 'PENDING' and (updated_at <= ${stale} or updated_at > ${impossible}))
      or (failure_reason = 'ENQUEUE_FAILED' and attempts = 0)
    )
    order by id limit ${pageSize}`)
  return rows.map(({ id, resultId, ...rest }) => ({ deliveryId: id, deliveryKey: deliveryKey(resultId), ...rest }))
}

/**
 * Those without a job whose job reached the dead-letter queue in this round. A dead letter may also be from before a
 * Retry, which began the attempts anew. Times decide only where there has been no attempt: a clock that was put back
 * would turn them round, and four attempts would become eight.
 */
async function deadAmong(queue: DeliveryQueue, jobless: Waiting[]): Promise<Set<string>> {
  const letters = await queue.deadLetters({ deliveryIds: jobless.map(({ deliveryId }) => deliveryId), limit: 10_000 })
  // They come newest first; turned round, the newest of each delivery is the one that stays.
  const died = new Map(letters.toReversed().map(({ deliveryId, deadSince }) => [deliveryId, deadSince]))
  return new Set(
    jobless.flatMap(({ deliveryId, attempts, roundStartedAt }) => {
      const deadSince = died.get(deliveryId)
      return deadSince && (attempts > 0 || deadSince > roundStartedAt) ? [deliveryId] : []
    }),
  )
}

async function markExhausted(database: Database, deliveryIds: string[], now: Date): Promise<number> {
  if (deliveryIds.length === 0) return 0
  const marked = await database.query(sql`
    update deliveries set status = 'FAILED', failure_reason = 'RECEIVES_EXHAUSTED', updated_at = ${now}
    where id = any(${deliveryIds}) and (status = 'PENDING' or failure_reason = 'ENQUEUE_FAILED')
    returning id`)
  return marked.length
}

/** Sweeps every interval, on one process at a time, until it is stopped. */
export function startSweeping(
  dependencies: SweepDependencies & {
    intervalSeconds: number
    clock: () => Date
    done: (swept: Swept) => void
    report: (problem: string, error: unknown) => void
  },
): { stop(): Promise<void> } {
  const { database, intervalSeconds, clock, done, report } = dependencies
  const work = async () => done(await sweep(dependencies, clock()))
  return startScheduled({ database, name: 'sweep', intervalSeconds, clock, work, report })
}
