import { createHash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import sql from 'sql-template-tag'
import type { Database } from '../database/database.ts'

const windowMilliseconds = 15 * 60_000

// One person mistypes a few times; an office behind one address may do so together.
const mostByEmail = 10
const mostByAddress = 50

export type Attempt = { address: string; email: string }

/**
 * Counts an attempt before it is made, in the database that all processes share: by where it comes from, and by whom it
 * is for, so that one account cannot be ground through from many places. Says how long to wait when it is one too many.
 */
export async function countAttempt(
  database: Database,
  attempt: Attempt,
  now: Date,
): Promise<{ allowed: true } | { allowed: false; seconds: number }> {
  const { email } = subjectsOf(attempt)
  const subjects = Object.values(subjectsOf(attempt)).sort(Buffer.compare)
  const expired = new Date(now.getTime() - windowMilliseconds)
  const counted = await database.query<{ subject: Buffer; tried: number; startedAt: string }>(sql`
    with forgotten as (
      delete from sign_in_attempts where subject in (
        select subject from sign_in_attempts where started_at <= ${expired} and subject <> all(${subjects}::bytea[])
        limit 100 for update skip locked)
    )
    insert into sign_in_attempts as a (subject, started_at, tried)
    select subject, ${now}, 1 from unnest(${subjects}::bytea[]) subject
    on conflict (subject) do update set
      tried = case when a.started_at <= ${expired} then 1 else a.tried + 1 end,
      started_at = case when a.started_at <= ${expired} then excluded.started_at else a.started_at end
    returning subject, tried, started_at as "startedAt"`)

  const exceeded = counted.filter(({ subject, tried }) => tried > (subject.equals(email) ? mostByEmail : mostByAddress))
  if (exceeded.length === 0) return { allowed: true }
  const free = Math.max(...exceeded.map(({ startedAt }) => Date.parse(startedAt) + windowMilliseconds))
  return { allowed: false, seconds: Math.max(1, Math.ceil((free - now.getTime()) / 1000)) }
}

/**
 * An attempt that was right. The account begins anew; the address gets back only this one, or an account of one's own
 * would do to try those of others without end.
 */
export async function forgiveAttempt(database: Database, attempt: Attempt): Promise<void> {
  const { email, address } = subjectsOf(attempt)
  await database.query(sql`delete from sign_in_attempts where subject = ${email}`)
  await database.query(sql`update sign_in_attempts set tried = tried - 1 where subject = ${address} and tried > 0`)
}

function subjectsOf({ address, email }: Attempt): { address: Buffer; email: Buffer } {
  return { address: digest(`address ${network(address)}`), email: digest(`email ${email.toLowerCase()}`) }
}

/** Whoever has one IPv6 address has at least the 2^64 beside it. */
function network(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString()
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
