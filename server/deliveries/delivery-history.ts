import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { isId } from '../database/ids.ts'
import type { Phase } from '../outbound/post.ts'
import type { ResponseHeaders } from '../outbound/response-headers.ts'
import { attemptsSoFar, nextAttemptAt } from '../queue/jobs.ts'
import { deliveryKey } from '../queue/queue.ts'
import type { AttemptError, DeliveryStatus, FailureReason } from './outcome.ts'
import { restart } from './transitions.ts'

export type Delivery = {
  id: string
  organizationId: string
  resultId: string
  deliveryKey: string
  idempotencyKey: string
  status: DeliveryStatus
  failureReason: FailureReason | null
  lastError: AttemptError | null
  attempts: number
  createdAt: string
  updatedAt: string
  deliveredAt: string | null
  /** Null while no attempt is scheduled. */
  nextAttemptAt: string | null
}

export type PastAttempt = {
  /** Counts across rounds. */
  number: number
  round: number
  /** Who started the round with Retry or redrive; null for the first. */
  roundBegunBy: string | null
  startedAt: string
  /** Null: the worker died before it could record the outcome. */
  finishedAt: string | null
  address: string | null
  status: number | null
  error: AttemptError | null
  code: string | null
  phase: Phase | null
  detail: string | null
  /** Where the request was sent. Null: it never left, or it is from before this was stored. */
  url: string | null
  /** The first kilobyte of the response body. */
  answer: string | null
  /** Response headers, without secrets. */
  headers: ResponseHeaders
  timing: {
    dns: number | null
    connect: number | null
    tls: number | null
    firstByte: number | null
    total: number | null
  }
}

type Row = Omit<Delivery, 'deliveryKey' | 'idempotencyKey'>

const columns = sql`d.id, d.organization_id as "organizationId", d.result_id as "resultId", d.status,
  d.failure_reason as "failureReason", d.last_error as "lastError", ${attemptsSoFar} as attempts,
  d.created_at as "createdAt", d.updated_at as "updatedAt", d.delivered_at as "deliveredAt", ${nextAttemptAt} as "nextAttemptAt"`

export async function findDelivery(
  database: Queryable,
  id: string,
): Promise<(Delivery & { history: PastAttempt[] }) | null> {
  if (!isId('dlv', id)) return null
  const [row] = await database.query<Row>(sql`select ${columns} from deliveries d where d.id = ${id}`)
  if (!row) return null
  return { ...toDelivery(row), history: await readHistory(database, id) }
}

export async function readHistory(database: Queryable, deliveryId: string): Promise<PastAttempt[]> {
  const attempts = await database.query<AttemptRow>(sql`
    select a.number, a.round, r.begun_by as "roundBegunBy", a.started_at as "startedAt", a.finished_at as "finishedAt",
      a.address, a.status, a.error, a.code, a.phase, a.detail, a.url, a.answer, a.response_headers as headers,
      a.dns_ms as dns, a.connect_ms as connect,
      a.tls_ms as tls, a.first_byte_ms as "firstByte", a.total_ms as total
    from delivery_attempts a
    left join delivery_rounds r on r.delivery_id = a.delivery_id and r.round = a.round
    where a.delivery_id = ${deliveryId} order by a.number`)
  return attempts.map(toPastAttempt)
}

export type LaterRound = { round: number; begunBy: string; begunAt: string }

/** The rounds after the first, which Retry or redrive began. */
export async function readRounds(database: Queryable, deliveryId: string): Promise<LaterRound[]> {
  return database.query(sql`
    select round, begun_by as "begunBy", begun_at as "begunAt" from delivery_rounds
    where delivery_id = ${deliveryId} order by round`)
}

export function currentRound(rounds: readonly LaterRound[]): number {
  return rounds.at(-1)?.round ?? 1
}

/** A result has at most one delivery, and none if no webhook was enabled when it became available. */
export async function findDeliveryOfResult(database: Queryable, resultId: string): Promise<Delivery | null> {
  const [row] = await database.query<Row>(sql`select ${columns} from deliveries d where d.result_id = ${resultId}`)
  return row ? toDelivery(row) : null
}

/** The contract's "normal one-minute delay". */
export const retryAfterSeconds = 60

export async function retryDelivery(
  database: Queryable,
  { id, organizationId, by }: { id: string; organizationId: string | null; by: string },
  now: Date,
): Promise<Delivery | 'not_found' | 'not_failed'> {
  if (!isId('dlv', id)) return 'not_found'
  const owned = organizationId === null ? sql`true` : sql`d.organization_id = ${organizationId}`
  // Lock first, so that the second of two simultaneous Retry clicks sees what the first one did.
  await database.query(sql`select from deliveries d where d.id = ${id} and ${owned} for update`)
  const restarted = await database.query(sql`
    with chosen as (
      select id, round from deliveries d where d.id = ${id} and ${owned}
    ), ${restart(sql`chosen`, { by, delaySeconds: retryAfterSeconds, now })}
    select id from restarted`)
  const [row] = await database.query<Row>(sql`select ${columns} from deliveries d where d.id = ${id} and ${owned}`)
  if (!row) return 'not_found'
  return restarted.length > 0 ? toDelivery(row) : 'not_failed'
}

function toDelivery(row: Row): Delivery {
  const { id, organizationId, resultId, ...rest } = row
  return { id, organizationId, resultId, deliveryKey: deliveryKey(resultId), idempotencyKey: resultId, ...rest }
}

type AttemptRow = Omit<PastAttempt, 'answer' | 'headers' | 'timing'> & {
  answer: Buffer | null
  headers: string | null
} & PastAttempt['timing']

function toPastAttempt(row: AttemptRow): PastAttempt {
  const { answer, headers, dns, connect, tls, firstByte, total, ...rest } = row
  return {
    ...rest,
    answer: answer?.toString('utf8') ?? null,
    headers: headers === null ? [] : JSON.parse(headers),
    timing: { dns, connect, tls, firstByte, total },
  }
}
