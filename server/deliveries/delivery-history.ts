import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { isId } from '../database/ids.ts'
import type { Page } from '../interviews/paging.ts'
import { type AttemptError, type DeliveryStatus, deliveryKey, type FailureReason } from './deliveries.ts'
import { cursorAfter, newestDeliveries, readPlace } from './delivery-table.ts'

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
}

export type PastAttempt = {
  number: number
  startedAt: string
  /** Null: the worker ended before it could write down what came of it. */
  finishedAt: string | null
  address: string | null
  status: number | null
  error: AttemptError | null
  detail: string | null
  /** The first kilobyte of what the receiver answered. */
  answer: string | null
  timing: {
    dns: number | null
    connect: number | null
    tls: number | null
    firstByte: number | null
    total: number | null
  }
}

type Row = Omit<Delivery, 'deliveryKey' | 'idempotencyKey'>

const columns = sql`id, organization_id as "organizationId", result_id as "resultId", status,
  failure_reason as "failureReason", last_error as "lastError", attempts, created_at as "createdAt",
  updated_at as "updatedAt", delivered_at as "deliveredAt"`

export async function listDeliveries(
  database: Queryable,
  organizationId: string,
  filter: { status?: DeliveryStatus; limit: number; cursor?: string },
): Promise<Page<Delivery> | 'invalid_cursor'> {
  const before = filter.cursor === undefined ? null : readPlace(filter.cursor)
  if (before === 'invalid_cursor') return before
  const { limit, status } = filter
  const newest = newestDeliveries({ organizationId, filter: status ? { status } : {}, before, limit: limit + 1 })
  const rows = await database.query<Row>(sql`select ${columns} from (${newest}) d order by created_at desc, id desc`)
  const data = rows.slice(0, limit).map(toDelivery)
  return { data, nextCursor: rows.length > limit ? cursorAfter(data) : null }
}

export async function findDelivery(
  database: Queryable,
  id: string,
): Promise<(Delivery & { history: PastAttempt[] }) | null> {
  if (!isId('dlv', id)) return null
  const [row] = await database.query<Row>(sql`select ${columns} from deliveries where id = ${id}`)
  if (!row) return null
  return { ...toDelivery(row), history: await readHistory(database, id) }
}

export async function readHistory(database: Queryable, deliveryId: string): Promise<PastAttempt[]> {
  const attempts = await database.query<AttemptRow>(sql`
    select number, started_at as "startedAt", finished_at as "finishedAt", address, status, error, detail, answer,
      dns_ms as dns, connect_ms as connect, tls_ms as tls, first_byte_ms as "firstByte", total_ms as total
    from delivery_attempts where delivery_id = ${deliveryId} order by delivery_attempts.id`)
  return attempts.map(toPastAttempt)
}

/** A result has at most one delivery: none when no webhook was enabled as it became available. */
export async function findDeliveryOfResult(database: Queryable, resultId: string): Promise<Delivery | null> {
  const [row] = await database.query<Row>(sql`select ${columns} from deliveries where result_id = ${resultId}`)
  return row ? toDelivery(row) : null
}

/**
 * Puts a failed delivery back to the beginning. Nothing is enqueued here: the sweep takes it a minute later, like any
 * record that waits.
 */
export async function retryDelivery(
  database: Queryable,
  id: string,
  now: Date,
  organizationId: string | 'any' = 'any',
): Promise<Delivery | 'not_found' | 'not_failed'> {
  if (!isId('dlv', id)) return 'not_found'
  const owned = organizationId === 'any' ? sql`true` : sql`organization_id = ${organizationId}`
  const [row] = await database.query<Row>(sql`
    update deliveries set status = 'PENDING', failure_reason = null, attempts = 0, round_started_at = now(),
      updated_at = ${now}
    where id = ${id} and status = 'FAILED' and ${owned}
    returning ${columns}`)
  if (row) return toDelivery(row)
  const [existing] = await database.query(sql`select id from deliveries where id = ${id} and ${owned}`)
  return existing ? 'not_failed' : 'not_found'
}

function toDelivery(row: Row): Delivery {
  const { id, organizationId, resultId, ...rest } = row
  return { id, organizationId, resultId, deliveryKey: deliveryKey(resultId), idempotencyKey: resultId, ...rest }
}

type AttemptRow = Omit<PastAttempt, 'answer' | 'timing'> & { answer: Buffer | null } & PastAttempt['timing']

function toPastAttempt(row: AttemptRow): PastAttempt {
  const { answer, dns, connect, tls, firstByte, total, ...rest } = row
  return { ...rest, answer: answer?.toString('utf8') ?? null, timing: { dns, connect, tls, firstByte, total } }
}
