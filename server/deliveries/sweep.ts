import sql from 'sql-template-tag'
import type { Database } from '../database/database.ts'
import { resetFutureTimes } from '../queue/jobs.ts'
import { removeOldPaces } from '../queue/pauses.ts'
import type { DeliveryQueue, Job } from '../queue/queue.ts'

export type SweepDependencies = { database: Database; queue: Pick<DeliveryQueue, 'enqueue'>; retryDelaySeconds: number }

export type SweepResult = { enqueued: number }

const pageSize = 500

/**
 * Enqueues deliveries that should have a job but don't: PENDING records untouched for a minute, and those whose first
 * enqueue failed. With the PostgreSQL queue a job is written together with its record, so only failed enqueues turn up.
 */
export async function sweep({ database, queue, retryDelaySeconds }: SweepDependencies): Promise<SweepResult> {
  // The longest retry delay is 4.4 times the configured one.
  await resetFutureTimes(database, 120 + 5 * retryDelaySeconds)
  await removeOldPaces(database)
  let enqueued = 0
  let after = ''
  for (;;) {
    const jobs = await deliveriesWithoutJob(database, after)
    const last = jobs.at(-1)
    if (!last) return { enqueued }
    await queue.enqueue(jobs)
    enqueued += jobs.length
    after = last.deliveryId
  }
}

/** Uses only the database's clock. A time in the future was written before that clock was set back. */
async function deliveriesWithoutJob(database: Database, after: string): Promise<Job[]> {
  return database.query(sql`
    select id as "deliveryId", organization_id as "organizationId", round from deliveries d
    where id > ${after} and not exists (select from delivery_jobs j where j.delivery_id = d.id) and (
      (status = 'PENDING' and (updated_at <= now() - interval '1 minute' or updated_at > now() + interval '1 minute'))
      or (failure_reason = 'ENQUEUE_FAILED' and attempts = 0)
    )
    order by id limit ${pageSize}`)
}
