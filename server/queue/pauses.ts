import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { maxPerSecondLimit, perSecond } from './pace.ts'

const longestPauseSeconds = 900
// How long a receiver that asked for a pause is spared after it.
const slowSeconds = 3_600

/** Sends nothing for these seconds, then starts again with one event a second. */
export async function pauseOrganization(database: Queryable, organizationId: string, seconds: number): Promise<void> {
  const wait = Math.min(Math.max(seconds, 1), longestPauseSeconds)
  await database.query(sql`
    insert into endpoint_paces as p (organization_id, paused_until, slow_until, slow_per_second, asked_at)
    values (${organizationId}, now() + ${wait}::float8 * interval '1 second',
      now() + ${wait + slowSeconds}::float8 * interval '1 second', 1, now())
    on conflict (organization_id) do update set paused_until = greatest(p.paused_until, excluded.paused_until),
      slow_until = excluded.slow_until, slow_per_second = 1, asked_at = excluded.asked_at,
      -- Requests that were under way together ask together. A new pause learns its own ceiling.
      slow_ceiling = case when p.paused_until > now() then p.slow_ceiling end`)
}

// Deliveries of the last seconds are among the newest attempts.
const newestAttempts = 2_000

/**
 * Sets how fast a slow start may get: half of what the receiver accepted around the moment it asked for the pause. Half,
 * because that may have been the end of one of its windows and the start of the next. If it accepted nothing, nothing is
 * known, and the next pause tells more.
 */
export async function learnCeiling(database: Queryable, organizationId: string): Promise<void> {
  await database.query(sql`
    with accepted as (
      select count(*)::int as count
      from (select distinct delivery_id from (
        select delivery_id from delivery_attempts order by id desc limit ${newestAttempts}
      ) a) newest
      cross join endpoint_paces p
      cross join lateral (
        select from deliveries d where d.id = newest.delivery_id and d.organization_id = ${organizationId}
          and d.delivered_at between p.asked_at - interval '1 second' and p.asked_at + interval '1 second' limit 1
      ) d
      where p.organization_id = ${organizationId}
    )
    update endpoint_paces p
    set slow_ceiling = least(greatest(p.slow_ceiling, accepted.count / 2, 1), ${maxPerSecondLimit})
    from accepted where p.organization_id = ${organizationId} and p.slow_until is not null and accepted.count > 0`)
}

export type Pace = {
  maxPerSecond: number | null
  /** The receiver asked for a pause until then. Null: it did not, or the pause is over. */
  pausedUntil: string | null
  /** Events a second right now, the admin's limit included. Null: no limit. */
  perSecond: number | null
}

export async function readPace(database: Queryable, organizationId: string): Promise<Pace> {
  const [pace] = await database.query<Pace>(sql`
    select p.max_per_second as "maxPerSecond", case when p.paused_until > now() then p.paused_until end as "pausedUntil",
      ${perSecond} as "perSecond"
    from endpoint_paces p where p.organization_id = ${organizationId}`)
  return pace ?? { maxPerSecond: null, pausedUntil: null, perSecond: null }
}

/** How many organizations are paused right now. Only those with a pace have a row. */
export async function countPauses(database: Queryable): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select count(*)::int from endpoint_paces where paused_until > now()`)
  return row?.count ?? 0
}

/** Null removes the limit. */
export async function setMaxPerSecond(
  database: Queryable,
  organizationId: string,
  maxPerSecond: number | null,
): Promise<void> {
  await database.query(sql`
    insert into endpoint_paces (organization_id, max_per_second) values (${organizationId}, ${maxPerSecond})
    on conflict (organization_id) do update set max_per_second = excluded.max_per_second`)
}

export async function removePace(database: Queryable, organizationId: string): Promise<void> {
  await database.query(sql`delete from endpoint_paces where organization_id = ${organizationId}`)
}

/** For an endpoint that is saved again: it may be another receiver now. */
export async function endPause(database: Queryable, organizationId: string): Promise<void> {
  await database.query(sql`
    update endpoint_paces set paused_until = null, slow_until = null, slow_per_second = null, slow_ceiling = null,
      asked_at = null
    where organization_id = ${organizationId}`)
}

/** Deletes paces and turns that say nothing anymore, and those from before the database's clock was set back. */
export async function removeOldPaces(database: Queryable): Promise<void> {
  await database.query(sql`
    update endpoint_paces set paused_until = null
    where paused_until > now() + ${longestPauseSeconds + 60}::float8 * interval '1 second'`)
  await database.query(sql`
    delete from endpoint_paces where max_per_second is null and coalesce(paused_until <= now(), true)
      and (coalesce(slow_until <= now(), true) or slow_per_second = ${maxPerSecondLimit})`)
  await database.query(sql`
    delete from pace_turns where free_at <= now() or free_at > now() + interval '1 minute'`)
}
