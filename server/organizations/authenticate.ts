import { randomBytes, timingSafeEqual } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { type RemovalPosition, type RemovalStep, removeAgedRows } from '../database/removal.ts'
import { hashKey, isUsable, publicIdOf, type Scope, scopes } from './api-keys.ts'

export const requestsPerWindow = 120
export const windowSeconds = 60

export type Caller = { organizationId: string; keyId: string; scopes: readonly Scope[] }

export type Window = { left: number; secondsToReset: number; exceeded: boolean }

export type Authentication =
  | { outcome: 'invalid' }
  | { outcome: 'inactive'; caller: Caller; window: Window }
  | { outcome: 'authenticated'; caller: Caller; window: Window }

type Row = {
  keyId: string | null
  organizationId: string
  hash: Buffer
  scopes: Scope[] | null
  active: boolean
  used: number | null
  secondsToReset: number
}

// The database compares digests that include this secret value, so the time that takes reveals nothing about the hash.
const blinding = randomBytes(32)
const noHash = Buffer.alloc(32)

/**
 * Looks up a key, checks revocation, expiry and organization, and counts the request, in one statement: every process rejects a
 * revoked or expired key immediately, and all of them share one window, on the database's clock.
 */
export async function authenticate(
  database: Queryable,
  key: string,
  address: string | null = null,
): Promise<Authentication> {
  const publicId = publicIdOf(key)
  if (publicId === null) return { outcome: 'invalid' }
  const hash = hashKey(key)

  const [row] = await database.query<Row>(sql`
    with found as (
      select k.id, k.organization_id, coalesce(k.hash, ${noHash}) as hash, k.scopes, o.active,
        floor(extract(epoch from now()) / ${windowSeconds}::int)::bigint as minute
      from (select ${publicId}::text as public_id) given
      left join api_keys k on k.public_id = given.public_id and ${isUsable}
      left join organizations o on o.id = k.organization_id
    ), counted as (
      insert into rate_windows as w (key_id, minute, used)
      select id, minute, 1 from found
      where id is not null and sha256(hash || ${blinding}::bytea) = sha256(${hash}::bytea || ${blinding}::bytea)
      on conflict (key_id) do update set
        -- More than a minute ahead: written before the clock was set back.
        used = case when w.minute < excluded.minute or w.minute > excluded.minute + 1 then 1 else w.used + 1 end,
        minute = case when w.minute > excluded.minute + 1 then excluded.minute else greatest(w.minute, excluded.minute) end
      returning w.used
    ), touched as (
      update api_keys k set last_used_at = now(), last_used_address = coalesce(${address}, k.last_used_address)
      from found, counted where k.id = found.id and counted.used = 1
    )
    select found.id as "keyId", found.organization_id as "organizationId", found.hash, found.scopes, found.active,
      counted.used,
      (${windowSeconds}::int - floor(extract(epoch from now()))::bigint % ${windowSeconds}::int)::int as "secondsToReset"
    from found left join counted on true`)

  const same = timingSafeEqual(row?.hash ?? noHash, hash)
  if (!row || !same || row.keyId === null || row.used === null) return { outcome: 'invalid' }

  const window = {
    left: Math.max(0, requestsPerWindow - row.used),
    secondsToReset: row.secondsToReset,
    exceeded: row.used > requestsPerWindow,
  }
  const caller = { organizationId: row.organizationId, keyId: row.keyId, scopes: row.scopes ?? scopes }
  return { outcome: row.active ? 'authenticated' : 'inactive', caller, window }
}

export function removeOldRateWindows(
  database: Queryable,
  position: RemovalPosition,
  until: Date,
): Promise<RemovalStep> {
  const isDue = sql`minute < ${Math.floor(until.getTime() / 60_000)}::bigint`
  return removeAgedRows(database, { table: 'rate_windows', key: 'key_id', isDue }, position)
}
