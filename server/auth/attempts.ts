import { createHash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import sql from 'sql-template-tag'
import type { Database, Queryable } from '../database/database.ts'
import { type RemovalPosition, type RemovalStep, removeDueRows } from '../database/removal.ts'

const windowMilliseconds = 15 * 60_000

/** What is being tried. Each kind has counts of its own. */
export type AttemptKind = keyof typeof limits

// An office behind one address mistypes more than one person does. The limit per account is higher than what a single
// network may try, so that no single stranger can lock out its owner.
const limits = {
  password: { address: 50, pair: 10, email: 100 },
  // A million codes, three of them right at any time.
  code: { address: 30, pair: 5, email: 20 },
  // Every one costs requests to an identity provider. Only the network counts: nobody else's attempts matter.
  sign_on: { address: 200, pair: 200, email: 1_000_000 },
  // Asking for a reset link. Nobody is locked out: the links already sent keep working.
  reset: { address: 20, pair: 10, email: 100 },
}

// A home can use 256 networks of IPv6 as easily as one. Several people behind one /56 may sign in at once, though.
const networksPerSite = 4

export type Attempt = { kind: AttemptKind; address: string; email: string }

export type AttemptDecision = { allowed: true } | { allowed: false; seconds: number }

/** `isKnown`: the user has signed in from this network before. */
export type CountedAttempt = { allowed: true; isKnown: boolean } | { allowed: false; seconds: number }

/**
 * Counts an attempt before it is made, across all processes: by network, by the home or office that an IPv6 network is
 * part of, by network and account, and by account. A rejected attempt does not count further. On a network where the user
 * has signed in before, attempts from elsewhere don't matter, so strangers can't lock anyone out.
 */
export async function countAttempt(database: Database, attempt: Attempt, now: Date): Promise<CountedAttempt> {
  const { address, site, pair, email, place } = subjectsOf(attempt)
  const max = limits[attempt.kind]
  const byAddress = await count(database, address, max.address, now)
  if (!byAddress.allowed) return byAddress
  const bySite = site ? await count(database, site, max.address * networksPerSite, now) : byAddress
  if (!bySite.allowed) return bySite
  const byPair = await count(database, pair, max.pair, now)
  if (!byPair.allowed) return byPair
  if (await isKnownNetwork(database, place)) return { allowed: true, isKnown: true }
  const byEmail = await count(database, email, max.email, now)
  return byEmail.allowed ? { allowed: true, isKnown: false } : byEmail
}

/** Counts something that only needs one limit, such as messages to an address. */
export function countOnce(database: Database, subject: string, limit: number, now: Date): Promise<AttemptDecision> {
  return count(database, digest(subject), limit, now)
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

async function isKnownNetwork(database: Queryable, place: Buffer): Promise<boolean> {
  const found = await database.query(sql`select from sign_in_places where subject = ${place}`)
  return found.length > 0
}

/**
 * Resets the account's counts. The network itself only gets this one attempt back: otherwise, signing in to one's own
 * account would allow unlimited attempts on others.
 */
export async function forgiveAttempts(database: Database, attempt: Attempt): Promise<void> {
  const { address, site, pair, email } = subjectsOf(attempt)
  await database.query(sql`delete from sign_in_attempts where subject in (${pair}, ${email})`)
  await database.query(sql`
    update sign_in_attempts set tried = tried - 1 where subject in (${address}, ${site}) and tried > 0`)
}

/** To be called when a sign-in is complete. */
export async function rememberNetwork(
  database: Database,
  { address, email }: Omit<Attempt, 'kind'>,
  now: Date,
): Promise<void> {
  const { place } = subjectsOf({ kind: 'password', address, email })
  await database.query(sql`
    insert into sign_in_places (subject, seen_at) values (${place}, ${now})
    on conflict (subject) do update set seen_at = excluded.seen_at`)
}

export function removeOldAttempts(database: Queryable, position: RemovalPosition, until: Date): Promise<RemovalStep> {
  return removeDueRows(database, { table: sql`sign_in_attempts`, isDue: sql`started_at <= ${until}` }, position)
}

export function removeOldNetworks(database: Queryable, position: RemovalPosition, until: Date): Promise<RemovalStep> {
  return removeDueRows(database, { table: sql`sign_in_places`, isDue: sql`seen_at <= ${until}` }, position)
}

function subjectsOf({ kind, address, email }: Attempt) {
  const [{ network, site }, account] = [networkOf(address), email.toLowerCase()]
  // Passwords were counted first, without a prefix.
  const prefix = kind === 'password' ? '' : `${kind} `
  return {
    address: digest(`${prefix}address ${network}`),
    site: site === null ? null : digest(`${prefix}site ${site}`),
    pair: digest(`${prefix}pair ${network} ${account}`),
    email: digest(`${prefix}email ${account}`),
    place: digest(`pair ${network} ${account}`),
  }
}

/** Anyone with one IPv6 address has at least a /64, and most homes have a /56. */
function networkOf(address: string): { network: string; site: string | null } {
  if (!ipaddr.isValid(address)) return { network: address, site: null }
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return { network: parsed.toString(), site: null }
  const [one, two, three, four = 0] = parsed.parts
  return { network: [one, two, three, four].join(':'), site: [one, two, three, four >> 8].join(':') }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
