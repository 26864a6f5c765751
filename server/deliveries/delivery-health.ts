import sql from 'sql-template-tag'
import type { Database, Queryable } from '../database/database.ts'
import { newestDeliveries } from './delivery-table.ts'

type Counts = { delivered: number; pending: number; failed: number }

export type DeliveryHealth = Counts & {
  since: string
  until: string
  /** 0 to 1, of those that have ended; null while none has. */
  successRate: number | null
  answerMilliseconds: { p50: number; p95: number } | null
  buckets: (Counts & { at: string })[]
}

const halfHour = 30 * 60_000
const bucketCount = 48
// A half hour is taken as complete only then: what was opened in its last moment has been committed by now.
const settledAfter = 5 * 60_000

/** What became of the deliveries opened in this half hour and the 47 before it. */
export async function deliveryHealth(database: Database, organizationId: string, now: Date): Promise<DeliveryHealth> {
  const current = Math.floor(now.getTime() / halfHour) * halfHour
  const starts = Array.from({ length: bucketCount }, (_, index) => current - (bucketCount - 1 - index) * halfHour)
  const since = new Date(starts[0] ?? current)

  const opened = await readOpened(database, organizationId, since)
  const uncounted = starts.find((at) => !opened.has(at)) ?? current
  const counted = await countByStatus(database, organizationId, since, new Date(uncounted))
  const buckets = starts.map((at) => {
    const { delivered = 0, pending = 0, failed = 0 } = counted.get(at) ?? {}
    const known = at < uncounted ? opened.get(at) : undefined
    return { at, delivered: known === undefined ? delivered : known - pending - failed, pending, failed }
  })
  await keepOpened(
    database,
    organizationId,
    buckets.filter(({ at }) => at >= uncounted && at + halfHour + settledAfter <= now.getTime()),
  )

  const sum = (of: keyof Counts) => buckets.reduce((total, bucket) => total + bucket[of], 0)
  const [delivered, pending, failed] = [sum('delivered'), sum('pending'), sum('failed')]
  return {
    since: since.toISOString(),
    until: now.toISOString(),
    delivered,
    pending,
    failed,
    successRate: delivered + failed === 0 ? null : delivered / (delivered + failed),
    answerMilliseconds: await answerTimes(database, organizationId, since),
    buckets: buckets.map((bucket) => ({ ...bucket, at: new Date(bucket.at).toISOString() })),
  }
}

async function readOpened(database: Queryable, organizationId: string, since: Date): Promise<Map<number, number>> {
  const rows = await database.query<{ at: string; opened: number }>(sql`
    select at, opened from delivery_half_hours where organization_id = ${organizationId} and at >= ${since}`)
  return new Map(rows.map(({ at, opened }) => [Date.parse(at), opened]))
}

/** Those that failed or wait over the whole time; those that arrived only where their number does not follow from it. */
async function countByStatus(
  database: Queryable,
  organizationId: string,
  since: Date,
  uncounted: Date,
): Promise<Map<number, Partial<Counts>>> {
  const rows = await database.query<{ at: string } & Counts>(sql`
    select date_bin('30 minutes', created_at, 'epoch') as at,
      count(*) filter (where status = 'DELIVERED') as delivered,
      count(*) filter (where status = 'PENDING') as pending,
      count(*) filter (where status = 'FAILED') as failed
    from (
      select status, created_at from deliveries
      where organization_id = ${organizationId} and status = 'FAILED' and created_at >= ${since}
      union all
      select status, created_at from deliveries
      where organization_id = ${organizationId} and status = 'PENDING' and created_at >= ${since}
      union all
      select status, created_at from deliveries
      where organization_id = ${organizationId} and status = 'DELIVERED' and created_at >= ${uncounted}
    ) d group by 1`)
  return new Map(rows.map(({ at, ...counts }) => [Date.parse(at), counts]))
}

async function keepOpened(
  database: Database,
  organizationId: string,
  settled: (Counts & { at: number })[],
): Promise<void> {
  const [oldest] = settled
  if (!oldest) return
  const rows = settled.map(({ at, delivered, pending, failed }) => ({
    at: new Date(at),
    opened: delivered + pending + failed,
  }))
  await database.transaction(async (transaction) => {
    await transaction.query(sql`
      insert into delivery_half_hours (organization_id, at, opened)
      select ${organizationId}, at, opened
      from json_to_recordset(${JSON.stringify(rows)}::json) as counted (at timestamptz, opened int)
      on conflict do nothing`)
    await transaction.query(sql`
      delete from delivery_half_hours
      where organization_id = ${organizationId} and at < ${new Date(oldest.at - bucketCount * halfHour)}`)
  })
}

/** How long the endpoint took to answer, from the newest thousand deliveries of that time: enough for a steady figure. */
async function answerTimes(
  database: Queryable,
  organizationId: string,
  since: Date,
): Promise<DeliveryHealth['answerMilliseconds']> {
  const newest = newestDeliveries({ organizationId, filter: { from: since }, before: null, limit: 1000 })
  const [times] = await database.query<{ p50: number | null; p95: number | null }>(sql`
    select percentile_cont(0.5) within group (order by total_ms) as p50,
      percentile_cont(0.95) within group (order by total_ms) as p95
    from (${newest}) d cross join lateral (
      select total_ms from delivery_attempts a where a.delivery_id = d.id and a.status is not null offset 0
    ) a`)
  return times?.p50 == null || times.p95 == null ? null : { p50: times.p50, p95: times.p95 }
}
