import sql from 'sql-template-tag'
import type { Database, Queryable } from '../server/database/database.ts'
import type { ClaimedJob } from '../server/queue/queue.ts'

/** Everything tests read and change in the PostgreSQL engine's table. No test names that table itself. */

export type StoredJob = {
  deliveryId: string
  organizationId: string
  round: number
  receives: number
  leased: boolean
  dueInSeconds: number
}

export async function readJobs(database: Queryable): Promise<StoredJob[]> {
  return database.query(sql`
    select delivery_id as "deliveryId", organization_id as "organizationId", round, receives,
      leased_until is not null as leased, extract(epoch from due_at - now())::float8 as "dueInSeconds"
    from delivery_jobs order by coalesce(leased_until, due_at), delivery_id`)
}

export async function readJob(database: Queryable, deliveryId: string): Promise<StoredJob | null> {
  return (await readJobs(database)).find((job) => job.deliveryId === deliveryId) ?? null
}

/** Claims one delivery's job, due or not, as a worker on the real queue would. */
export async function claimJob(
  database: Queryable,
  deliveryId: string,
  { receive }: { receive?: number } = {},
): Promise<ClaimedJob> {
  const [job] = await database.query<ClaimedJob>(sql`
    update delivery_jobs set receives = coalesce(${receive ?? null}::int, least(receives + 1, 5)), claimed_at = now(),
      leased_until = now() + interval '1 hour'
    where delivery_id = ${deliveryId}
    returning delivery_id as "deliveryId", organization_id as "organizationId", round, receives as receive`)
  if (!job) throw new Error(`${deliveryId} has no job`)
  return job
}

/** Moves the queue's clock forward: due times and leases up to that far ahead have now passed. */
export async function elapse(database: Queryable, seconds: number): Promise<void> {
  await database.query(sql`
    update delivery_jobs set due_at = due_at - ${seconds}::float8 * interval '1 second',
      queued_at = queued_at - ${seconds}::float8 * interval '1 second',
      leased_until = leased_until - ${seconds}::float8 * interval '1 second'`)
}

/** Moves the clock of all pauses and turns forward. */
export async function elapsePaces(database: Queryable, seconds: number): Promise<void> {
  const past = sql`${seconds}::float8 * interval '1 second'`
  await database.query(sql`
    update endpoint_paces set paused_until = paused_until - ${past}, slow_until = slow_until - ${past},
      asked_at = asked_at - ${past}`)
  await database.query(sql`update pace_turns set free_at = free_at - ${past}`)
}

/** Makes the job look as if its worker had died. */
export async function expireLease(database: Queryable, deliveryId: string): Promise<void> {
  await database.query(sql`update delivery_jobs set leased_until = now() where delivery_id = ${deliveryId}`)
}

export async function removeAllJobs(database: Queryable): Promise<void> {
  await database.query(sql`delete from delivery_jobs`)
}

/** Makes every queue operation fail until the returned function is called. */
export async function breakQueue(database: Database): Promise<() => Promise<void>> {
  await database.script('alter table delivery_jobs rename to delivery_jobs_away')
  return () => database.script('alter table delivery_jobs_away rename to delivery_jobs')
}
