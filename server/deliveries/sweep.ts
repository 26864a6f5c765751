import sql from 'sql-template-tag'
import type { Database } from '../database/database.ts'
import { healTimes } from '../queue/jobs.ts'
import type { DeliveryQueue, Job } from '../queue/queue.ts'

export type SweepDependencies = { database: Database; queue: Pick<DeliveryQueue, 'enqueue'>; retryDelaySeconds: number }

export type Swept = { enqueued: number }

const pageSize = 500

/**
 * Enqueues what should have a job and has none: PENDING records untouched for a minute, and those whose first enqueue
 * failed, with the same keys. On PostgreSQL a job is written together with its record, so this finds something only
 * where an enqueue failed.
 */
export async function sweep({ database, queue, retryDelaySeconds }: SweepDependencies): Promise<Swept> {
  // The last retry comes after four times the delay and a tenth.
  await healTimes(database, 120 + 5 * retryDelaySeconds)
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

/** Times are compared on the database's clock alone. One that lies ahead was written before that clock was put back. */
async function deliveriesWithoutJob(database: Database, after: string): Promise<Job[]> {
  return database.query(sql`
    select id as "deliveryId", organization_id as "organizationId", round from deliveries d
    where id > ${after} and not exists (select from delivery_jobs j where j.delivery_id = d.id) and (
      (status = 'PENDING' and (updated_at <= now() - interval '1 minute' or updated_at > now() + interval '1 minute'))
      or (failure_reason = 'ENQUEUE_FAILED' and attempts = 0)
    )
    order by id limit ${pageSize}`)
}
