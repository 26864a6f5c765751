import sql from 'sql-template-tag'
import type { Database, Queryable } from '../database/database.ts'
import { type AttemptCounts, readAttemptCounts } from './attempt-counts.ts'
import { newestDeliveries } from './delivery-table.ts'

export type DeliveryHealth = {
  since: string
  /** The end of the last interval. */
  until: string
  /** Deliveries opened in this time, by what they are now. */
  delivered: number
  pending: number
  /** How many of the pending ones failed before and are being retried. */
  retrying: number
  failed: number
  /** 0 to 1, of the attempts made in this time; null if there are none. A later Retry does not change it. */
  successRate: number | null
  answerMilliseconds: { p50: number; p95: number } | null
  intervalMinutes: number
  /** Attempts by outcome, oldest first; `at` is when an interval begins. */
  buckets: (AttemptCounts & { at: string })[]
}

const halfHour = 30 * 60_000
const day = 48 * halfHour
/** Counts are kept for this long. */
export const maxHealthDays = 31

// By then, a delivery opened at the very end of a half hour has been committed, so its count can be stored.
const settledAfter = 5 * 60_000

/** Of the whole intervals that cover the time from `from` to `to`. */
export async function deliveryHealth(
  database: Database,
  organizationId: string,
  { from, to }: { from: Date; to: Date },
  now: Date,
): Promise<DeliveryHealth> {
  const interval = intervalFor(to.getTime() - from.getTime())
  const since = new Date(Math.floor(from.getTime() / interval) * interval)
  const until = new Date(Math.ceil(to.getTime() / interval) * interval)
  const span = { since, until }

  const opened = await countOpened(database, organizationId, span, now)
  const { pending, retrying, failed } = await countUnfinished(database, organizationId, span)
  const attempts = await readAttemptCounts(database, organizationId, { ...span, interval })
  const count = (until.getTime() - since.getTime()) / interval
  const buckets = Array.from({ length: count }, (_, index) => {
    const at = since.getTime() + index * interval
    return { at: new Date(at).toISOString(), ...(attempts.get(at) ?? { delivered: 0, failed: 0 }) }
  })
  const succeeded = buckets.reduce((sum, { delivered }) => sum + delivered, 0)
  const made = buckets.reduce((sum, bucket) => sum + bucket.delivered + bucket.failed, 0)
  return {
    since: since.toISOString(),
    until: until.toISOString(),
    delivered: Math.max(0, opened - pending - failed),
    pending,
    retrying,
    failed,
    successRate: made === 0 ? null : succeeded / made,
    answerMilliseconds: await answerTimes(database, organizationId, span),
    intervalMinutes: interval / 60_000,
    buckets,
  }
}

/** Some fifty intervals, whatever the time. */
export function intervalFor(milliseconds: number): number {
  if (milliseconds <= 2 * day) return halfHour
  return milliseconds <= 8 * day ? 4 * 2 * halfHour : day / 2
}

type Span = { since: Date; until: Date }

/**
 * Failed and pending deliveries are few and counted every time. Delivered ones, the most numerous, follow from the number
 * opened, which is stored per half hour the first time it is needed.
 */
async function countOpened(database: Database, organizationId: string, span: Span, now: Date): Promise<number> {
  const known = await readOpenedCounts(database, organizationId, span)
  const missing = []
  for (let at = span.since.getTime(); at < span.until.getTime(); at += halfHour) if (!known.has(at)) missing.push(at)
  const [first] = missing
  const last = missing.at(-1)
  if (first === undefined || last === undefined) return sum(known.values())

  const rows = await database.query<{ at: string; opened: number }>(sql`
    select date_bin('30 minutes', created_at, 'epoch') as at, count(*) as opened from deliveries
    where organization_id = ${organizationId} and status in ('DELIVERED', 'PENDING', 'FAILED')
      and created_at >= ${new Date(first)} and created_at < ${new Date(last + halfHour)}
    group by 1`)
  const counted = new Map(rows.map(({ at, opened }) => [Date.parse(at), opened]))
  for (const at of missing) known.set(at, counted.get(at) ?? 0)
  const settled = missing.filter((at) => at + halfHour + settledAfter <= now.getTime())
  await storeOpenedCounts(
    database,
    organizationId,
    settled.map((at) => ({ at, opened: known.get(at) ?? 0 })),
    now,
  )
  return sum(known.values())
}

function sum(counts: Iterable<number>): number {
  return [...counts].reduce((total, count) => total + count, 0)
}

async function readOpenedCounts(
  database: Queryable,
  organizationId: string,
  { since, until }: Span,
): Promise<Map<number, number>> {
  const rows = await database.query<{ at: string; opened: number }>(sql`
    select at, opened from delivery_half_hours
    where organization_id = ${organizationId} and at >= ${since} and at < ${until}`)
  return new Map(rows.map(({ at, opened }) => [Date.parse(at), opened]))
}

async function storeOpenedCounts(
  database: Database,
  organizationId: string,
  settled: { at: number; opened: number }[],
  now: Date,
): Promise<void> {
  const oldest = now.getTime() - (maxHealthDays + 1) * day
  const rows = settled.flatMap(({ at, opened }) => (at < oldest ? [] : [{ at: new Date(at), opened }]))
  if (rows.length === 0) return
  await database.transaction(async (transaction) => {
    await transaction.query(sql`
      insert into delivery_half_hours (organization_id, at, opened)
      select ${organizationId}, at, opened
      from json_to_recordset(${JSON.stringify(rows)}::json) as counted (at timestamptz, opened int)
      on conflict do nothing`)
    await transaction.query(sql`
      delete from delivery_half_hours
      where organization_id = ${organizationId} and at < ${new Date(oldest)}`)
  })
}

async function countUnfinished(
  database: Queryable,
  organizationId: string,
  { since, until }: Span,
): Promise<Pick<DeliveryHealth, 'pending' | 'retrying' | 'failed'>> {
  const [counted] = await database.query<Pick<DeliveryHealth, 'pending' | 'retrying' | 'failed'>>(sql`
    select count(*) as pending, count(*) filter (where round > 1) as retrying, (
      select count(*) from deliveries where organization_id = ${organizationId} and status = 'FAILED'
        and created_at >= ${since} and created_at < ${until}
    ) as failed
    from deliveries where organization_id = ${organizationId} and status = 'PENDING'
      and created_at >= ${since} and created_at < ${until}`)
  return counted ?? { pending: 0, retrying: 0, failed: 0 }
}

/** Response times over the newest thousand deliveries, which is enough for a stable figure. */
async function answerTimes(
  database: Queryable,
  organizationId: string,
  { since, until }: Span,
): Promise<DeliveryHealth['answerMilliseconds']> {
  const filter = { from: since, to: until }
  const newest = newestDeliveries({ organizationId, filter, before: null, limit: 1000 })
  const [times] = await database.query<{ p50: number | null; p95: number | null }>(sql`
    select percentile_cont(0.5) within group (order by total_ms) as p50,
      percentile_cont(0.95) within group (order by total_ms) as p95
    from (${newest}) d cross join lateral (
      select total_ms from delivery_attempts a where a.delivery_id = d.id and a.status is not null offset 0
    ) a`)
  return times?.p50 == null || times.p95 == null ? null : { p50: times.p50, p95: times.p95 }
}
