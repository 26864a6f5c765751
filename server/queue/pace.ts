import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import type { ClaimedJob } from './queue.ts'

/**
 * How fast an organization's events may be sent, over all processes: at most so many a second, and not at all while its
 * receiver has asked for a pause. Sending takes a turn, and a turn is free again a second after the response. Whenever
 * the receiver counted the request, it was before that response, so it never counts more than the limit in any second.
 *
 * The PostgreSQL engine takes the turn in the statement that claims the job. A job that was claimed without one gets it
 * right before its request leaves, or waits.
 */

export const maxPerSecondLimit = 1_000

/** SQL: how many turns a second the pace `p` allows. Null: no limit. */
export const perSecond = sql`least(p.max_per_second, case when p.slow_until > now() then p.slow_per_second end)`

/** SQL fragments by which a claim keeps the paces. `version` must be in `ready`: it is null without a limit. */
export type PaceGate = {
  version: Sql
  slots: Sql
  lookup: Sql
  isOpen: Sql
  locks: Sql
  hasTurns: Sql
  record: Sql
  holdsTurn: Sql
}

/** For when no organization has a pace: claims are on the hot path, so they don't even look. */
export const openGate: PaceGate = {
  version: sql`null::bigint`,
  slots: sql`null::int`,
  lookup: sql``,
  isOpen: sql`true`,
  locks: sql``,
  hasTurns: sql`true`,
  record: sql``,
  holdsTurn: sql`false`,
}

/** For the organizations in `visited`, the jobs in `claimed`. */
export function paceGate(leaseSeconds: number): PaceGate {
  return {
    version: sql`pace.version`,
    slots: sql`pace.per_second - turns.taken`,
    lookup: sql`
      left join lateral (
        -- The limit makes the planner look each one up by key.
        select p.paused_until, ${perSecond} as per_second, case when ${perSecond} is not null then p.version end as version
        from endpoint_paces p where p.organization_id = visited.organization_id limit 1
      ) pace on true
      left join lateral (
        select ${takenTurns(sql`visited.organization_id`)} as taken where pace.per_second is not null
      ) turns on true`,
    isOpen: sql`coalesce(pace.paused_until <= now(), true) and coalesce(pace.per_second > turns.taken, true)`,
    locks: sql`
      , locked as materialized (
        select p.organization_id, p.version from endpoint_paces p
        where p.organization_id = any(array(select organization_id from ready where version is not null))
        for update skip locked
      ), paced as materialized (
        -- The lock sees turns that this statement does not: then the version differs.
        select organization_id from locked join ready using (organization_id, version)
      )`,
    hasTurns: sql`version is null or organization_id in (select organization_id from paced)`,
    record: sql`, ${recordTurns(sql`claimed`, sql`paced`, leaseSeconds)}`,
    holdsTurn: sql`c.organization_id in (select organization_id from paced)`,
  }
}

/** SQL: how many turns of an organization are taken. */
function takenTurns(organizationId: Sql): Sql {
  return sql`(select count(*)::int from pace_turns t where t.organization_id = ${organizationId} and t.free_at > now())`
}

/** SQL fragments that record the turns of the jobs in `claimed` whose organization is in `paced`. */
function recordTurns(claimed: Sql, paced: Sql, leaseSeconds: number): Sql {
  return sql`
    taken as (
      insert into pace_turns (delivery_id, round, receive, organization_id, free_at)
      select c.delivery_id, c.round, c.receives, c.organization_id, now() + ${leaseSeconds}::float8 * interval '1 second'
      from ${claimed} c where c.organization_id in (select organization_id from ${paced})
      on conflict (delivery_id, round, receive) do update set free_at = excluded.free_at
      returning delivery_id, organization_id
    ), counted as (
      update endpoint_paces p set version = p.version + 1
      where p.organization_id = any(array(select organization_id from taken))
    )`
}

// Longer than any request takes.
const turnSeconds = 10
const contendedSeconds = 0.1

export type Turn = { taken: true } | { taken: false; waitSeconds: number }

/** Takes a turn for a job that was claimed without one. Without a limit there is nothing to take. */
export async function takeTurn(database: Queryable, job: ClaimedJob): Promise<Turn> {
  const { deliveryId, organizationId, round, receive } = job
  const [row] = await database.query<{ taken: boolean; waitSeconds: number }>(sql`
    with pace as (
      select p.organization_id, p.version, ${perSecond} as per_second from endpoint_paces p
      where p.organization_id = ${organizationId}
    ), locked as materialized (
      select organization_id, version from endpoint_paces where organization_id = ${organizationId} for update
    ), paced as materialized (
      -- The lock sees turns that this statement does not: then the version differs.
      select pace.organization_id from pace join locked using (organization_id, version)
      where pace.per_second > ${takenTurns(sql`${organizationId}`)}
    ), job as (
      select ${deliveryId}::text as delivery_id, ${round}::int as round, ${receive}::int as receives,
        ${organizationId}::text as organization_id
    ), ${recordTurns(sql`job`, sql`paced`, turnSeconds)}
    select exists (select from taken) or pace.per_second is null as taken, coalesce((
      select extract(epoch from min(t.free_at) - now())::float8 from pace_turns t
      where t.organization_id = pace.organization_id and t.free_at > now()
    ), 0) as "waitSeconds"
    from pace`)
  if (!row || row.taken) return { taken: true }
  // Turns in use have no end yet; most end long before their worker counts as dead.
  return { taken: false, waitSeconds: Math.min(1, Math.max(contendedSeconds, row.waitSeconds)) }
}

export async function renewTurns(database: Queryable, jobs: readonly ClaimedJob[], seconds: number): Promise<void> {
  if (jobs.length === 0) return
  await database.query(sql`
    update pace_turns t set free_at = now() + ${seconds}::float8 * interval '1 second' from ${turnsOf(jobs)}
    where t.delivery_id = held.delivery_id and t.round = held.round and t.receive = held.receive`)
}

/** What became of a turn. A request that never left gives it back at once; a success speeds up a slow start. */
export type EndedTurn = { job: ClaimedJob; sent: boolean; delivered: boolean }

export async function endTurns(database: Queryable, turns: readonly EndedTurn[]): Promise<void> {
  const sent = turns.filter((turn) => turn.sent).map(({ job }) => job)
  const unsent = turns.filter((turn) => !turn.sent).map(({ job }) => job)
  const organizations = turns.map(({ job }) => job.organizationId)
  const delivered = turns.filter((turn) => turn.delivered).map(({ job }) => job.organizationId)
  await database.query(sql`
    with ended as (
      update pace_turns t set free_at = now() + interval '1 second' from ${turnsOf(sent)}
      where t.delivery_id = held.delivery_id and t.round = held.round and t.receive = held.receive
    ), returned as (
      delete from pace_turns t using ${turnsOf(unsent)}
      where t.delivery_id = held.delivery_id and t.round = held.round and t.receive = held.receive
    ), over as (
      delete from pace_turns t where t.organization_id = any(${organizations}) and t.free_at <= now()
        and t.delivery_id <> all(${turns.map(({ job }) => job.deliveryId)})
    ), successes as (
      select organization_id, count(*)::int as count from unnest(${delivered}::text[]) as s (organization_id)
      group by organization_id
    ), locked as materialized (
      -- Always in the same order, to prevent deadlocks.
      select organization_id from endpoint_paces where organization_id = any(${delivered})
        and slow_until > now() and coalesce(paused_until, now()) <= now() order by organization_id for update
    )
    update endpoint_paces p
    set slow_per_second = least(p.slow_per_second + s.count, coalesce(p.slow_ceiling, ${maxPerSecondLimit}))
    from successes s join locked using (organization_id)
    where p.organization_id = s.organization_id`)
}

function turnsOf(jobs: readonly ClaimedJob[]): Sql {
  return sql`unnest(${jobs.map(({ deliveryId }) => deliveryId)}::text[], ${jobs.map(({ round }) => round)}::int[],
    ${jobs.map(({ receive }) => receive)}::int[]) as held (delivery_id, round, receive)`
}
