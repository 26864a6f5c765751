import sql, { type Sql } from 'sql-template-tag'
import type { Database, Queryable } from '../database/database.ts'
import type { ClaimedJob } from './queue.ts'

/**
 * How fast an organization's events may be sent, over all processes: up to its limit a second, and not at all while its
 * receiver has asked for a pause. Sending takes a turn, and a turn is free again a second after the response. Whenever
 * the receiver counted the request, it was before that response, so it never counts more than the limit in any second.
 *
 * Both engines take the turn in the statement that claims the job. A job that was claimed before its organization had a
 * limit gets one right before its request leaves, or waits.
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

/**
 * How long until a turn may be free, in seconds. Turns in use have no end yet, and most end long before their worker counts
 * as dead, so there is no point in waiting that long.
 */
export function secondsToTurn(longest: number): Sql {
  return sql`least(${longest}::float8, extract(epoch from (
    select min(t.free_at) from pace_turns t where t.organization_id = p.organization_id and t.free_at > now()
  ) - now())::float8)`
}

// Longer than any request takes.
const turnSeconds = 10
const longestWaitSeconds = 1
const shortestWaitSeconds = 0.1

export type Turn = { taken: true } | { taken: false; waitSeconds: number }

/**
 * Takes turns for jobs that were claimed without one, as many as there are. Without a limit there is nothing to take.
 * The second statement sees every turn that was taken before it got the locks, so nobody is turned away for asking at the
 * same moment as somebody else.
 */
export async function takeTurns(database: Database, jobs: readonly ClaimedJob[]): Promise<Turn[]> {
  const organizations = [...new Set(jobs.map(({ organizationId }) => organizationId))]
  const rows = await database.transaction(async (transaction) => {
    await transaction.query(sql`
      select from endpoint_paces where organization_id = any(${organizations})
      -- Always in the same order, to prevent deadlocks.
      order by organization_id for update`)
    return transaction.query<TurnRow>(sql`
      with asked as (
        select asked.*, ${perSecond} as per_second,
          row_number() over (partition by asked.organization_id order by asked.number) as position
        from unnest(${jobs.map(({ deliveryId }) => deliveryId)}::text[], ${jobs.map(({ round }) => round)}::int[],
          ${jobs.map(({ receive }) => receive)}::int[], ${jobs.map(({ organizationId }) => organizationId)}::text[])
          with ordinality as asked (delivery_id, round, receives, organization_id, number)
        join endpoint_paces p on p.organization_id = asked.organization_id
      ), granted as materialized (
        select * from asked where position <= per_second - ${takenTurns(sql`asked.organization_id`)}
      ), ${recordTurns(sql`granted`, sql`granted`, turnSeconds)}
      select asked.number::int, asked.per_second is null or granted.number is not null as taken,
        ${secondsToTurn(longestWaitSeconds)} as "waitSeconds"
      from asked join endpoint_paces p on p.organization_id = asked.organization_id left join granted using (number)`)
  })
  const byNumber = new Map(rows.map((row) => [row.number, row]))
  return jobs.map((_, index) => {
    const row = byNumber.get(index + 1)
    if (!row || row.taken) return { taken: true }
    return { taken: false, waitSeconds: Math.max(shortestWaitSeconds, row.waitSeconds) }
  })
}

type TurnRow = { number: number; taken: boolean; waitSeconds: number }

/** Leaves turns alone that are about to be free: their requests have ended, even if the jobs are not settled yet. */
export async function renewTurns(database: Queryable, jobs: readonly ClaimedJob[], seconds: number): Promise<void> {
  if (jobs.length === 0) return
  await database.query(sql`
    with kept as materialized (
      select t.delivery_id, t.round, t.receive from pace_turns t join ${turnsOf(jobs)} using (delivery_id, round, receive)
      where t.free_at > now() + interval '2 seconds'
      -- A locked one is being ended.
      for update of t skip locked
    )
    update pace_turns t set free_at = now() + ${seconds}::float8 * interval '1 second' from kept
    where t.delivery_id = kept.delivery_id and t.round = kept.round and t.receive = kept.receive`)
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
