import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import { type RemovalPosition, type RemovalStep, removeAgedRows } from '../database/removal.ts'
import { hashLinkToken, newLinkToken } from './link-token.ts'

const resetHours = 2

/** The token is only in the return value. */
export async function createReset(
  database: Queryable,
  userId: string,
  now: Date,
): Promise<{ token: string; expiresAt: string }> {
  const token = newLinkToken()
  const expiresAt = new Date(now.getTime() + resetHours * 3_600_000)
  await database.query(sql`
    insert into password_resets (id, user_id, token_hash, created_at, expires_at)
    values (${newId('rst')}, ${userId}, ${hashLinkToken(token)}, ${now}, ${expiresAt})`)
  return { token, expiresAt: expiresAt.toISOString() }
}

/** Null if the link has expired, was used, or never existed. */
export async function findReset(
  database: Queryable,
  token: string,
  now: Date,
): Promise<{ userId: string; email: string; name: string } | null> {
  const [found] = await database.query<{ userId: string; email: string; name: string }>(sql`
    select u.id as "userId", u.email, u.name from password_resets r join users u on u.id = r.user_id
    where r.token_hash = ${hashLinkToken(token)} and r.expires_at > ${now}`)
  return found ?? null
}

/** False if another request was faster. */
export async function consumeReset(transaction: Queryable, token: string, now: Date): Promise<boolean> {
  const consumed = await transaction.query(sql`
    delete from password_resets where token_hash = ${hashLinkToken(token)} and expires_at > ${now} returning 1`)
  return consumed.length > 0
}

/** For someone who joins another organization: the admin who has made a link may not manage that one. */
export async function discardResets(transaction: Queryable, userId: string): Promise<void> {
  await transaction.query(sql`delete from password_resets where user_id = ${userId}`)
}

export function removeExpiredResets(database: Queryable, position: RemovalPosition, until: Date): Promise<RemovalStep> {
  return removeAgedRows(database, { table: 'password_resets', key: 'id', isDue: sql`expires_at <= ${until}` }, position)
}
