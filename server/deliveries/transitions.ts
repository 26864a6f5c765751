import sql, { type Sql } from 'sql-template-tag'
import type { Database, Queryable } from '../database/database.ts'
import { enqueueJobs, removeJobs, settleJobs } from '../queue/jobs.ts'
import type { ClaimedJob } from '../queue/queue.ts'
import type { AttemptReport, FailureReason, Outcome } from './outcome.ts'

/**
 * Every state transition of a delivery; nothing else writes `deliveries.status`.
 *
 * | from | by | to |
 * |---|---|---|
 * | – | open | PENDING, or FAILED / ENQUEUE_FAILED if its job could not be enqueued |
 * | FAILED / ENQUEUE_FAILED | begin | PENDING |
 * | any but DELIVERED | succeed | DELIVERED |
 * | open or exhausted, same round | reject | FAILED / RECEIVER_REJECTED |
 * | open, same round | postpone | PENDING |
 * | open, same round | exhaust | FAILED / RECEIVES_EXHAUSTED, and a dead letter |
 * | open, same round | cancel | FAILED / WEBHOOK_DISABLED, ORGANIZATION_INACTIVE or CANDIDATE_ERASED |
 * | FAILED | restart | PENDING, next round |
 */

/** A delivery to open if the interview's result is stored and final and the webhook is enabled. */
export type Opening = { interviewId: string; deliveryId: string; traceparent: string | null; now: Date }

/** SQL fragment that opens deliveries for the final results in `stored` whose webhook is enabled. */
export function open(stored: Sql, openings: readonly Opening[], { enqueued }: { enqueued: boolean }): Sql {
  const rows = openings.map(({ interviewId, deliveryId, traceparent, now }) => {
    return { interviewId, deliveryId, traceparent, now }
  })
  return sql`
    insert into deliveries (id, organization_id, result_id, interview_id, status, failure_reason, created_at, updated_at,
      traceparent)
    select o."deliveryId", s.organization_id, s.id, s.interview_id, ${enqueued ? 'PENDING' : 'FAILED'},
      ${enqueued ? null : 'ENQUEUE_FAILED'}, o.now, now(), o.traceparent
    from ${stored} s join json_to_recordset(${JSON.stringify(rows)}::json)
      as o ("interviewId" text, "deliveryId" text, traceparent text, now timestamptz) on o."interviewId" = s.interview_id
    join webhook_endpoints e on e.organization_id = s.organization_id
    where s.final and e.enabled
    returning id, organization_id, round`
}

/** The first enqueue failed, but the delivery has a job now. */
export async function begin(database: Queryable, deliveryId: string, round: number): Promise<void> {
  await database.query(sql`
    update deliveries set status = 'PENDING', failure_reason = null, updated_at = now()
    where id = ${deliveryId} and round = ${round} and failure_reason = 'ENQUEUE_FAILED'`)
}

/** How one receive ended, and what to record about it. */
export type Settlement = {
  job: ClaimedJob
  outcome: Outcome
  /** Why it was canceled. */
  reason?: FailureReason
  /** When a postponed job is due again. */
  delaySeconds?: number
  /** It was not its turn: it keeps its place, or waits this long in a queue that can't tell when its turn comes. */
  waitSeconds?: number
  /** Our own failure, or the organization's pace, kept us from trying, so the receive does not count. */
  uncounted?: boolean
  /** Numbered across rounds. Null: nothing was tried. */
  attempt: (AttemptReport & { number: number; startedAt: Date; finishedAt: Date }) | null
}

/**
 * succeed, reject, postpone, exhaust, cancel: records the attempts, updates the deliveries, and deletes, postpones or
 * dead-letters the jobs, all or nothing. Only the current round can change a delivery, with one exception: an event that
 * arrived has arrived, whatever its round. Each delivery may appear only once.
 */
export async function settle(database: Database, settlements: readonly Settlement[]): Promise<void> {
  const rows = JSON.stringify(settlements.map(toRow))
  await database.query(sql`
    with settled as (
      select * from json_to_recordset(${rows}::json) as s (
        "deliveryId" text, round int, receive int, outcome text, reason text, delay float8, uncounted boolean,
        "claimedAt" float8, number int, "startedAt" float8, "finishedAt" float8, address text, answered int, error text,
        code text, phase text, detail text, answer text, url text, headers json, dns real, connect real, tls real,
        "firstByte" real, total real)
    ), held as materialized (
      -- Always in the same order, to prevent deadlocks.
      select id, round, earlier_attempts, erased_at from deliveries
      where id = any(${settlements.map(({ job }) => job.deliveryId)}) order by id for update
    ), attempted as (
      insert into delivery_attempts (delivery_id, round, number, started_at, finished_at, address, status, error, code,
        phase, detail, answer, url, response_headers, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms)
      select s."deliveryId", s.round, s.number, to_timestamp(s."startedAt" / 1000), to_timestamp(s."finishedAt" / 1000),
        s.address, s.answered, s.error, s.code, s.phase, s.detail, decode(s.answer, 'base64'), s.url, s.headers::text,
        s.dns, s.connect, s.tls, s."firstByte", s.total
      from settled s join held on held.id = s."deliveryId"
      where s.number is not null and held.erased_at is null
      on conflict (delivery_id, number) do update set finished_at = excluded.finished_at, address = excluded.address,
        status = excluded.status, error = excluded.error, code = excluded.code, phase = excluded.phase,
        detail = excluded.detail, answer = excluded.answer, url = excluded.url,
        response_headers = excluded.response_headers, dns_ms = excluded.dns_ms, connect_ms = excluded.connect_ms,
        tls_ms = excluded.tls_ms, first_byte_ms = excluded.first_byte_ms, total_ms = excluded.total_ms
    ), ${settleJobs(sql`(select settled.* from settled join held on held.id = settled."deliveryId")`)}, overtaken as materialized (
      -- Usually empty. The planner would compare every delivery with every ended job instead.
      select e.* from ended e where e.overtaken
    ), interrupted as (
      -- The other worker on this job may never report, but its attempt still belongs in the history.
      insert into delivery_attempts (delivery_id, round, number, started_at)
      select o.delivery_id, o.round, held.earlier_attempts + o.receives, o.claimed_at
      from overtaken o join held on held.id = o.delivery_id and held.round = o.round
      where held.erased_at is null
      on conflict (delivery_id, number) do nothing
    ), moved as (
      update deliveries d set updated_at = now(),
        status = case when s.outcome = 'delivered' then 'DELIVERED' when s.outcome = 'postponed' then 'PENDING'
          when s.outcome in ('rejected', 'exhausted', 'canceled') then 'FAILED' end,
        failure_reason = case s.outcome when 'rejected' then 'RECEIVER_REJECTED' when 'exhausted' then 'RECEIVES_EXHAUSTED'
          when 'canceled' then s.reason end,
        last_error = case when s.number is null then d.last_error else s.error end,
        attempts = greatest(d.attempts, case when d.round = s.round then s.receive - (s.number is null)::int end,
          case when d.round = o.round then o.receives end),
        delivered_at = case when s.outcome = 'delivered' then now() end
      from settled s join held on held.id = s."deliveryId" left join overtaken o on o.delivery_id = held.id
      where d.id = s."deliveryId" and d.status <> 'DELIVERED' and s.outcome <> 'dropped' and (
        s.outcome = 'delivered'
        or (d.round = s.round and (d.status = 'PENDING' or d.failure_reason = 'ENQUEUE_FAILED'))
        -- Dead-lettered while its last request was still in flight, which then got a final response.
        or (d.round = s.round and s.outcome = 'rejected' and d.failure_reason = 'RECEIVES_EXHAUSTED')
      )
      returning d.id, d.organization_id, d.round, s.outcome, s.error
    ), buried as (
      insert into dead_letters (delivery_id, organization_id, round, reason)
      select id, organization_id, round, error from moved where outcome = 'exhausted'
      on conflict do nothing
    )
    select from moved`)
}

/** Parsing a row costs PostgreSQL as much as recording it, so rows leave out what the statement can derive. */
function toRow({ job, outcome, reason, delaySeconds = 0, waitSeconds, uncounted, attempt }: Settlement) {
  const { deliveryId, round, receive, claimedAt } = job
  const delay = waitSeconds === undefined ? delaySeconds : undefined
  return {
    deliveryId,
    round,
    receive,
    outcome,
    reason,
    ...(outcome === 'postponed' && { delay, uncounted, claimedAt }),
    ...(attempt && toAttemptRow(attempt)),
  }
}

function toAttemptRow({ startedAt, finishedAt, timing, ...attempt }: NonNullable<Settlement['attempt']>) {
  const { number, address, status, error, code, phase, detail, answer, url, headers } = attempt
  return {
    number,
    startedAt: startedAt.getTime(),
    finishedAt: finishedAt.getTime(),
    address,
    answered: status,
    error,
    code,
    phase,
    url,
    ...timing,
    // May quote the receiver. Bytes that PostgreSQL rejects as text would fail the whole batch.
    detail: detail?.replaceAll('\0', '').toWellFormed(),
    answer: answer?.toString('base64'),
    headers: headers.length > 0 ? headers : undefined,
  }
}

/**
 * restart: SQL fragment that begins the next round of the failed deliveries in `chosen` (id, round). The CTE `restarted`
 * holds those that were still FAILED in that round.
 */
export function restart(chosen: Sql, { by, delaySeconds, now }: { by: string; delaySeconds: number; now: Date }): Sql {
  return sql`
    restarted as (
      update deliveries d set status = 'PENDING', failure_reason = null, round = d.round + 1,
        earlier_attempts = d.earlier_attempts + d.attempts, attempts = 0, updated_at = now()
      from ${chosen} chosen
      where d.id = chosen.id and d.status = 'FAILED' and d.round = chosen.round
      returning d.id, d.organization_id, d.round
    ), begun as (
      insert into delivery_rounds (delivery_id, round, begun_by, begun_at)
      select id, round, ${by}, ${now}::timestamptz from restarted
    ), queued as (
      ${enqueueJobs(sql`restarted`, { delaySeconds })}
    )`
}

/** cancel: nothing more is sent, and the outcome of an attempt still in flight is discarded. */
export async function cancelErased(transaction: Queryable, deliveryIds: string[], now: Date): Promise<number> {
  const canceled = await transaction.query(sql`
    update deliveries set status = 'FAILED', failure_reason = 'CANDIDATE_ERASED', updated_at = now()
    where id = any(${deliveryIds}) and (status = 'PENDING' or failure_reason = 'ENQUEUE_FAILED')
    returning id`)
  await transaction.query(sql`
    update deliveries set erased_at = ${now}, failure_reason = case when status = 'FAILED' then 'CANDIDATE_ERASED' end
    where id = any(${deliveryIds})`)
  await removeJobs(transaction, deliveryIds)
  return canceled.length
}
