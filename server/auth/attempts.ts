import { createHash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import sql, { type Sql } from 'sql-template-tag'
import type { Database, Queryable } from '../database/database.ts'
import type { RemovalPosition, RemovalStep } from '../database/removal.ts'

const windowMilliseconds = 15 * 60_000

// An office behind one address mistypes more than one person does. The limit per account is higher than what a single
// network may try, so that no single stranger can lock out its owner.
const maxByAddress = 50
const maxByPair = 10
const maxByEmail = 100

export type Attempt = { address: string; email: string }

export type AttemptDecision = { allowed: true } | { allowed: false; seconds: number }

/**
 * Counts an attempt before it is made, across all processes: by network, by network and account, and by account. A
 * rejected attempt does not count further. On a network where the user has signed in before, attempts from elsewhere
 * don't matter, so strangers can't lock anyone out.
 */
export async function countAttempt(database: Database, attempt: Attempt, now: Date): Promise<AttemptDecision> {
  const { address, pair, email } = subjectsOf(attempt)
  const byAddress = await count(database, address, maxByAddress, now)
  if (!byAddress.allowed) return byAddress
  const byPair = await count(database, pair, maxByPair, now)
  if (!byPair.allowed || (await isKnownNetwork(database, pair))) return byPair
  return count(database, email, maxByEmail, now)
}

async function count(database: Database, subject: Buffer, limit: number, now: Date): Promise<AttemptDecision> {
  const expired = new Date(now.getTime() - windowMilliseconds)
  const ahead = new Date(now.getTime() + windowMilliseconds)
  // Further ahead than clocks of different machines drift apart: written before a clock was set back.
  const isOver = sql`(a.started_at <= ${expired} or a.started_at > ${ahead})`
  const [row] = await database.query<{ tried: number; startedAt: string }>(sql`
    insert into sign_in_attempts as a (subject, started_at, tried) values (${subject}, ${now}, 1)
    on conflict (subject) do update set
      tried = case when ${isOver} then 1 else least(a.tried, ${limit}::int) + 1 end,
      started_at = case when ${isOver} then excluded.started_at else a.started_at end
    returning tried, started_at as "startedAt"`)
  if (!row || row.tried <= limit) return { allowed: true }
  const endsAt = Date.parse(row.startedAt) + windowMilliseconds
  return { allowed: false, seconds: Math.max(1, Math.ceil((endsAt - now.getTime()) / 1000)) }
}

async function isKnownNetwork(database: Queryable, pair: Buffer): Promise<boolean> {
  const found = await database.query(sql`select from sign_in_places where subject = ${pair}`)
  return found.length > 0
}

/**
 * Resets the account's counts and remembers the network. The network itself only gets this one attempt back: otherwise,
 * signing in to one's own account would allow unlimited attempts on others.
 */
export async function recordSuccess(database: Database, attempt: Attempt, now: Date): Promise<void> {
  const { address, pair, email } = subjectsOf(attempt)
  await database.query(sql`delete from sign_in_attempts where subject in (${pair}, ${email})`)
  await database.query(sql`update sign_in_attempts set tried = tried - 1 where subject = ${address} and tried > 0`)
  await database.query(sql`
    insert into sign_in_places (subject, seen_at) values (${pair}, ${now})
    on conflict (subject) do update set seen_at = excluded.seen_at`)
}

export function removeOldAttempts(database: Queryable, position: RemovalPosition, until: Date): Promise<RemovalStep> {
  return removeOldest(database, sql`sign_in_attempts`, sql`started_at <= ${until}`, position)
}

export function removeOldNetworks(database: Queryable, position: RemovalPosition, until: Date): Promise<RemovalStep> {
  return removeOldest(database, sql`sign_in_places`, sql`seen_at <= ${until}`, position)
}

const rowsPerStep = 500

// Not removeAgedRows, which needs max(key): there is no max(bytea) before PostgreSQL 18.
async function removeOldest(
  database: Queryable,
  table: Sql,
  isOld: Sql,
  { remove }: RemovalPosition,
): Promise<RemovalStep> {
  if (!remove) {
    const [counted] = await database.query<{ due: number }>(sql`select count(*) as due from ${table} where ${isOld}`)
    return { due: counted?.due ?? 0, next: null }
  }
  const removed = await database.query(sql`
    delete from ${table} where subject in (
      select subject from ${table} where ${isOld} limit ${rowsPerStep} for update skip locked)
    returning 1`)
  return { due: removed.length, next: removed.length < rowsPerStep ? null : 'more' }
}

function subjectsOf({ address, email }: Attempt): Record<'address' | 'pair' | 'email', Buffer> {
  const [network, account] = [networkOf(address), email.toLowerCase()]
  return {
    address: digest(`address ${network}`),
    pair: digest(`pair ${network} ${account}`),
    email: digest(`email ${account}`),
  }
}

/** Anyone with one IPv6 address has at least a /64. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString()
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
