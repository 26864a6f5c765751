import sql from 'sql-template-tag'
import type { Database, Queryable } from '../database/database.ts'
import { newestDeliveries } from './delivery-table.ts'

type Counts = { delivered: number; pending: number; failed: number }

export type DeliveryHealth = Counts & {
  since: string
  /** The end of the last bucket. */
  until: string
  /** 0 to 1, of the finished deliveries; null if there are none. */
  successRate: number | null
  answerMilliseconds: { p50: number; p95: number } | null
  buckets: (Counts & { at: string })[]
}

const halfHour = 30 * 60_000
const bucketCount = 48
// By then, a delivery opened at the very end of a half hour has been committed, so its count can be stored.
const settledAfter = 5 * 60_000

/** Counts the deliveries opened in the current half hour and the 47 before it, by status. */
export async function deliveryHealth(database: Database, organizationId: string, now: Date): Promise<DeliveryHealth> {
  const current = Math.floor(now.getTime() / halfHour) * halfHour
  const starts = Array.from({ length: bucketCount }, (_, index) => current - (bucketCount - 1 - index) * halfHour)
  const since = new Date(starts[0] ?? current)

  const opened = await readOpenedCounts(database, organizationId, since)
  const firstUnstored = starts.find((at) => !opened.has(at)) ?? current
  const counts = await countByStatus(database, organizationId, since, new Date(firstUnstored))
  const buckets = starts.map((at) => {
    const { delivered = 0, pending = 0, failed = 0 } = counts.get(at) ?? {}
    const total = at < firstUnstored ? opened.get(at) : undefined
    return { at, delivered: total === undefined ? delivered : total - pending - failed, pending, failed }
  })
  await storeOpenedCounts(
    database,
    organizationId,
    buckets.filter(({ at }) => at >= firstUnstored && at + halfHour + settledAfter <= now.getTime()),
  )

  const sum = (of: keyof Counts) => buckets.reduce((total, bucket) => total + bucket[of], 0)
  const [delivered, pending, failed] = [sum('delivered'), sum('pending'), sum('failed')]
  return {
    since: since.toISOString(),
    until: new Date(current + halfHour).toISOString(),
    delivered,
    pending,
    failed,
    successRate: delivered + failed === 0 ? null : delivered / (delivered + failed),
    answerMilliseconds: await answerTimes(database, organizationId, since),
    buckets: buckets.map((bucket) => ({ ...bucket, at: new Date(bucket.at).toISOString() })),
  }
}

async function readOpenedCounts(
  database: Queryable,
  organizationId: string,
  since: Date,
): Promise<Map<number, number>> {
  const rows = await database.query<{ at: string; opened: number }>(sql`
    select at, opened from delivery_half_hours where organization_id = ${organizationId} and at >= ${since}`)
  return new Map(rows.map(({ at, opened }) => [Date.parse(at), opened]))
}

/**
 * Failed and pending deliveries over the whole time. Delivered ones, the most numerous, only since `deliveredSince`:
 * before that they follow from the stored totals.
 */
async function countByStatus(
  database: Queryable,
  organizationId: string,
  since: Date,
  deliveredSince: Date,
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
      where organization_id = ${organizationId} and status = 'DELIVERED' and created_at >= ${deliveredSince}
    ) d group by 1`)
  return new Map(rows.map(({ at, ...counts }) => [Date.parse(at), counts]))
}

async function storeOpenedCounts(
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

/** Response times over the newest thousand deliveries, which is enough for a stable figure. */
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
