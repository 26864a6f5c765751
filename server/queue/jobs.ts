import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { type ClaimedJob, type Job, receives } from './queue.ts'

/**
 * The jobs of the PostgreSQL engine: rows beside the records they are about, so that both change in one statement. All
 * times are the database's own.
 */

/** The part of a statement that puts what `opened` returns (id, organization_id, round) on the queue. */
export function enqueueJobs(opened: Sql, { delaySeconds = 0 } = {}): Sql {
  return sql`
    insert into delivery_jobs (delivery_id, organization_id, round, due_at)
    select id, organization_id, round, now() + ${delaySeconds}::float8 * interval '1 second' from ${opened}
    on conflict (delivery_id) do update set round = excluded.round, receives = 0, due_at = excluded.due_at,
      leased_until = null, claimed_at = null, queued_at = now()
      where delivery_jobs.round < excluded.round`
}

/** A process claims as many jobs as it has places for, and not more of an organization than it has places for that one. */
export type Places = { free: number; perOrganization: number; ofOrganizations: ReadonlyMap<string, number> }

export type Claim = {
  jobs: ClaimedJob[] /** Where the next claim goes on; empty once every organization was asked. */
  next: string
}

const organizationsAtOnce = 128

/**
 * Claims jobs that are due. It goes from organization to organization instead of through all that waits, so that what
 * one has piled up is not read to find the job of another; each gives its oldest, the same number of them. A claim counts
 * the receive and leases the job, and is committed before the request leaves: a crash cannot hide an attempt. Where a
 * lease has run out, the attempt that nobody reported gets its row in the history.
 */
export async function claimJobs(
  database: Queryable,
  { after, places, leaseSeconds }: { after: string; places: Places; leaseSeconds: number },
): Promise<Claim> {
  const rows = await database.query<ClaimRow>(sql`
    with recursive asked (organization_id, number) as (
      (select organization_id, 1 from delivery_jobs where organization_id > ${after} order by organization_id limit 1)
      union all
      select next.organization_id, number + 1 from asked cross join lateral (
        select j.organization_id from delivery_jobs j where j.organization_id > asked.organization_id
        order by j.organization_id limit 1
      ) next
      where number < ${organizationsAtOnce}
    ), able as materialized (
      select asked.organization_id, oldest.*, coalesce(taken.places, ${places.perOrganization}::int) as places
      from asked cross join lateral (
        select ${availableAt} as available_at, j.delivery_id from delivery_jobs j
        where j.organization_id = asked.organization_id order by ${availableAt}, j.delivery_id limit 1
      ) oldest
      left join unnest(${[...places.ofOrganizations.keys()]}::text[], ${[...places.ofOrganizations.values()]}::int[])
        as taken (organization_id, places) on taken.organization_id = asked.organization_id
      where oldest.available_at <= now() and coalesce(taken.places, 1) > 0
    ), due as materialized (
      select job.* from (
        select able.*, ceil(${places.free}::int / count(*) over ()::float8) as share from able
        order by available_at, delivery_id
      ) able cross join lateral (
        select delivery_id, ${availableAt} as available_at, receives, claimed_at from delivery_jobs j
        where j.organization_id = able.organization_id and ${availableAt} <= now()
        order by ${availableAt}, delivery_id limit least(able.share, able.places) for update skip locked
      ) job
      limit ${places.free}::int
    ), claimed as (
      update delivery_jobs j set receives = least(j.receives + 1, ${receives + 1}), claimed_at = now(),
        leased_until = now() + ${leaseSeconds}::float8 * interval '1 second'
      from due where j.delivery_id = due.delivery_id
      returning j.delivery_id, j.organization_id, j.round, j.receives, due.available_at, due.receives as interrupted,
        due.claimed_at as interrupted_at
    ), unreported as (
      insert into delivery_attempts (delivery_id, round, number, started_at)
      select c.delivery_id, c.round, c.interrupted + d.earlier_attempts, c.interrupted_at
      from claimed c cross join lateral (
        select earlier_attempts from deliveries where id = c.delivery_id limit 1
      ) d
      where c.interrupted_at is not null and c.interrupted between 1 and ${receives}
      on conflict (delivery_id, number) do nothing
    )
    select asked.count as asked, asked.last, c.delivery_id as "deliveryId", c.organization_id as "organizationId",
      c.round, c.receives as receive
    from (select count(*)::int, max(organization_id) as last from asked) asked
    left join claimed c on true
    order by c.available_at, c.delivery_id`)
  const [first] = rows
  return {
    jobs: rows.flatMap(({ deliveryId, organizationId, round, receive }) =>
      deliveryId === null ? [] : [{ deliveryId, organizationId, round, receive }],
    ),
    next: first && first.asked === organizationsAtOnce ? (first.last ?? '') : '',
  }
}

type ClaimRow = { asked: number; last: string | null } & (ClaimedJob | { [Field in keyof ClaimedJob]: null })

/** Worded like the index. */
const availableAt = sql`coalesce(j.leased_until, j.due_at)`

/** Holds jobs that take long a while longer. One that another process has claimed meanwhile is left alone. */
export async function renewLeases(
  database: Queryable,
  jobs: readonly ClaimedJob[],
  leaseSeconds: number,
): Promise<void> {
  await database.query(sql`
    update delivery_jobs j set leased_until = now() + ${leaseSeconds}::float8 * interval '1 second'
    from unnest(${jobs.map(({ deliveryId }) => deliveryId)}::text[], ${jobs.map(({ round }) => round)}::int[],
      ${jobs.map(({ receive }) => Math.min(receive, receives + 1))}::int[]) as held (delivery_id, round, receives)
    where j.delivery_id = held.delivery_id and j.round = held.round and j.receives = held.receives
      and j.leased_until is not null`)
}

/**
 * The parts of a statement that settle the jobs of what `settled` says became of them. Whoever has lost its lease to
 * another no longer decides about the job, except that an event that arrived, was rejected or canceled ends the matter.
 * The CTE `ended` has the jobs that are gone; `overtaken` are those that another worker was at.
 */
export function settleJobs(settled: Sql): Sql {
  return sql`
    ended as (
      delete from delivery_jobs j using ${settled} s
      where j.delivery_id = s."deliveryId" and (s.outcome = 'delivered' or (j.round = s.round and (
        s.outcome in ('rejected', 'canceled') or (s.outcome in ('exhausted', 'dropped') and j.receives = s.receive)
      )))
      returning j.delivery_id, j.round, least(j.receives, ${receives}) as receives, j.claimed_at,
        j.leased_until is not null and (j.round, j.receives) <> (s.round, s.receive) as overtaken
    ), postponed as (
      update delivery_jobs j set due_at = now() + s.delay * interval '1 second', leased_until = null, claimed_at = null,
        receives = j.receives - case when s.counted then 0 else 1 end
      from ${settled} s
      where j.delivery_id = s."deliveryId" and j.round = s.round and j.receives = s.receive and s.outcome = 'postponed'
    )`
}

/**
 * How many attempts the round of a delivery `d` has made, for whoever shows it: while one is under way, its job has
 * counted it and its record has not.
 */
export const attemptsSoFar = sql`case when d.status = 'PENDING' then greatest(d.attempts, (
  select least(j.receives, ${receives}) from delivery_jobs j where j.delivery_id = d.id and j.round = d.round
)) else d.attempts end`

/** When the next attempt at a delivery `d` is due. */
export const nextAttemptAt = sql`(
  select j.due_at from delivery_jobs j where j.delivery_id = d.id and j.round = d.round and j.leased_until is null
)`

/** Deliveries that have no job yet get one. */
export async function addJobs(database: Queryable, jobs: readonly Job[]): Promise<void> {
  await database.query(sql`
    insert into delivery_jobs (delivery_id, organization_id, round)
    select * from unnest(${jobs.map(({ deliveryId }) => deliveryId)}::text[],
      ${jobs.map(({ organizationId }) => organizationId)}::text[], ${jobs.map(({ round }) => round)}::int[])
    on conflict do nothing`)
}

export async function removeJobs(database: Queryable, deliveryIds: readonly string[]): Promise<void> {
  await database.query(sql`delete from delivery_jobs where delivery_id = any(${deliveryIds})`)
}

/** For whoever knows to be the only process: what an earlier one left leased is available at once. */
export async function releaseLeases(database: Queryable): Promise<void> {
  await database.query(sql`update delivery_jobs set leased_until = now() where leased_until > now()`)
}

/** Times that the database's clock, while it was ahead, has set further off than ever happens. */
export async function healTimes(database: Queryable, longestSeconds: number): Promise<void> {
  const impossible = sql`now() + ${longestSeconds}::float8 * interval '1 second'`
  await database.query(sql`
    update delivery_jobs set due_at = least(due_at, now()),
      leased_until = case when leased_until is not null then least(leased_until, now()) end
    where due_at > ${impossible} or leased_until > ${impossible}`)
}
