import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { isId } from '../database/ids.ts'
import { decodeCursor, isCursorTime, type Page, pageOf } from '../database/paging.ts'
import { candidateMatches, waysToMatch } from '../interviews/candidate-search.ts'
import { attemptsSoFar, nextAttemptAt } from '../queue/jobs.ts'
import { type AttemptError, type DeliveryStatus, deliveryStatuses, type FailureReason } from './outcome.ts'

export type DeliveryFilter = {
  status?: DeliveryStatus
  /** The last attempt's error. */
  error?: AttemptError
  from?: Date
  to?: Date
  /** A delivery, result, event or invitation ID, or the start of a candidate's email address, full name or last name. */
  search?: string
}

export type DeliveryRow = {
  id: string
  resultId: string
  invitationId: string
  candidate: { email: string; firstName: string; lastName: string }
  templateId: string
  templateName: string
  status: DeliveryStatus
  failureReason: FailureReason | null
  lastError: AttemptError | null
  /** The candidate was erased, so there is no event to show or send. */
  erased: boolean
  /** Above 1 after a Retry or redrive. */
  round: number
  /** Of this round. */
  attempts: number
  /** Of all rounds. */
  totalAttempts: number
  createdAt: string
  updatedAt: string
  deliveredAt: string | null
  nextAttemptAt: string | null
}

/** Newest first. */
export async function listDeliveryRows(
  database: Queryable,
  organizationId: string,
  { limit, cursor, ...filter }: DeliveryFilter & { limit: number; cursor?: string },
  bounds = defaultBounds,
): Promise<Page<DeliveryRow> | 'invalid_cursor'> {
  const before = cursor === undefined ? null : decodePosition(cursor)
  if (before === 'invalid_cursor') return before
  const found = await search(database, { organizationId, filter, before, limit: limit + 1 }, bounds)
  return pageOf(found, limit, ({ createdAt, id }) => [createdAt, id])
}

export async function findDeliveryRow(
  database: Queryable,
  organizationId: string,
  id: string,
): Promise<DeliveryRow | null> {
  if (!isId('dlv', id)) return null
  const source = sql`select * from deliveries where id = ${id} and organization_id = ${organizationId}`
  const [row] = await readRows(database, source)
  return row ?? null
}

/** A position in the table's order. */
export type Position = { createdAt: string; id: string }

function decodePosition(cursor: string): Position | 'invalid_cursor' {
  const [createdAt, id] = decodeCursor(cursor) ?? []
  if (!isCursorTime(createdAt)) return 'invalid_cursor'
  return typeof id === 'string' && isId('dlv', id) ? { createdAt, id } : 'invalid_cursor'
}

type DeliveryQuery = { organizationId: string; filter: DeliveryFilter; before: Position | null; limit: number }

// With these bounds, either strategy takes some tens of milliseconds. They leave no gap: of a million deliveries, the
// newest 12,500 hold a page of any 4,000 spread evenly.
const defaultBounds = { fewCandidates: 4_000, newest: [2_000, 12_500] }

/**
 * Name and email address are on the interview, the sort order on the delivery. If few candidates match, fetch their deliveries
 * and sort. If many do, the newest deliveries most likely hold a page of matches; if not, fall back to the first way.
 */
async function search(database: Queryable, query: DeliveryQuery, bounds: typeof defaultBounds): Promise<DeliveryRow[]> {
  const prefix = candidatePrefix(query.filter)
  // The limit is part of the statement, and connections keep every statement they have seen.
  if (prefix === null) return readRows(database, newestDeliveries({ ...query, limit: roundedUp(query.limit) }))
  if (!(await hasFewCandidates(database, query.organizationId, prefix, bounds.fewCandidates))) {
    for (const size of bounds.newest) {
      const { rows, isComplete } = await searchNewest(database, query, prefix, size)
      if (isComplete || rows.length >= query.limit) return rows
    }
  }
  return readRows(database, deliveriesOfCandidates(query, prefix))
}

/** To a power of two: a few rows too many cost less than a hundred statements. */
function roundedUp(limit: number): number {
  return 2 ** Math.ceil(Math.log2(limit))
}

/** The start of a candidate's email address or name, if that is what the filter searches for. */
export function candidatePrefix({ search }: DeliveryFilter): string | null {
  return search === undefined || searchedId({ search }) !== null ? null : search
}

/** The conditions of a filter that need only the delivery `d`, not the candidate. */
export function conditionsOf(
  organizationId: string,
  status: DeliveryStatus | undefined,
  filter: DeliveryFilter,
): Sql[] {
  const conditions = [sql`d.organization_id = ${organizationId}`]
  if (status !== undefined) conditions.push(sql`d.status = ${status}`)
  if (filter.error !== undefined) conditions.push(sql`d.last_error = ${filter.error}`)
  if (filter.from !== undefined) conditions.push(sql`d.created_at >= ${filter.from}`)
  if (filter.to !== undefined) conditions.push(sql`d.created_at <= ${filter.to}`)
  const sought = searchedId(filter)
  if (sought !== null) conditions.push(hasId(organizationId, sought))
  return conditions
}

type SearchedId = { of: 'delivery' | 'result' | 'invitation'; id: string }

function searchedId({ search = '' }: DeliveryFilter): SearchedId | null {
  const id = search.replace(/^external_result_completed_/, '')
  if (isId('res', id)) return { of: 'result', id }
  if (isId('dlv', search)) return { of: 'delivery', id }
  return isId('inv', search) ? { of: 'invitation', id } : null
}

function hasId(organizationId: string, { of, id }: SearchedId): Sql {
  if (of === 'delivery') return sql`d.id = ${id}`
  if (of === 'result') return sql`d.result_id = ${id}`
  return sql`d.result_id = (
    select r.id from interviews i join results r on r.interview_id = i.id
    where i.invitation_id = ${id} and i.organization_id = ${organizationId})`
}

/** The newest matching deliveries, ignoring candidates. Each status is one range of the index; these are merged. */
export function newestDeliveries({ organizationId, filter, before, limit }: DeliveryQuery): Sql {
  const ranges = (searchedId(filter) ? [filter.status] : statusesOf(filter)).map((status) => {
    const conditions = [...conditionsOf(organizationId, status, filter), ...isBefore(before)]
    return sql`(select d.* from deliveries d where ${join(conditions, ' and ')} ${newestFirst} ${literalLimit(limit)})`
  })
  return sql`select d.* from (${join(ranges, ' union all ')}) d ${newestFirst} ${literalLimit(limit)}`
}

/** A literal, because PostgreSQL never settles on a generic plan if the limit is a parameter, and replans every call. */
function literalLimit(limit: number): Sql {
  return raw(`limit ${Math.trunc(limit)}`)
}

/** An interview has at most one delivery; the inner `limit 1` makes the planner look each one up by key. */
function deliveriesOfCandidates({ organizationId, filter, before, limit }: DeliveryQuery, prefix: string): Sql {
  const conditions = [...conditionsOf(organizationId, filter.status, filter), ...isBefore(before)]
  return sql`
    select d.* from interviews i cross join lateral (
      select d.* from results r join deliveries d on d.result_id = r.id where r.interview_id = i.id limit 1
    ) d
    where i.organization_id = ${organizationId} and ${candidateMatches(prefix)} and ${join(conditions, ' and ')}
    ${newestFirst} limit ${limit}`
}

async function searchNewest(
  database: Queryable,
  query: DeliveryQuery,
  prefix: string,
  size: number,
): Promise<{ rows: DeliveryRow[]; isComplete: boolean }> {
  const newest = newestDeliveries({ ...query, limit: size })
  const found = await database.query<{ examined: number } & (Row | { id: null })>(sql`
    with examined as materialized (${newest})
    select (select count(*) from examined) as examined, d.* from (select) as always left join (
      select ${columns} from examined d ${withCandidate} where ${candidateMatches(prefix)} ${newestFirst} limit ${query.limit}
    ) d on true`)
  const rows = found.filter((row): row is { examined: number } & Row => row.id !== null)
  return { rows: rows.map(toDeliveryRow), isComplete: (found[0]?.examined ?? 0) < size }
}

export async function hasFewCandidates(
  database: Queryable,
  organizationId: string,
  prefix: string,
  few = defaultBounds.fewCandidates,
): Promise<boolean> {
  // Each way to match on its own: for all at once, PostgreSQL would collect every match before it stops.
  const found = waysToMatch(prefix).map(
    (way) =>
      sql`(select i.id from interviews i where i.organization_id = ${organizationId} and ${way} limit ${few + 1})`,
  )
  const [counted] = await database.query<{ count: number }>(sql`
    select count(*) from (${join(found, ' union ')}) i`)
  return (counted?.count ?? 0) <= few
}

function statusesOf({ status }: DeliveryFilter): readonly DeliveryStatus[] {
  return status === undefined ? deliveryStatuses : [status]
}

function isBefore(position: Position | null): Sql[] {
  return position === null ? [] : [sql`(d.created_at, d.id) < (${position.createdAt}::timestamptz, ${position.id})`]
}

const newestFirst = sql`order by d.created_at desc, d.id desc`

export const withCandidate = sql`
  join interviews i on i.id = d.interview_id
  join templates t on t.id = i.template_id`

const columns = sql`d.id, d.result_id as "resultId", i.invitation_id as "invitationId", i.email, i.first_name as "firstName", i.last_name as "lastName",
  t.id as "templateId", t.title as "templateName", d.status, d.failure_reason as "failureReason", d.last_error as "lastError",
  d.erased_at is not null as erased, d.round, d.earlier_attempts as "earlierAttempts", ${attemptsSoFar} as attempts,
  d.created_at as "createdAt", d.updated_at as "updatedAt", d.delivered_at as "deliveredAt",
  ${nextAttemptAt} as "nextAttemptAt"`

type Row = Omit<DeliveryRow, 'candidate' | 'totalAttempts'> & DeliveryRow['candidate'] & { earlierAttempts: number }

async function readRows(database: Queryable, deliveries: Sql): Promise<DeliveryRow[]> {
  const rows = await database.query<Row>(sql`select ${columns} from (${deliveries}) d ${withCandidate} ${newestFirst}`)
  return rows.map(toDeliveryRow)
}

function toDeliveryRow(row: Row): DeliveryRow {
  const { id, resultId, invitationId, email, firstName, lastName, earlierAttempts, ...rest } = row
  const totalAttempts = earlierAttempts + rest.attempts
  return { id, resultId, invitationId, candidate: { email, firstName, lastName }, totalAttempts, ...rest }
}
