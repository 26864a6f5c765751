import { timingSafeEqual } from 'node:crypto'
import sql from 'sql-template-tag'
import { createBatcher } from '../database/batcher.ts'
import type { Queryable } from '../database/database.ts'
import { hashKey, isUsable, publicIdOf } from './api-keys.ts'
import { type Authentication, authenticate } from './authenticate.ts'

/** `address` is where the request comes from. */
export type Authenticator = (key: string, address?: string) => Promise<Authentication>

const restAfterWrongKeys = 50
const keysPerLookup = 500
const maxKnownKeys = 10_000

/**
 * Keeps wrong keys cheap. A key that this process has accepted before goes straight to the counting statement; any other
 * is looked up first. After a lookup with a wrong key among them, the next waits 50 ms and takes all that arrive
 * meanwhile. However many strangers guess, they cost at most 20 small statements a second, and a valid key is delayed by
 * 50 ms once but never rejected. Memory decides nothing: a revoked key is rejected by the statement.
 */
export function createAuthenticator(database: Queryable): Authenticator {
  const known = new Set<string>()
  const isStored = createBatcher((keys: PresentedKey[]) => findStored(database, keys), {
    most: keysPerLookup,
    restAfter: (stored) => (stored.every(Boolean) ? 0 : restAfterWrongKeys),
  })

  return async (key, address) => {
    const publicId = publicIdOf(key)
    if (publicId === null) return { outcome: 'invalid' }
    const hash = hashKey(key)
    const digest = hash.toString('base64')
    if (!known.has(digest) && !(await isStored({ publicId, hash }))) return { outcome: 'invalid' }

    const authentication = await authenticate(database, key, address)
    if (authentication.outcome === 'invalid') known.delete(digest)
    else known.add(digest)
    const [oldest] = known
    if (known.size > maxKnownKeys && oldest !== undefined) known.delete(oldest)
    return authentication
  }
}

type PresentedKey = { publicId: string; hash: Buffer }

async function findStored(database: Queryable, keys: PresentedKey[]): Promise<boolean[]> {
  const rows = await database.query<PresentedKey>(sql`
    select public_id as "publicId", hash from api_keys
    where public_id = any(${keys.map(({ publicId }) => publicId)}::text[]) and ${isUsable}`)
  const hashes = new Map(rows.map(({ publicId, hash }) => [publicId, hash]))
  return keys.map(({ publicId, hash }) => timingSafeEqual(hashes.get(publicId) ?? noHash, hash))
}

const noHash = Buffer.alloc(32)
