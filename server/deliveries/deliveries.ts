import sql, { type Sql } from 'sql-template-tag'
import { createBatcher } from '../database/batcher.ts'
import type { Database, Queryable } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import type { ThumbnailError } from '../images/thumbnail.ts'
import type { StoredThumbnail } from '../images/thumbnails.ts'
import type { Scoring } from '../interviews/scoring.ts'
import type { PostResult } from '../outbound/post.ts'
import type { QueuedDelivery } from '../queue/queue.ts'

export const deliveryStatuses = ['PENDING', 'DELIVERED', 'FAILED'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export type FailureReason = 'ENQUEUE_FAILED' | 'RECEIVER_REJECTED' | 'RECEIVES_EXHAUSTED' | 'WEBHOOK_DISABLED'

export const attemptErrors = [
  'HTTP_3XX',
  'HTTP_4XX',
  'HTTP_5XX',
  'TIMEOUT',
  'NETWORK',
  'TLS',
  'DNS',
  'DESTINATION_REFUSED',
  'THUMBNAIL_MISSING',
  'THUMBNAIL_TOO_LARGE',
  'THUMBNAIL_MALFORMED',
  'THUMBNAIL_TOO_COSTLY',
] as const satisfies (NonNullable<PostResult['error']> | ThumbnailError | 'DNS' | 'DESTINATION_REFUSED')[]
export type AttemptError = (typeof attemptErrors)[number]

/** The same for every job of a result, whatever becomes of it. */
export function deliveryKey(resultId: string): string {
  return `result.completed:${resultId}`
}

type FinalResult = { resultId: string; interviewId: string; organizationId: string }

export function newDelivery({ resultId, organizationId }: FinalResult): QueuedDelivery {
  return { deliveryId: newId('dlv'), deliveryKey: deliveryKey(resultId), organizationId }
}

/** Writes the record of a delivery, and tells its id, if the organization has a webhook that is enabled. */
export function deliveryStatement(
  { deliveryId }: QueuedDelivery,
  result: FinalResult,
  now: Date,
  traceparent: string | null,
): Sql {
  return sql`
    insert into deliveries (id, organization_id, result_id, interview_id, status, created_at, updated_at, traceparent)
    select ${deliveryId}, organization_id, ${result.resultId}, ${result.interviewId}, 'PENDING', ${now}::timestamptz,
      ${now}::timestamptz, ${traceparent}
    from webhook_endpoints where organization_id = ${result.organizationId} and enabled
    returning id`
}

export async function markNotEnqueued(database: Queryable, deliveryId: string, now: Date): Promise<void> {
  await database.query(sql`
    update deliveries set status = 'FAILED', failure_reason = 'ENQUEUE_FAILED', updated_at = ${now}
    where id = ${deliveryId} and status = 'PENDING' and attempts = 0`)
}

/** All that one attempt needs, as it is stored at this moment. */
export type Attempt = {
  attemptId: number
  /** Which one of this round it is, from 1. */
  number: number
  deliveryId: string
  organizationId: string
  occurredAt: string
  traceparent: string | null
  url: string
  sealedSecret: Buffer
  resultId: string
  resultToken: string
  scoring: Scoring
  completedAt: string
  interviewId: string
  templateId: string
  templateName: string
  candidateId: string
  email: string
  firstName: string
  lastName: string
  thumbnail: StoredThumbnail | null
}

export type Begun = { outcome: 'begun'; attempt: Attempt } | { outcome: 'finished' } | { outcome: 'disabled' }

/**
 * Reloads the record, the configuration and the result, and counts the attempt, in one statement: nothing can change
 * between the look and the count, and a crash after it cannot hide that an attempt was made. A small image comes along;
 * large ones would fill the memory with attempts that wait for their turn.
 */
export async function beginAttempts(database: Database, deliveryIds: string[], now: Date): Promise<Begun[]> {
  // The attempt's id is drawn while counting: to learn it from the insert, each row would be compared with every other.
  // Those that cannot begin are looked for only when there are any.
  const statement = sql`
    with counted as (
      update deliveries d set attempts = d.attempts + 1, status = 'PENDING', failure_reason = null, updated_at = ${now}
      from webhook_endpoints e
      where d.id = any(${deliveryIds}) and ${isOpen} and e.organization_id = d.organization_id and e.enabled
      returning nextval('delivery_attempts_id_seq') as attempt_id, d.attempts, d.id, d.organization_id, d.result_id,
        d.interview_id, d.created_at, d.traceparent, e.url, e.sealed_secret
    ), begun as (
      insert into delivery_attempts (id, delivery_id, number, started_at) overriding system value
      select attempt_id, id, attempts, ${now}::timestamptz from counted
    ), disabled as (
      select d.id from deliveries d left join webhook_endpoints e on e.organization_id = d.organization_id
      where (select count(*) from counted) < ${deliveryIds.length}
        and d.id = any(${deliveryIds}) and ${isOpen} and e.enabled is not true
    )
    select (select array_agg(id) from disabled) as disabled, d.* from (select) as always left join (
      select d.attempt_id as "attemptId", d.attempts as number, d.id as "deliveryId",
        d.organization_id as "organizationId", d.created_at as "occurredAt", d.traceparent, d.url,
        d.sealed_secret as "sealedSecret", r.id as "resultId", r.token as "resultToken", r.scoring,
        r.completed_at as "completedAt", i.id as "interviewId", t.id as "templateId", t.title as "templateName",
        i.candidate_id as "candidateId", i.email, i.first_name as "firstName", i.last_name as "lastName",
        case when n.size <= ${comesAlong}::int then n.base64 end as base64, n.size, n.version, n.verdict
      from counted d
      join results r on r.id = d.result_id
      join interviews i on i.id = d.interview_id
      join templates t on t.id = i.template_id
      left join thumbnails n on n.interview_id = i.id
    ) d on true`
  type Found = { disabled: string[] | null } & (Row | { deliveryId: null })
  const rows = await database.queryUnder<Found>(byIndex, statement)
  const disabled = new Set(rows[0]?.disabled)
  const begun = new Map(rows.flatMap((row) => (row.deliveryId === null ? [] : [[row.deliveryId, row]])))
  return deliveryIds.map((id) => {
    const row = begun.get(id)
    if (!row) return { outcome: disabled.has(id) ? 'disabled' : 'finished' }
    const { disabled: _, base64, size, version, verdict, ...attempt } = row
    return {
      outcome: 'begun',
      attempt: { ...attempt, thumbnail: version === null ? null : { base64, size, version, verdict } },
    }
  })
}

// A connection keeps the plan it made while the tables were small, which is to read all of them. PostgreSQL drops it when
// it analyzes them, within a minute; the embedded database never does. And not knowing how many deliveries a call will
// be about, the planner would rather make a plan for each, which takes longer than the call itself.
const byIndex = 'set local enable_seqscan = off; set local plan_cache_mode = force_generic_plan'

// Worded so that no index answers it: PostgreSQL believes that few deliveries wait, and would rather read through all
// that do than look up those which are asked for.
const isOpen = sql`case d.status when 'PENDING' then true else d.failure_reason = 'ENQUEUE_FAILED' and d.attempts = 0 end`

const comesAlong = 65_536

type Row = Omit<Attempt, 'thumbnail'> & (StoredThumbnail | { [Field in keyof StoredThumbnail]: null })

export async function markDisabled(database: Queryable, deliveryId: string, now: Date): Promise<void> {
  await database.query(sql`
    update deliveries d set status = 'FAILED', failure_reason = 'WEBHOOK_DISABLED', updated_at = ${now}
    where d.id = ${deliveryId} and ${isOpen}`)
}

/** What became of one attempt. Whatever was not reached is null. */
export type Outcome = {
  error: AttemptError | null
  detail: string | null
  status: number | null
  address: string | null
  answer: Buffer | null
  timing: PostResult['timing'] | null
}

/** Where an outcome leads: a 4xx is final, a success too; anything else comes again, unless this was the last receive. */
export type Verdict = { status: DeliveryStatus; reason: FailureReason | null }

export type AttemptRecord = Pick<Attempt, 'attemptId' | 'number' | 'deliveryId'> & {
  outcome: Outcome
  verdict: Verdict
}

/**
 * Writes down what became of attempts. A delivery that is DELIVERED stays so, whatever a second attempt met with. One
 * that has FAILED is not opened again by an attempt that was overtaken because its worker was silent for so long, nor
 * does such an attempt end a round that began after it; but if the event arrived, it arrived.
 */
export async function recordOutcomes(database: Database, records: AttemptRecord[], now: Date): Promise<true[]> {
  const rows = records.map(({ attemptId, number, deliveryId, outcome, verdict }) => ({
    attemptId,
    number,
    deliveryId,
    ...outcome.timing,
    ...verdict,
    address: outcome.address,
    answered: outcome.status,
    error: outcome.error,
    // What the receiver sent may be part of it. What is no text would fail all the others in this statement, too.
    detail: outcome.detail?.replaceAll('\0', '').toWellFormed() ?? null,
    answer: outcome.answer?.toString('base64') ?? null,
  }))
  const statement = sql`
    with told as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as told (
        "attemptId" bigint, number int, "deliveryId" text, status text, reason text, address text, answered int,
        error text, detail text, answer text, dns real, connect real, tls real, "firstByte" real, total real)
    ), finished as (
      update delivery_attempts a set finished_at = ${now}, address = told.address, status = told.answered,
        error = told.error, detail = told.detail, answer = decode(told.answer, 'base64'), dns_ms = told.dns,
        connect_ms = told.connect, tls_ms = told.tls, first_byte_ms = told."firstByte", total_ms = told.total
      from told where a.id = told."attemptId" and a.id = any(${rows.map(({ attemptId }) => attemptId)})
    )
    update deliveries d set status = told.status, failure_reason = told.reason, last_error = told.error,
      updated_at = ${now}, delivered_at = case when told.status = 'DELIVERED' then ${now}::timestamptz end
    from told where d.id = told."deliveryId" and d.id = any(${rows.map(({ deliveryId }) => deliveryId)})
      and d.status <> 'DELIVERED' and (told.status = 'DELIVERED' or (d.status = 'PENDING' and d.attempts >= told.number))`
  await database.queryUnder(byIndex, statement)
  return records.map(() => true)
}

export type DeliveryRecords = {
  begin(deliveryId: string): Promise<Begun>
  record(record: AttemptRecord): Promise<unknown>
}

/** Attempts that begin or end at the same time share a statement: at a thousand a second each of its own would not do. */
export function createDeliveryRecords(database: Database, clock: () => Date): DeliveryRecords {
  return {
    begin: createBatcher((deliveryIds: string[]) => beginAttempts(database, deliveryIds, clock()), { most: 64 }),
    record: createBatcher((records: AttemptRecord[]) => recordOutcomes(database, records, clock()), {
      most: 128,
      wait: () => 20,
    }),
  }
}
