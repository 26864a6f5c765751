import { createBatcher } from '../database/batcher.ts'
import type { Queryable } from '../database/database.ts'
import { type Authentication, authenticate, type PresentedKey, presentKey } from './authenticate.ts'

/** `address` is where the request comes from. */
export type Authenticator = (key: string, address?: string) => Promise<Authentication>

const restAfterWrongKeys = 50
const keysPerStatement = 500
const maxKnownKeys = 10_000

/**
 * Requests that arrive together share a statement, and wrong keys are kept cheap: keys that this process has not
 * accepted before are checked apart from the others, and after a check that found a wrong one, the next waits 50 ms and
 * takes all that arrive meanwhile. However many strangers guess, they cost at most 20 statements a second, and a valid
 * key is delayed by 50 ms once but never rejected. Memory decides nothing: a revoked key is rejected by the statement.
 */
export function createAuthenticator(database: Queryable): Authenticator {
  const known = new Set<string>()
  const check = (keys: PresentedKey[]) => authenticate(database, keys)
  const checkKnown = createBatcher(check, { maxSize: keysPerStatement })
  const checkUnknown = createBatcher(check, {
    maxSize: keysPerStatement,
    restAfter: (results) => (results.some(({ outcome }) => outcome === 'invalid') ? restAfterWrongKeys : 0),
  })

  return async (key, address) => {
    const presented = presentKey(key, address)
    if (presented === null) return { outcome: 'invalid' }
    const digest = presented.hash.toString('base64')
    const authentication = await (known.has(digest) ? checkKnown(presented) : checkUnknown(presented))
    if (authentication.outcome === 'invalid') known.delete(digest)
    else known.add(digest)
    if (known.size > maxKnownKeys) forgetOldest(known)
    return authentication
  }
}

function forgetOldest(known: Set<string>): void {
  const [oldest] = known
  if (oldest !== undefined) known.delete(oldest)
}
