import { createHash, randomBytes, randomInt } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { isId, newId } from '../database/ids.ts'

export const scopes = ['templates:read', 'templates:write', 'invitations:write', 'results:read'] as const
export type Scope = (typeof scopes)[number]

export type ApiKey = {
  id: string
  organizationId: string
  publicId: string
  label: string
  /** Null: made before scopes existed, and so holds all of them. */
  scopes: Scope[] | null
  createdBy: string
  createdAt: string
  lastUsedAt: string | null
  revokedAt: string | null
}

export type NewKey = { organizationId: string; label: string; scopes: Scope[]; createdBy: string }

/** Makes a key. The key itself is in the answer and nowhere else: only its hash is kept. */
export async function mintKey(
  database: Queryable,
  wanted: NewKey,
  now: Date,
): Promise<{ id: string; key: string; label: string; scopes: Scope[] }> {
  if (wanted.scopes.length === 0) throw new Error('A key needs at least one scope')
  const id = newId('key')
  const publicId = randomPublicId()
  const key = `service_live_${publicId}.${randomBytes(32).toString('base64url')}`
  await database.query(sql`
    insert into api_keys (id, organization_id, public_id, hash, label, scopes, created_by, created_at)
    values (${id}, ${wanted.organizationId}, ${publicId}, ${hashKey(key)}, ${wanted.label}, ${wanted.scopes},
      ${wanted.createdBy}, ${now})`)
  return { id, key, label: wanted.label, scopes: wanted.scopes }
}

export async function listKeys(database: Queryable, organizationId: string): Promise<ApiKey[]> {
  return database.query(sql`
    select id, organization_id as "organizationId", public_id as "publicId", label, scopes,
      created_by as "createdBy", created_at as "createdAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"
    from api_keys where organization_id = ${organizationId} order by id desc`)
}

/** Held until the transaction ends, so that what is found still is so when it is changed. */
export async function holdKey(transaction: Queryable, id: string): Promise<ApiKey | null> {
  if (!isId('key', id)) return null
  const [key] = await transaction.query<ApiKey>(sql`
    select id, organization_id as "organizationId", public_id as "publicId", label, scopes,
      created_by as "createdBy", created_at as "createdAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"
    from api_keys where id = ${id} for update`)
  return key ?? null
}

/** Revokes a key from this moment on. Revoking twice keeps the first time. */
export async function revokeKey(database: Queryable, id: string, now: Date): Promise<ApiKey | null> {
  const [key] = await database.query<ApiKey>(sql`
    update api_keys set revoked_at = coalesce(revoked_at, ${now}) where id = ${id}
    returning id, organization_id as "organizationId", public_id as "publicId", label, scopes,
      created_by as "createdBy", created_at as "createdAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"`)
  return key ?? null
}

/** A key as it may be seen at any time. */
export function shownKey(key: ApiKey) {
  const { id, label, createdBy, createdAt, lastUsedAt, revokedAt } = key
  return {
    id,
    label,
    prefix: `service_live_${key.publicId}`,
    scopes: key.scopes ?? [...scopes],
    legacy: key.scopes === null,
    createdBy,
    createdAt,
    lastUsedAt,
    revokedAt,
  }
}

export function isScope(text: string): text is Scope {
  return scopes.some((scope) => scope === text)
}

const form = /^service_live_([A-Za-z0-9]{16})\.[A-Za-z0-9_-]{43}$/

/** The public part of a key that has the right form; null for anything else. */
export function publicIdOf(key: string): string | null {
  return form.exec(key)?.[1] ?? null
}

export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

function randomPublicId(): string {
  return Array.from({ length: 16 }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
}
