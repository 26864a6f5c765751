import { createHash, createHmac, randomBytes } from 'node:crypto'
import sql, { join } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { isId, newId } from '../database/ids.ts'
import { decodeCursor, type Page, pageOf } from '../database/paging.ts'
import { type RemovalPosition, type RemovalStep, removeAgedRows } from '../database/removal.ts'

export type ListenToken = {
  id: string
  organizationId: string
  createdBy: string
  createdAt: string
  expiresAt: string
  lastUsedAt: string | null
  revokedAt: string | null
}

const columns = sql`id, organization_id as "organizationId", created_by as "createdBy", created_at as "createdAt",
  expires_at as "expiresAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"`

export type NewListenToken = { id: string; token: string; secret: string; expiresAt: string }

const lifetimeHours = 24

/** The token is only in the return value; the database stores its hash. */
export async function mintListenToken(
  database: Queryable,
  { organizationId, createdBy }: { organizationId: string; createdBy: string },
  now: Date,
): Promise<NewListenToken> {
  const id = newId('ltk')
  const token = `listen_${randomBytes(32).toString('base64url')}`
  const expiresAt = new Date(now.getTime() + lifetimeHours * 3_600_000)
  await database.query(sql`
    insert into listen_tokens (id, organization_id, hash, created_by, created_at, expires_at)
    values (${id}, ${organizationId}, ${hashToken(token)}, ${createdBy}, ${now}, ${expiresAt})`)
  return { id, token, secret: signingSecretOf(token), expiresAt: expiresAt.toISOString() }
}

/** Per organization, not counting expired and revoked ones. */
export const maxListenTokens = 20

/** Locks the organization until the transaction ends, so that two requests can't both take the last one. */
export async function hasRoomForListenToken(
  transaction: Queryable,
  organizationId: string,
  now: Date,
): Promise<boolean> {
  await transaction.query(sql`select from organizations where id = ${organizationId} for no key update`)
  const [counted] = await transaction.query<{ count: number }>(sql`
    select count(*) from listen_tokens
    where organization_id = ${organizationId} and revoked_at is null and expires_at > ${now}`)
  return (counted?.count ?? 0) < maxListenTokens
}

/** Newest first. */
export async function listListenTokens(
  database: Queryable,
  organizationId: string,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<Page<ListenToken> | 'invalid_cursor'> {
  const conditions = [sql`organization_id = ${organizationId}`]
  if (cursor !== undefined) {
    const [before] = decodeCursor(cursor) ?? []
    if (typeof before !== 'string' || !isId('ltk', before)) return 'invalid_cursor'
    conditions.push(sql`id < ${before}`)
  }
  const rows = await database.query<ListenToken>(sql`
    select ${columns} from listen_tokens where ${join(conditions, ' and ')} order by id desc limit ${limit + 1}`)
  return pageOf(rows, limit, ({ id }) => [id])
}

export async function lockListenToken(transaction: Queryable, id: string): Promise<ListenToken | null> {
  if (!isId('ltk', id)) return null
  const [token] = await transaction.query<ListenToken>(sql`
    select ${columns} from listen_tokens where id = ${id} for update`)
  return token ?? null
}

/** Revoking a token twice keeps the first time. */
export async function revokeListenToken(database: Queryable, id: string, now: Date): Promise<ListenToken | null> {
  const [token] = await database.query<ListenToken>(sql`
    update listen_tokens set revoked_at = coalesce(revoked_at, ${now}) where id = ${id} returning ${columns}`)
  return token ?? null
}

/** Null if the text can't be a token. */
export function hashIfToken(text: string): Buffer | null {
  return /^listen_[A-Za-z0-9_-]{43}$/.test(text) ? hashToken(text) : null
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Derived from the token, so that it need not be stored and every `listen` with this token signs alike. */
export function signingSecretOf(token: string): string {
  return `whsec_${createHmac('sha256', token).update('signing secret').digest('base64url')}`
}

export function removeExpiredListenTokens(
  database: Queryable,
  position: RemovalPosition,
  until: Date,
): Promise<RemovalStep> {
  const isDue = sql`expires_at <= ${until}`
  return removeAgedRows(database, { table: 'listen_tokens', key: 'id', isDue }, position)
}
