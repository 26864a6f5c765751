import sql, { join } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { decodeCursor, type Page, pageOf } from '../database/paging.ts'
import type { RemovalPosition, RemovalStep } from '../database/removal.ts'

export const requestLogDays = 7

/** A request of a known key and how it was answered. Never a body. */
export type LoggedRequest = {
  at: string
  keyId: string
  method: string
  /** `unknown` if there is no such route. */
  route: string
  status: number
  error: string | null
  requestId: string
  milliseconds: number
}

export type RequestToLog = Omit<LoggedRequest, 'at'> & { organizationId: string; at: Date }

export async function logRequests(database: Queryable, requests: readonly RequestToLog[]): Promise<void> {
  await database.query(sql`
    insert into request_log (organization_id, at, key_id, method, route, status, error, request_id, milliseconds)
    select "organizationId", at, "keyId", method, route, status, error, "requestId", milliseconds
    from json_to_recordset(${JSON.stringify(requests)}::json) as logged ("organizationId" text, at timestamptz,
      "keyId" text, method text, route text, status smallint, error text, "requestId" text, milliseconds real)`)
}

export type RequestFilter = { requestId?: string; keyId?: string; onlyErrors?: boolean }

export type ListedRequest = LoggedRequest & { id: string; keyLabel: string }

/** Newest first. */
export async function listRequests(
  database: Queryable,
  organizationId: string,
  { limit, cursor, requestId, keyId, onlyErrors = false }: RequestFilter & { limit: number; cursor?: string },
): Promise<Page<ListedRequest> | 'invalid_cursor'> {
  const conditions = [sql`l.organization_id = ${organizationId}`]
  if (cursor !== undefined) {
    const [before] = decodeCursor(cursor) ?? []
    if (typeof before !== 'string' || !/^\d{1,18}$/.test(before)) return 'invalid_cursor'
    conditions.push(
      keyId === undefined ? sql`l.id < ${before}::bigint` : sql`(l.key_id, l.id) < (${keyId}, ${before}::bigint)`,
    )
  }
  if (requestId !== undefined) conditions.push(sql`l.request_id = ${requestId}`)
  // A range and this order, because otherwise the planner takes any key for the busiest and walks the whole log for it.
  if (keyId !== undefined) conditions.push(sql`l.key_id between ${keyId} and ${keyId}`)
  const order = keyId === undefined ? sql`l.id desc` : sql`l.key_id desc, l.id desc`
  if (onlyErrors) conditions.push(sql`l.status >= 400`)
  const rows = await database.query<ListedRequest>(sql`
    select l.id::text, l.at, l.key_id as "keyId", coalesce(k.label, l.key_id) as "keyLabel", l.method, l.route, l.status,
      l.error, l.request_id as "requestId", l.milliseconds
    from request_log l left join api_keys k on k.id = l.key_id
    where ${join(conditions, ' and ')} order by ${order} limit ${limit + 1}`)
  return pageOf(rows, limit, ({ id }) => [id])
}

const rowsPerStep = 2_000

/** Oldest first: IDs grow with time. */
export async function removeOldRequests(
  database: Queryable,
  { remove }: RemovalPosition,
  until: Date,
): Promise<RemovalStep> {
  if (!remove) {
    const [counted] = await database.query<{ count: number }>(sql`
      select count(*) from request_log where at <= ${until}`)
    return { due: counted?.count ?? 0, next: null }
  }
  const removed = await database.query(sql`
    delete from request_log where id in (
      select id from (select id, at from request_log order by id limit ${rowsPerStep}) oldest where at <= ${until}
    ) returning 1`)
  return { due: removed.length, next: removed.length < rowsPerStep ? null : 'more' }
}
