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

/** A well-formed key that came with a request, and the request's IP address. */
export type PresentedKey = { publicId: string; hash: Buffer; address: string | null }

/** Null if the key is malformed. */
export function presentKey(key: string, address: string | null = null): PresentedKey | null {
  const publicId = publicIdOf(key)
  return publicId === null ? null : { publicId, hash: hashKey(key), address }
}

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
 * Looks up the keys of some requests, checks revocation, expiry and organization, and counts each request, in one statement:
 * every process rejects a revoked or expired key immediately, and all of them share one window, on the database's clock. The rows
 * that count are taken in the order of their keys, so two processes never wait for each other.
 */
export async function authenticate(database: Queryable, keys: readonly PresentedKey[]): Promise<Authentication[]> {
  const publicIds = keys.map(({ publicId }) => publicId)
  const hashes = keys.map(({ hash }) => hash.toString('hex'))
  const addresses = keys.map(({ address }) => address)
  const rows = await database.query<Row>(sql`
    with found as (
      select given.position, given.address, k.id, k.organization_id, coalesce(k.hash, ${noHash}) as hash, k.scopes, o.active,
        sha256(coalesce(k.hash, ${noHash}) || ${blinding}::bytea)
          = sha256(decode(given.hash, 'hex') || ${blinding}::bytea) as matches
      from unnest(${publicIds}::text[], ${hashes}::text[], ${addresses}::text[])
        with ordinality as given (public_id, hash, address, position)
      left join api_keys k on k.public_id = given.public_id and ${isUsable}
      left join organizations o on o.id = k.organization_id
    ), used as (
      select id, count(*)::int as requests, max(address) as address from found
      where id is not null and matches group by id
    ), counted as (
      insert into rate_windows as w (key_id, minute, used)
      select id, floor(extract(epoch from now()) / ${windowSeconds}::int)::bigint, requests from used order by id
      on conflict (key_id) do update set
        -- More than a minute ahead: written before the clock was set back.
        used = case
          when w.minute < excluded.minute or w.minute > excluded.minute + 1 then excluded.used
          else w.used + excluded.used
        end,
        minute = case when w.minute > excluded.minute + 1 then excluded.minute else greatest(w.minute, excluded.minute) end
      returning w.key_id, w.used as total
    ), touched as (
      update api_keys k set last_used_at = now(), last_used_address = coalesce(used.address, k.last_used_address)
      from used, counted
      where k.id = used.id and counted.key_id = used.id and counted.total = used.requests
    )
    select found.id as "keyId", found.organization_id as "organizationId", found.hash, found.scopes, found.active,
      (counted.total - used.requests
        + row_number() over (partition by used.id order by found.position))::int as used,
      (${windowSeconds}::int - floor(extract(epoch from now()))::bigint % ${windowSeconds}::int)::int as "secondsToReset"
    from found
    left join used on used.id = found.id and found.matches
    left join counted on counted.key_id = used.id
    order by found.position`)
  return keys.map(({ hash }, index) => authenticationOf(rows[index], hash))
}

/** Whether a caller authenticated a moment ago still is. Counts nothing. */
export async function authenticateAgain(database: Queryable, { keyId }: Caller): Promise<Authentication['outcome']> {
  const [found] = await database.query<{ active: boolean }>(sql`
    select o.active from api_keys k join organizations o on o.id = k.organization_id
    where k.id = ${keyId} and ${isUsable}`)
  if (!found) return 'invalid'
  return found.active ? 'authenticated' : 'inactive'
}

function authenticationOf(row: Row | undefined, hash: Buffer): Authentication {
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
