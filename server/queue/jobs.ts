import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { openGate, paceGate } from './pace.ts'
import { type ClaimedJob, type Job, receives } from './queue.ts'

/**
 * The jobs of the PostgreSQL engine. They live next to the delivery records so that one statement can change both. All
 * times are from the database's clock.
 */

/** SQL fragment that enqueues what `opened` returns (id, organization_id, round). */
export function enqueueJobs(opened: Sql, { delaySeconds = 0 } = {}): Sql {
  return sql`
    insert into delivery_jobs (delivery_id, organization_id, round, due_at)
    select id, organization_id, round, now() + ${delaySeconds}::float8 * interval '1 second' from ${opened}
    on conflict (delivery_id) do update set round = excluded.round, receives = 0, due_at = excluded.due_at,
      leased_until = null, claimed_at = null, queued_at = now()
      where delivery_jobs.round < excluded.round`
}

/** `perOrganization` applies to organizations that are not in `freeByOrganization`. */
export type Slots = { free: number; perOrganization: number; freeByOrganization: ReadonlyMap<string, number> }

export type Claim = {
  jobs: ClaimedJob[]
  /** Where the next claim continues; empty once every organization has been visited. */
  next: string
  /** Whether any organization has a pace. */
  anyPace: boolean
}

const organizationsPerClaim = 128

/**
 * Claims due jobs: the oldest of each organization, the same number from each. It walks organization by organization, so
 * one organization's backlog is not scanned to find another's job. A claim counts the receive and leases the job, and is
 * committed before the request leaves, so a crash cannot hide an attempt. If a lease expired, the attempt nobody reported
 * is added to the history. Unless `pace` is off, an organization with a pace gets no more jobs than it has turns left.
 */
export async function claimJobs(
  database: Queryable,
  { after, slots, leaseSeconds, pace = true }: { after: string; slots: Slots; leaseSeconds: number; pace?: boolean },
): Promise<Claim> {
  const gate = pace ? paceGate(leaseSeconds) : openGate
  const rows = await database.query<ClaimRow>(sql`
    with recursive ${visitOrganizations(after, organizationsPerClaim)}, ready as materialized (
      select visited.organization_id, visited.available_at, visited.delivery_id, ${gate.version} as version,
        least(coalesce(known.slots, ${slots.perOrganization}::int), ${gate.slots}) as slots
      from visited
      left join unnest(${[...slots.freeByOrganization.keys()]}::text[], ${[...slots.freeByOrganization.values()]}::int[])
        as known (organization_id, slots) on known.organization_id = visited.organization_id
      ${gate.lookup}
      where visited.available_at <= now() and coalesce(known.slots, 1) > 0 and ${gate.isOpen}
    )${gate.locks}, due as materialized (
      select job.* from (
        select ready.*, ceil(${slots.free}::int / count(*) over ()::float8) as share from ready
        where ${gate.hasTurns}
        order by available_at, delivery_id
      ) ready cross join lateral (
        select delivery_id, ${availableAt} as available_at, receives, claimed_at from delivery_jobs j
        where j.organization_id = ready.organization_id and ${availableAt} <= now()
        order by ${availableAt}, delivery_id limit least(ready.share, ready.slots) for update skip locked
      ) job
      limit ${slots.free}::int
    ), claimed as (
      update delivery_jobs j set receives = least(j.receives + 1, ${receives + 1}), claimed_at = now(),
        leased_until = now() + ${leaseSeconds}::float8 * interval '1 second'
      from due where j.delivery_id = due.delivery_id
      returning j.delivery_id, j.organization_id, j.round, j.receives, j.claimed_at, due.available_at,
        due.receives as interrupted, due.claimed_at as interrupted_at
    ), ${unreportedAttempts}${gate.record}
    select visited.count as visited, visited.last, exists (select from endpoint_paces) as "anyPace",
      c.delivery_id as "deliveryId", c.organization_id as "organizationId", c.round, c.receives as receive,
      ${claimedAt(sql`c`)} as "claimedAt", ${gate.holdsTurn} as "holdsTurn"
    from (select count(*)::int, max(organization_id) as last from visited) visited
    left join claimed c on true
    order by c.available_at, c.delivery_id`)
  const [first] = rows
  return {
    jobs: rows.flatMap(({ deliveryId, organizationId, round, receive, claimedAt, holdsTurn }) => {
      if (deliveryId === null) return []
      return [{ deliveryId, organizationId, round, receive, claimedAt, ...(holdsTurn && { holdsTurn }) }]
    }),
    next: first && first.visited === organizationsPerClaim ? (first.last ?? '') : '',
    anyPace: first?.anyPace ?? false,
  }
}

/** SQL: the next organizations with the oldest job of each, one index lookup each, however long the backlog of one is. */
export function visitOrganizations(after: string, limit: number): Sql {
  const oldestOfNext = (previous: Sql) => sql`
    select j.organization_id, ${availableAt} as available_at, j.delivery_id from delivery_jobs j
    where j.organization_id > ${previous} order by j.organization_id, ${availableAt}, j.delivery_id limit 1`
  return sql`
    visited (organization_id, available_at, delivery_id, number) as (
      (select oldest.*, 1 from (${oldestOfNext(sql`${after}`)}) oldest)
      union all
      select next.*, number + 1 from visited cross join lateral (${oldestOfNext(sql`visited.organization_id`)}) next
      where number < ${limit}
    )`
}

/** SQL: adds the attempts to the history that nobody reported because the worker that had made the job's last claim died. */
export const unreportedAttempts = sql`
  unreported as (
    insert into delivery_attempts (delivery_id, round, number, started_at)
    select c.delivery_id, c.round, c.interrupted + d.earlier_attempts, c.interrupted_at
    from claimed c cross join lateral (
      select earlier_attempts from deliveries where id = c.delivery_id limit 1
    ) d
    where c.interrupted_at is not null and c.interrupted between 1 and ${receives}
    on conflict (delivery_id, number) do nothing
  )`

type ClaimRow = { visited: number; last: string | null; anyPace: boolean } & (
  | Required<ClaimedJob>
  | Record<keyof ClaimedJob, null>
)

/** When a job is or was available, as the index has it. */
export const availableAt = sql`coalesce(j.leased_until, j.due_at)`

/** SQL: when the job was claimed, precisely enough to tell two claims apart. JSON and JavaScript can represent it. */
export function claimedAt(job: Sql): Sql {
  return sql`(extract(epoch from ${job}.claimed_at) * 1000000)::float8`
}

/** Leaves jobs alone that another process has claimed in the meantime. */
export async function renewLeases(
  database: Queryable,
  jobs: readonly ClaimedJob[],
  leaseSeconds: number,
): Promise<void> {
  await database.query(sql`
    with kept as materialized (
      select j.delivery_id
      from delivery_jobs j join unnest(${jobs.map(({ deliveryId }) => deliveryId)}::text[],
        ${jobs.map(({ round }) => round)}::int[], ${jobs.map(({ receive }) => receive)}::int[])
        as held (delivery_id, round, receives) using (delivery_id, round, receives)
      where j.claimed_at is not null
      -- A locked one is being settled. To wait for it while holding others would be a deadlock.
      for update of j skip locked
    )
    update delivery_jobs j set leased_until = now() + ${leaseSeconds}::float8 * interval '1 second'
    from kept where j.delivery_id = kept.delivery_id`)
}

/**
 * SQL fragments that settle jobs according to the outcomes in `settled`. A worker that lost its lease has no say about
 * the job anymore, unless its event was delivered, rejected or canceled: that is final. The CTE `ended` holds the deleted
 * jobs; `overtaken` marks those another worker had claimed.
 */
export function settleJobs(settled: Sql): Sql {
  return sql`
    ended as (
      delete from delivery_jobs j using ${settled} s
      where j.delivery_id = s."deliveryId" and (s.outcome = 'delivered' or (j.round = s.round and (
        s.outcome in ('rejected', 'canceled') or (s.outcome in ('exhausted', 'dropped') and j.receives = s.receive)
      )))
      returning j.delivery_id, j.round, least(j.receives, ${receives}) as receives, j.claimed_at,
        j.claimed_at is not null and (j.round, j.receives) <> (s.round, s.receive) as overtaken
    ), postponed as (
      -- Without a delay it keeps its place: it was not its turn yet.
      update delivery_jobs j set due_at = coalesce(now() + s.delay * interval '1 second', j.due_at), leased_until = null,
        claimed_at = null, receives = j.receives - case when s.uncounted then 1 else 0 end
      from ${settled} s
      where j.delivery_id = s."deliveryId" and j.round = s.round and j.receives = s.receive and s.outcome = 'postponed'
        -- Given back twice, because nobody knew whether the first time succeeded, it must not be another worker's receive.
        and (s.uncounted is not true or coalesce(${claimedAt(sql`j`)} = s."claimedAt", s."claimedAt" is null))
    )`
}

/** The attempts in the current round of a delivery `d`. One in flight is counted on the job but not yet on the record. */
export const attemptsSoFar = sql`case when d.status = 'PENDING' then greatest(d.attempts, (
  select least(j.receives, ${receives}) from delivery_jobs j where j.delivery_id = d.id and j.round = d.round
)) else d.attempts end`

/** When the next attempt at a delivery `d` is due: not before the end of a pause. */
export const nextAttemptAt = sql`(
  select greatest(j.due_at, (select p.paused_until from endpoint_paces p where p.organization_id = d.organization_id))
  from delivery_jobs j where j.delivery_id = d.id and j.round = d.round and j.claimed_at is null
)`

/** Skips deliveries that already have a job. */
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

/** Makes jobs that a previous process left leased available now. Only safe if this is the only process. */
export async function releaseLeases(database: Queryable): Promise<void> {
  await database.query(sql`update delivery_jobs set leased_until = now() where leased_until > now()`)
}

/** Times further in the future than can happen normally were written while the database's clock was ahead. */
export async function resetFutureTimes(database: Queryable, longestSeconds: number): Promise<void> {
  const impossible = sql`now() + ${longestSeconds}::float8 * interval '1 second'`
  await database.query(sql`
    update delivery_jobs set due_at = least(due_at, now()),
      leased_until = case when leased_until is not null then least(leased_until, now()) end
    where due_at > ${impossible} or leased_until > ${impossible}`)
}
