import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { isId } from '../database/ids.ts'
import { decodeCursor, encodeCursor, type Page } from '../interviews/paging.ts'
import { attemptsSoFar, nextAttemptAt } from '../queue/jobs.ts'
import { type AttemptError, type DeliveryStatus, deliveryStatuses, type FailureReason } from './outcome.ts'

export type DeliveryFilter = {
  status?: DeliveryStatus
  /** What the last attempt failed with. */
  error?: AttemptError
  from?: Date
  to?: Date
  /** A result id, or the beginning of a candidate's e-mail address. */
  search?: string
}

export type DeliveryRow = {
  id: string
  resultId: string
  candidate: { email: string; firstName: string; lastName: string }
  templateName: string
  status: DeliveryStatus
  failureReason: FailureReason | null
  lastError: AttemptError | null
  attempts: number
  createdAt: string
  updatedAt: string
  deliveredAt: string | null
  nextAttemptAt: string | null
}

/** The deliveries of an organization that match, newest first. */
export async function listDeliveryRows(
  database: Queryable,
  organizationId: string,
  { limit, cursor, ...filter }: DeliveryFilter & { limit: number; cursor?: string },
  bounds = ordinaryBounds,
): Promise<Page<DeliveryRow> | 'invalid_cursor'> {
  const before = cursor === undefined ? null : readPlace(cursor)
  if (before === 'invalid_cursor') return before
  const found = await search(database, { organizationId, filter, before, limit: limit + 1 }, bounds)
  const data = found.slice(0, limit)
  return { data, nextCursor: found.length > limit ? cursorAfter(data) : null }
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

/** A place in the order of the table. */
export type Place = { createdAt: string; id: string }

export function readPlace(cursor: string): Place | 'invalid_cursor' {
  const [createdAt, id] = decodeCursor(cursor) ?? []
  if (typeof createdAt !== 'string' || !isTime(createdAt)) return 'invalid_cursor'
  return typeof id === 'string' && isId('dlv', id) ? { createdAt, id } : 'invalid_cursor'
}

/** In the one form in which times leave the database. */
function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/.test(text) && !Number.isNaN(Date.parse(text))
}

export function cursorAfter(page: readonly Place[]): string | null {
  const last = page.at(-1)
  return last ? encodeCursor([last.createdAt, last.id]) : null
}

type Asked = { organizationId: string; filter: DeliveryFilter; before: Place | null; limit: number }

// Whichever way is taken, it ends within some hundredths of a second. There is no gap between the two: of a million
// deliveries, the newest 12,500 hold a page of any 4,000 that are spread evenly.
const ordinaryBounds = { fewCandidates: 4_000, newest: [2_000, 12_500] }

/**
 * An e-mail address is on the interview, the order of the table on the delivery. When few candidates match, theirs are
 * fetched and sorted. When many do, the newest deliveries most likely hold a page of them; should they not, the first
 * way still finds them all.
 */
async function search(database: Queryable, asked: Asked, bounds: typeof ordinaryBounds): Promise<DeliveryRow[]> {
  const email = emailSought(asked.filter)
  if (email === null) return readRows(database, newestDeliveries(asked))
  if (!(await areFew(database, asked.organizationId, email, bounds.fewCandidates))) {
    for (const most of bounds.newest) {
      const { rows, everything } = await amongNewest(database, asked, email, most)
      if (everything || rows.length >= asked.limit) return rows
    }
  }
  return readRows(database, ofCandidates(asked, email))
}

/** The beginning of an e-mail address, if that is what is searched for. */
export function emailSought({ search }: DeliveryFilter): string | null {
  return search === undefined || isByResult({ search }) ? null : search.toLowerCase()
}

/** That an interview's address begins with this, in a form that an index can be used for whatever is put in. */
export function beginsWith(email: string): Sql {
  return sql`i.email_key ~>=~ ${email} and i.email_key ~<~ ${`${email}\u{10ffff}`}`
}

/** What a filter asks of a delivery `d` by itself. */
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
  if (isByResult(filter)) conditions.push(sql`d.result_id = ${filter.search}`)
  return conditions
}

function isByResult({ search }: DeliveryFilter): boolean {
  return search !== undefined && isId('res', search)
}

/**
 * The newest deliveries that match, leaving e-mail addresses aside: each status from its stretch of the index, merged. A
 * result has one delivery, which is looked up by itself.
 */
export function newestDeliveries({ organizationId, filter, before, limit }: Asked): Sql {
  const stretches = (isByResult(filter) ? [filter.status] : statusesOf(filter)).map((status) => {
    const conditions = [...conditionsOf(organizationId, status, filter), ...beyond(before)]
    return sql`(select d.* from deliveries d where ${join(conditions, ' and ')} ${newestFirst} ${limitedTo(limit)})`
  })
  return sql`select d.* from (${join(stretches, ' union all ')}) d ${newestFirst} ${limitedTo(limit)}`
}

/** Part of the text: of a limit it does not know, PostgreSQL thinks so ill that it makes a plan for every single call. */
function limitedTo(limit: number): Sql {
  return raw(`limit ${Math.trunc(limit)}`)
}

/** The deliveries of the candidates that match. An interview has one at most: by that limit each is looked up by itself. */
function ofCandidates({ organizationId, filter, before, limit }: Asked, email: string): Sql {
  const wanted = statusesOf(filter).map(
    (status) => sql`(${join(conditionsOf(organizationId, status, filter), ' and ')})`,
  )
  const conditions = [sql`(${join(wanted, ' or ')})`, ...beyond(before)]
  return sql`
    select d.* from interviews i cross join lateral (
      select d.* from results r join deliveries d on d.result_id = r.id where r.interview_id = i.id limit 1
    ) d
    where i.organization_id = ${organizationId} and ${beginsWith(email)} and ${join(conditions, ' and ')}
    ${newestFirst} limit ${limit}`
}

async function amongNewest(
  database: Queryable,
  asked: Asked,
  email: string,
  most: number,
): Promise<{ rows: DeliveryRow[]; everything: boolean }> {
  const looked = newestDeliveries({ ...asked, limit: most })
  const found = await database.query<{ looked: number } & (Row | { id: null })>(sql`
    with looked as materialized (${looked})
    select (select count(*) from looked) as looked, d.* from (select) as always left join (
      select ${columns} from looked d ${withCandidate} where ${beginsWith(email)} ${newestFirst} limit ${asked.limit}
    ) d on true`)
  const rows = found.filter((row): row is { looked: number } & Row => row.id !== null)
  return { rows: rows.map(toDeliveryRow), everything: (found[0]?.looked ?? 0) < most }
}

export async function areFew(
  database: Queryable,
  organizationId: string,
  email: string,
  few = ordinaryBounds.fewCandidates,
): Promise<boolean> {
  const [counted] = await database.query<{ count: number }>(sql`
    select count(*) from (
      select from interviews i where i.organization_id = ${organizationId} and ${beginsWith(email)}
      limit ${few + 1}
    ) i`)
  return (counted?.count ?? 0) <= few
}

function statusesOf({ status }: DeliveryFilter): readonly DeliveryStatus[] {
  return status === undefined ? deliveryStatuses : [status]
}

function beyond(before: Place | null): Sql[] {
  return before === null ? [] : [sql`(d.created_at, d.id) < (${before.createdAt}::timestamptz, ${before.id})`]
}

const newestFirst = sql`order by d.created_at desc, d.id desc`

export const withCandidate = sql`
  join interviews i on i.id = d.interview_id
  join templates t on t.id = i.template_id`

const columns = sql`d.id, d.result_id as "resultId", i.email, i.first_name as "firstName", i.last_name as "lastName",
  t.title as "templateName", d.status, d.failure_reason as "failureReason", d.last_error as "lastError", ${attemptsSoFar} as attempts,
  d.created_at as "createdAt", d.updated_at as "updatedAt", d.delivered_at as "deliveredAt",
  ${nextAttemptAt} as "nextAttemptAt"`

type Row = Omit<DeliveryRow, 'candidate'> & DeliveryRow['candidate']

async function readRows(database: Queryable, deliveries: Sql): Promise<DeliveryRow[]> {
  const rows = await database.query<Row>(sql`select ${columns} from (${deliveries}) d ${withCandidate} ${newestFirst}`)
  return rows.map(toDeliveryRow)
}

function toDeliveryRow({ id, resultId, email, firstName, lastName, ...rest }: Row): DeliveryRow {
  return { id, resultId, candidate: { email, firstName, lastName }, ...rest }
}
