import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { availableAt, claimedAt, unreportedAttempts, visitOrganizations } from './jobs.ts'
import { paceGate, secondsToTurn } from './pace.ts'
import { type ClaimedJob, deliveryKey, receives } from './queue.ts'
import type { Posting, ReceivedMessage } from './sqs-client.ts'

/**
 * The jobs of the SQS engine. A job keeps its row: it counts the receives and says when the job is due, so that a message
 * delivered twice, late or never does no harm. A job that SQS holds is leased to it: `leased_until` without `claimed_at`.
 */

// Once that lease expires, SQS is told again. SQS drops the repeat if it got the first message within five minutes, and
// a repeat that arrives later finds its job done.
const resend = sql`interval '1 minute'`
// For a job `j` whose message SQS keeps until the job is due, or that was due long ago and waits for its turn.
const messageLease = sql`greatest(j.due_at, now()) + ${resend}`

// How many due jobs of one organization may be in SQS. The rest of a backlog waits in our table, where it is in nobody's way.
export const postingsPerOrganization = 128
const organizationsPerHandover = 32

export type Handover = {
  postings: Posting[]
  /** Where the next one continues; empty once every organization has been visited. */
  next: string
  /** Some organization has more due jobs than may be in SQS. */
  hasMore: boolean
}

/** Leases due jobs to SQS, the oldest of each organization first. The caller sends them. */
export async function handOver(
  database: Queryable,
  { after, limit }: { after: string; limit: number },
): Promise<Handover> {
  const rows = await database.query<HandoverRow>(sql`
    with recursive ${visitOrganizations(after, organizationsPerHandover)}, room as materialized (
      select visited.organization_id, ${postingsPerOrganization} - (
        select count(*) from (
          select from delivery_jobs j where j.organization_id = visited.organization_id and j.claimed_at is null
            and j.leased_until > now() and j.due_at <= now() limit ${postingsPerOrganization}
        ) posted
      ) as free
      from visited
      where visited.available_at <= now() and not exists (
        select from endpoint_paces p where p.organization_id = visited.organization_id and p.paused_until > now()
      )
    ), due as materialized (
      select job.*, count(*) over (partition by room.organization_id) >= room.free as "isFull"
      from room cross join lateral (
        select delivery_id from delivery_jobs j
        where j.organization_id = room.organization_id and ${availableAt} <= now()
          -- The message of a dead worker comes back on its own.
          and (j.claimed_at is null or j.leased_until <= now() - ${resend})
        order by ${availableAt}, delivery_id limit room.free for update skip locked
      ) job
      limit ${limit}::int
    ), handed as (
      update delivery_jobs j set leased_until = case when j.claimed_at is null then now() + ${resend} else now() end
      from due where j.delivery_id = due.delivery_id
      returning j.delivery_id, j.organization_id, j.round, j.receives, j.due_at, due."isFull"
    )
    select visited.count as visited, visited.last, h.delivery_id as "deliveryId", h.organization_id as "organizationId",
      h.round, h.receives, (extract(epoch from h.due_at) * 1000000)::float8 as "dueAt", h."isFull",
      (select result_id from deliveries d where d.id = h.delivery_id) as "resultId",
      exists (select from room where free <= 0) as "wasFull"
    from (select count(*)::int, max(organization_id) as last from visited) visited
    left join handed h on true
    order by h.due_at, h.delivery_id`)
  const [first] = rows
  return {
    postings: rows.flatMap(({ deliveryId, organizationId, round, receives, dueAt, resultId }) => {
      if (deliveryId === null) return []
      return [{ deliveryId, organizationId, round, receives, dueAt, deliveryKey: deliveryKey(resultId ?? deliveryId) }]
    }),
    next: first && first.visited === organizationsPerHandover ? (first.last ?? '') : '',
    hasMore: rows.some(({ isFull, wasFull }) => isFull === true || wasFull),
  }
}

type HandedJob = Omit<Posting, 'deliveryKey'>

type HandoverRow = {
  visited: number
  last: string | null
  resultId: string | null
  isFull: boolean | null
  wasFull: boolean
} & (HandedJob | { [Field in keyof HandedJob]: null })

/** These jobs' messages are still in SQS. */
export async function renewPostings(
  database: Queryable,
  jobs: readonly Pick<Posting, 'deliveryId' | 'round'>[],
): Promise<void> {
  if (jobs.length === 0) return
  await database.query(sql`
    with kept as materialized (
      select j.delivery_id
      from delivery_jobs j join unnest(${jobs.map(({ deliveryId }) => deliveryId)}::text[],
        ${jobs.map(({ round }) => round)}::int[]) as posted (delivery_id, round) using (delivery_id, round)
      where j.claimed_at is null and j.leased_until < now() + ${resend} / 2
      -- A locked one is being claimed. To wait for it while holding others would be a deadlock.
      for update of j skip locked
    )
    update delivery_jobs j set leased_until = ${messageLease}
    from kept where j.delivery_id = kept.delivery_id`)
}

/** SQS doesn't hold these after all. They are sent again once they are due. */
export async function takeBack(
  database: Queryable,
  jobs: readonly Pick<Posting, 'deliveryId' | 'round'>[],
): Promise<void> {
  if (jobs.length === 0) return
  await database.query(sql`
    with returned as materialized (
      select j.delivery_id
      from delivery_jobs j join unnest(${jobs.map(({ deliveryId }) => deliveryId)}::text[],
        ${jobs.map(({ round }) => round)}::int[]) as given (delivery_id, round) using (delivery_id, round)
      where j.claimed_at is null
      -- In the order of a claim: otherwise they could wait for each other.
      order by j.delivery_id for update of j
    )
    update delivery_jobs j set leased_until = null
    from returned where j.delivery_id = returned.delivery_id`)
}

/**
 * What to do with a message: run its job, wait this long, wait this long because its organization is out of turns, or
 * delete it because there is nothing left to do.
 */
export type Verdict =
  | { verdict: 'run'; job: ClaimedJob }
  | { verdict: 'wait'; seconds: number }
  | { verdict: 'out of turns'; seconds: number }
  | { verdict: 'delete' }

// As often as the PostgreSQL engine looks for jobs. Turns in use don't say when they end.
const longestTurnSeconds = 0.25
// So that a statement can claim several jobs. Also if another process was taking turns at the same moment.
const shortestTurnSeconds = 0.02

/**
 * Claims the jobs of messages, as `claimJobs` does: counts the receive, leases the job and takes its turn before the
 * request leaves. A job that another worker holds, that is not due yet or whose organization is paused or out of turns has
 * to wait; that costs it no receive. SQS measures whole seconds on its own clock, so a message may come up to a second early.
 */
export async function claimReceived(
  database: Queryable,
  messages: readonly ReceivedMessage[],
  leaseSeconds: number,
): Promise<Verdict[]> {
  const gate = paceGate(leaseSeconds)
  const rows = await database.query<VerdictRow>(sql`
    with received as (
      select * from unnest(${messages.map(({ deliveryId }) => deliveryId)}::text[],
        ${messages.map(({ round }) => round)}::int[]) as received (delivery_id, round)
    ), held as materialized (
      select j.*, case
        when j.claimed_at is not null and j.leased_until > now() then j.leased_until - now()
        when j.due_at > now() + interval '1 second' then j.due_at - now()
        -- An admin may end the pause, and every receive counts towards those after which SQS gives up.
        when p.paused_until > now() then least(p.paused_until - now(), interval '30 seconds')
      end as remaining
      from delivery_jobs j left join endpoint_paces p on p.organization_id = j.organization_id
      join received r on r.delivery_id = j.delivery_id and r.round >= j.round
      order by j.delivery_id for update of j
    ), visited as (
      select distinct organization_id from held where remaining is null
    ), ready as materialized (
      select visited.organization_id, ${gate.version} as version, ${gate.slots} as slots
      from visited ${gate.lookup} where ${gate.isOpen}
    )${gate.locks}, due as materialized (
      select delivery_id from (
        select delivery_id, organization_id,
          row_number() over (partition by organization_id order by due_at, delivery_id) as position
        from held where remaining is null
      ) asked join ready using (organization_id)
      where (${gate.hasTurns}) and coalesce(position <= slots, true)
    ), claimed as (
      update delivery_jobs j set receives = least(j.receives + 1, ${receives + 1}), claimed_at = now(),
        leased_until = now() + ${leaseSeconds}::float8 * interval '1 second'
      from held join due using (delivery_id) where j.delivery_id = held.delivery_id
      returning j.delivery_id, j.organization_id, j.round, j.receives, j.claimed_at, held.receives as interrupted,
        held.claimed_at as interrupted_at
    ), waiting as (
      update delivery_jobs j set leased_until = ${messageLease}
      from held where j.delivery_id = held.delivery_id and held.claimed_at is null
        and j.delivery_id not in (select delivery_id from due)
        -- Those that are out of turns come several times a second.
        and (held.remaining is not null or coalesce(held.leased_until < now() + ${resend} / 2, true))
    ), ${unreportedAttempts}${gate.record}
    select h.delivery_id as "deliveryId", h.organization_id as "organizationId", h.round, c.receives as receive,
      ${claimedAt(sql`c`)} as "claimedAt", ${gate.holdsTurn} as "holdsTurn", h.remaining is null as "isDue",
      coalesce(extract(epoch from h.remaining)::float8, case
        when h.organization_id in (select organization_id from ready) and c.delivery_id is null
          and h.organization_id not in (select organization_id from paced) then 0
        else ${secondsToTurn(longestTurnSeconds)}
      end) as seconds
    from held h left join claimed c on c.delivery_id = h.delivery_id
    left join endpoint_paces p on p.organization_id = h.organization_id`)
  const byId = new Map(rows.map((row) => [row.deliveryId, row]))
  return messages.map(({ deliveryId, dead }): Verdict => {
    const row = byId.get(deliveryId)
    if (!row) return { verdict: 'delete' }
    const { seconds, receive, claimedAt, organizationId, round, holdsTurn, isDue } = row
    if (receive === null || claimedAt === null) {
      return isDue
        ? { verdict: 'out of turns', seconds: Math.max(shortestTurnSeconds, seconds) }
        : { verdict: 'wait', seconds }
    }
    const marks = { ...(holdsTurn && { holdsTurn }), ...(dead && { abandoned: true }) }
    return { verdict: 'run', job: { deliveryId, organizationId, round, receive, claimedAt, ...marks } }
  })
}

type VerdictRow = Pick<ClaimedJob, 'deliveryId' | 'organizationId' | 'round'> & {
  receive: number | null
  claimedAt: number | null
  holdsTurn: boolean | null
  isDue: boolean
  seconds: number
}

/** What to do with the messages of jobs that a worker is done with. `keep`: the job was not settled, or not by us. */
export type Aftermath = { verdict: 'delete' } | { verdict: 'wait'; seconds: number } | { verdict: 'keep' }

/**
 * Reads what settling has made of the jobs, and leases the postponed ones to SQS until they are due. If SQS already keeps
 * enough retries of an organization, the others wait in our table and are sent again when they are due: coming back all at
 * once, they would be in front of everyone else's messages.
 */
export async function concludeJobs(database: Queryable, jobs: readonly ClaimedJob[]): Promise<Aftermath[]> {
  const rows = await database.query<ConcludedRow>(sql`
    with postponed as (
      -- If the receive did not count, SQS would take a new message for a repeat.
      select j.delivery_id, j.organization_id, j.due_at > now() and j.receives >= ended.receive as is_retry,
        row_number() over (partition by j.organization_id order by j.due_at, j.delivery_id) as position
      from unnest(${jobs.map(({ deliveryId }) => deliveryId)}::text[], ${jobs.map(({ round }) => round)}::int[],
        ${jobs.map(({ receive }) => receive)}::int[]) as ended (delivery_id, round, receive)
      join delivery_jobs j on j.delivery_id = ended.delivery_id and j.round = ended.round and j.claimed_at is null
    ), kept as materialized (
      select p.delivery_id from postponed p where not p.is_retry or p.position + (
        select count(*) from (
          select from delivery_jobs j where j.organization_id = p.organization_id and j.claimed_at is null
            and j.leased_until is not null and j.due_at > now() limit ${postingsPerOrganization}
        ) hidden
      ) <= ${postingsPerOrganization}
    ), held as materialized (
      select j.delivery_id from delivery_jobs j join kept using (delivery_id) where j.claimed_at is null
      order by j.delivery_id for update of j
    ), parked as (
      update delivery_jobs j set leased_until = ${messageLease} from held where j.delivery_id = held.delivery_id
    )
    select j.delivery_id as "deliveryId", j.round, j.receives, j.claimed_at is not null as running,
      j.delivery_id in (select delivery_id from kept) as kept,
      greatest(0, extract(epoch from j.due_at - now()))::float8 as seconds
    from delivery_jobs j where j.delivery_id = any(${jobs.map(({ deliveryId }) => deliveryId)})`)
  const byId = new Map(rows.map((row) => [row.deliveryId, row]))
  return jobs.map(({ deliveryId, round, receive }): Aftermath => {
    const row = byId.get(deliveryId)
    // A later round has its own message.
    if (row?.round !== round) return { verdict: 'delete' }
    if (row.running) return { verdict: 'keep' }
    if (!row.kept) return { verdict: 'delete' }
    // A receive that did not count would otherwise be repeated at once, and again.
    const shortest = row.receives < receive ? uncountedSeconds : 0
    return { verdict: 'wait', seconds: Math.max(shortest, row.seconds) }
  })
}

const uncountedSeconds = 1

type ConcludedRow = {
  deliveryId: string
  round: number
  receives: number
  running: boolean
  kept: boolean
  seconds: number
}
