import { hash, randomBytes, randomInt } from 'node:crypto'
import sql, { join } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { isId, newId } from '../database/ids.ts'
import { decodeCursor, type Page, pageOf } from '../database/paging.ts'

export const scopes = ['templates:read', 'templates:write', 'invitations:write', 'results:read'] as const
export type Scope = (typeof scopes)[number]

export type ApiKey = {
  id: string
  organizationId: string
  publicId: string
  label: string
  /** Null: created before scopes existed, so it has all of them. */
  scopes: Scope[] | null
  createdBy: string
  createdAt: string
  lastUsedAt: string | null
  lastUsedAddress: string | null
  /** Null: never. */
  expiresAt: string | null
  revokedAt: string | null
  /** The key that replaces this one. */
  successorId: string | null
}

const columns = sql`id, organization_id as "organizationId", public_id as "publicId", label, scopes,
  created_by as "createdBy", created_at as "createdAt", last_used_at as "lastUsedAt",
  last_used_address as "lastUsedAddress", expires_at as "expiresAt", revoked_at as "revokedAt",
  successor_id as "successorId"`

/** SQL condition on an api_keys row: neither revoked nor expired, by the database's clock. */
export const isUsable = sql`revoked_at is null and (expires_at is null or expires_at > now())`

export type NewKey = {
  organizationId: string
  label: string
  scopes: Scope[]
  createdBy: string
  /** Default: never. */
  expiresAt?: Date | null
}

/** The key is only in the return value; the database stores its hash. */
export async function mintKey(
  database: Queryable,
  { organizationId, label, scopes, createdBy, expiresAt = null }: NewKey,
  now: Date,
): Promise<{ id: string; key: string; label: string; scopes: Scope[] }> {
  if (scopes.length === 0) throw new Error('A key needs at least one scope')
  const id = newId('key')
  const publicId = randomPublicId()
  const key = `service_live_${publicId}.${randomBytes(32).toString('base64url')}`
  await database.query(sql`
    insert into api_keys (id, organization_id, public_id, hash, label, scopes, created_by, created_at, expires_at)
    values (${id}, ${organizationId}, ${publicId}, ${hashKey(key)}, ${label}, ${scopes}, ${createdBy}, ${now},
      ${expiresAt})`)
  return { id, key, label, scopes }
}

/** Per organization, not counting revoked and expired keys: plenty for one per system and environment. */
export const maxKeys = 100

/** Locks the organization until the transaction ends, so that two requests can't both take the last one. */
export async function hasRoomForKey(transaction: Queryable, organizationId: string): Promise<boolean> {
  await transaction.query(sql`select from organizations where id = ${organizationId} for no key update`)
  const [counted] = await transaction.query<{ count: number }>(sql`
    select count(*) from api_keys where organization_id = ${organizationId} and ${isUsable}`)
  return (counted?.count ?? 0) < maxKeys
}

/** Active keys first, then revoked ones, each newest first. */
export async function listKeys(
  database: Queryable,
  organizationId: string,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<Page<ApiKey> | 'invalid_cursor'> {
  const conditions = [sql`organization_id = ${organizationId}`]
  if (cursor !== undefined) {
    const [group, id] = decodeCursor(cursor) ?? []
    if ((group !== 0 && group !== 1) || typeof id !== 'string' || !isId('key', id)) return 'invalid_cursor'
    conditions.push(
      group === 1 ? sql`revoked_at is not null and id < ${id}` : sql`(revoked_at is not null or id < ${id})`,
    )
  }
  const rows = await database.query<ApiKey>(sql`
    select ${columns} from api_keys where ${join(conditions, ' and ')}
    order by revoked_at is not null, id desc limit ${limit + 1}`)
  return pageOf(rows, limit, ({ id, revokedAt }) => [revokedAt === null ? 0 : 1, id])
}

export async function lockKey(transaction: Queryable, id: string): Promise<ApiKey | null> {
  if (!isId('key', id)) return null
  const [key] = await transaction.query<ApiKey>(sql`
    select ${columns} from api_keys where id = ${id} for update`)
  return key ?? null
}

/** Revoking a key twice keeps the first time. */
export async function revokeKey(database: Queryable, id: string, now: Date): Promise<ApiKey | null> {
  const [key] = await database.query<ApiKey>(sql`
    update api_keys set revoked_at = coalesce(revoked_at, ${now}) where id = ${id} returning ${columns}`)
  return key ?? null
}

/** Null if there is no such key. */
export async function changeKey(
  database: Queryable,
  id: string,
  { label, expiresAt, successorId }: { label: string; expiresAt: Date | null; successorId: string | null },
): Promise<ApiKey | null> {
  const [key] = await database.query<ApiKey>(sql`
    update api_keys set label = ${label}, expires_at = ${expiresAt}, successor_id = ${successorId} where id = ${id}
    returning ${columns}`)
  return key ?? null
}

export function keyStatus({ revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: Date) {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && Date.parse(expiresAt) <= now.getTime() ? 'expired' : 'active'
}

/** What may be shown of a key after it was created. */
export function describeKey(key: ApiKey) {
  const { id, label, createdBy, createdAt, lastUsedAt, lastUsedAddress, expiresAt, revokedAt, successorId } = key
  return {
    id,
    label,
    prefix: `service_live_${key.publicId}`,
    scopes: key.scopes ?? [...scopes],
    legacy: key.scopes === null,
    createdBy,
    createdAt,
    lastUsedAt,
    lastUsedAddress,
    expiresAt,
    revokedAt,
    successorId,
  }
}

export function isScope(text: string): text is Scope {
  return scopes.some((scope) => scope === text)
}

const keyPattern = /^service_live_([A-Za-z0-9]{16})\.[A-Za-z0-9_-]{43}$/

/** Null if the key is malformed. */
export function publicIdOf(key: string): string | null {
  return keyPattern.exec(key)?.[1] ?? null
}

export function hashKey(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

function randomPublicId(): string {
  return Array.from({ length: 16 }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
}
