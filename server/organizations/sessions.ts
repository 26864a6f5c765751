import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { recordActivity } from './activity.ts'
import { organizationsOf } from './members.ts'

export type ListedSession = {
  id: string
  createdAt: string
  lastSeenAt: string
  address: string | null
  userAgent: string | null
}

/**
 * Unexpired sessions, the one last seen first. `only` is set for someone who came by single sign-on: they see what is
 * theirs in that organization.
 */
export async function listSessions(database: Queryable, userId: string, only: string | null): Promise<ListedSession[]> {
  return database.query(sql`
    select id, created_at as "createdAt", coalesce(last_seen_at, updated_at) as "lastSeenAt", ip_address as address,
      user_agent as "userAgent"
    from sessions where user_id = ${userId} and expires_at > now() and ${isWithin(only)}
    order by coalesce(last_seen_at, updated_at) desc, id desc limit 100`)
}

/** Where a session was last used from. The user agent is what the browser says about itself. */
export type Device = { address: string; userAgent: string | undefined }

export async function recordSignIn(
  database: Queryable,
  { token, device }: { token: string; device: Device },
  now: Date,
): Promise<void> {
  const userAgent = device.userAgent?.slice(0, maxUserAgent) ?? null
  await database.query(sql`
    update sessions set ip_address = ${device.address}, user_agent = ${userAgent}, last_seen_at = ${now}
    where token = ${token}`)
}

const maxUserAgent = 300

/**
 * Ends a new session if its user's password is another by now, or if there is a second factor, whose code was not asked
 * for. Returns whether it did.
 */
export async function endOutdatedSession(
  database: Queryable,
  { token, passwordHash }: { token: string; passwordHash: string | null },
): Promise<boolean> {
  const ended = await database.query(sql`
    delete from sessions s using users u join accounts a on a.user_id = u.id
    where s.token = ${token} and u.id = s.user_id
      and (u.two_factor_enabled or a.password is distinct from ${passwordHash})
    returning 1`)
  return ended.length > 0
}

export async function recordVisit(database: Queryable, sessionId: string, address: string, now: Date): Promise<void> {
  await database.query(sql`update sessions set ip_address = ${address}, last_seen_at = ${now} where id = ${sessionId}`)
}

/** Which of a user's sessions to end. */
export type EndedSessions = { only: string } | { allBut: string } | 'all'

/** Returns how many ended. Recorded in the given organization, or in all of the user's. */
export async function endSessions(
  transaction: Queryable,
  {
    user,
    which,
    actor,
    organizationId,
    only = null,
  }: {
    user: { id: string; email: string }
    which: EndedSessions
    actor: string
    organizationId?: string
    only?: string | null
  },
  now: Date,
): Promise<number> {
  const ended = await transaction.query(sql`
    delete from sessions where user_id = ${user.id} and ${conditionOf(which)} and ${isWithin(only)} returning 1`)
  if (ended.length === 0) return 0
  const places = organizationId === undefined ? await organizationsOf(transaction, user.id) : [{ id: organizationId }]
  const detail = ended.length === 1 ? '1 session' : `${ended.length} sessions`
  for (const { id } of places) {
    const change = { organizationId: id, actor, action: 'member.signed_out', subject: user.email, detail } as const
    await recordActivity(transaction, change, now)
  }
  return ended.length
}

function isWithin(organizationId: string | null) {
  return organizationId === null ? sql`true` : sql`organization_id = ${organizationId}`
}

function conditionOf(which: EndedSessions) {
  if (which === 'all') return sql`true`
  return 'only' in which ? sql`id = ${which.only}` : sql`id <> ${which.allBut}`
}

/** Ends what an organization's identity provider vouched for. */
export async function endSignOnSessions(transaction: Queryable, organizationId: string): Promise<void> {
  await transaction.query(sql`delete from sessions where organization_id = ${organizationId}`)
}
