import sql from 'sql-template-tag'
import { createBatcher } from '../database/batcher.ts'
import type { Queryable } from '../database/database.ts'
import { hashIfToken, signingSecretOf } from './listen-tokens.ts'

/** Who listens, and since which transaction events may be shown to them. */
export type ListenerIdentity = {
  tokenId: string
  organizationId: string
  organizationName: string
  since: string
  expiresAt: string
  /** What `listen` signs its copies with. */
  secret: string
}

export type ListenAuthentication =
  | { outcome: 'invalid' | 'expired' | 'revoked' | 'inactive' }
  | { outcome: 'authenticated'; listener: ListenerIdentity }

export type ListenAuthenticator = (token: string) => Promise<ListenAuthentication>

const restAfterWrongTokens = 50
const tokensPerLookup = 500

/** As with API keys, wrong tokens cost at most 20 statements a second, however many there are. */
export function createListenAuthenticator(database: Queryable, clock: () => Date): ListenAuthenticator {
  const find = createBatcher((hashes: Buffer[]) => findTokens(database, hashes, clock()), {
    maxSize: tokensPerLookup,
    restAfter: (found) => (found.includes(null) ? restAfterWrongTokens : 0),
  })

  return async (token) => {
    const hash = hashIfToken(token)
    const found = hash && (await find(hash))
    if (!found) return { outcome: 'invalid' }
    const { state, lastUsedAt, ...identity } = found
    if (state !== 'valid') return { outcome: state }
    const now = clock()
    if (lastUsedAt === null || now.getTime() - Date.parse(lastUsedAt) >= useNotedEvery) {
      await noteUse(database, [identity.tokenId], now)
    }
    return { outcome: 'authenticated', listener: { ...identity, secret: signingSecretOf(token) } }
  }
}

type FoundToken = Omit<ListenerIdentity, 'secret'> & { state: TokenState; lastUsedAt: string | null }
type TokenState = 'valid' | 'expired' | 'revoked' | 'inactive'

/** The state of token `t` of organization `o`. */
const stateAt = (now: Date) => sql`
  case when t.revoked_at is not null then 'revoked' when t.expires_at <= ${now} then 'expired'
    when not o.active then 'inactive' else 'valid' end`

async function findTokens(database: Queryable, hashes: Buffer[], now: Date): Promise<(FoundToken | null)[]> {
  const rows = await database.query<FoundToken & { hash: Buffer }>(sql`
    select t.hash, t.id as "tokenId", t.organization_id as "organizationId", o.name as "organizationName",
      t.since::text as since, t.expires_at as "expiresAt", t.last_used_at as "lastUsedAt", ${stateAt(now)} as state
    from listen_tokens t join organizations o on o.id = t.organization_id
    where t.hash = any(${hashes}::bytea[])`)
  const byHash = new Map(rows.map(({ hash, ...token }) => [hash.toString('hex'), token]))
  return hashes.map((hash) => byHash.get(hash.toString('hex')) ?? null)
}

/** Milliseconds. Anyone who looks at the time of the last use sees it in minutes. */
export const useNotedEvery = 60_000

export async function noteUse(database: Queryable, ids: readonly string[], now: Date): Promise<void> {
  await database.query(sql`update listen_tokens set last_used_at = ${now} where id = any(${ids})`)
}

/** Which of these tokens may no longer listen, and why. A token that was deleted had expired. */
export async function findEndedTokens(
  database: Queryable,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, Exclude<TokenState, 'valid'>>> {
  const rows = await database.query<{ id: string; state: TokenState }>(sql`
    select w.id, coalesce(${stateAt(now)}, 'expired') as state
    from unnest(${ids}::text[]) as w (id)
    left join (listen_tokens t join organizations o on o.id = t.organization_id) on t.id = w.id`)
  return new Map(rows.flatMap(({ id, state }) => (state === 'valid' ? [] : [[id, state]])))
}
