import sql, { join } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { decodeCursor, type Page, pageOf } from '../database/paging.ts'
import { type RemovalPosition, type RemovalStep, removeAgedRows } from '../database/removal.ts'
import { createUser, storePassword } from './accounts.ts'
import { type Action, recordActivity } from './activity.ts'
import { discardResets } from './password-resets.ts'

export const roles = ['admin', 'viewer'] as const
/** Admins can do everything; viewers can read deliveries and change nothing. */
export type Role = (typeof roles)[number]

export type Member = {
  id: string
  email: string
  name: string
  role: Role
  organizationId: string
  createdAt: string
  /** The last sign-in that led to this organization. */
  lastSignInAt: string | null
  secondFactor: boolean
}

export type NewMember = { organizationId: string; email: string; name: string; role: Role; actor: string }

// What the sign-in library accepts as an address, so that every member can sign in.
const email = /^[a-z0-9_+-]+([.'][a-z0-9_+-]+)*@([a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/i

export function isMemberEmail(text: string): boolean {
  return text.length <= 254 && email.test(text)
}

/**
 * Also changes a member's role. Existing users keep their name and password; `passwordHash` is for new ones. An
 * organization always keeps an admin. `account_exists`: someone else has just created one for this address.
 */
export async function addMember(
  transaction: Queryable,
  member: NewMember & { passwordHash: string | null },
  now: Date,
): Promise<'added' | 'password_needed' | 'account_exists' | 'last_admin'> {
  const { organizationId, role, actor, passwordHash } = member
  const email = member.email.toLowerCase()
  const existing = await findUser(transaction, email)
  if (!existing && passwordHash === null) return 'password_needed'
  if (existing && role !== 'admin' && (await isLastAdmin(transaction, organizationId, existing.id))) return 'last_admin'
  const userId = existing?.id ?? (await createUser(transaction, { email, name: member.name, passwordHash }, now))
  if (userId === null) return 'account_exists'
  await transaction.query(sql`
    insert into members (organization_id, user_id, role, created_at) values (${organizationId}, ${userId}, ${role}, ${now})
    on conflict (organization_id, user_id) do update set role = excluded.role`)
  await discardResets(transaction, userId)
  await recordActivity(
    transaction,
    { organizationId, actor, action: 'member.added', subject: email, detail: role },
    now,
  )
  return 'added'
}

/** Locks the organization's admins, so that two requests can't each leave it to the other one. */
async function isLastAdmin(transaction: Queryable, organizationId: string, userId: string): Promise<boolean> {
  const admins = await transaction.query<{ userId: string }>(sql`
    select user_id as "userId" from members where organization_id = ${organizationId} and role = 'admin'
    order by user_id for update`)
  return admins.length === 1 && admins[0]?.userId === userId
}

type User = { id: string; email: string; name: string }

export async function findUser(database: Queryable, email: string): Promise<User | null> {
  const [user] = await database.query<User>(sql`
    select id, email, name from users where email = ${email.toLowerCase()}`)
  return user ?? null
}

export async function listMembers(database: Queryable, organizationId: string): Promise<Member[]> {
  return database.query(sql`${selectMembers} where m.organization_id = ${organizationId} order by u.email`)
}

export async function listMembersByPage(
  database: Queryable,
  organizationId: string,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<Page<Member> | 'invalid_cursor'> {
  const conditions = [sql`m.organization_id = ${organizationId}`]
  if (cursor !== undefined) {
    const [after] = decodeCursor(cursor) ?? []
    if (typeof after !== 'string' || !isMemberEmail(after)) return 'invalid_cursor'
    conditions.push(sql`u.email > ${after}`)
  }
  const rows = await database.query<Member>(sql`
    ${selectMembers} where ${join(conditions, ' and ')} order by u.email limit ${limit + 1}`)
  return pageOf(rows, limit, ({ email }) => [email])
}

const selectMembers = sql`
  select u.id, u.email, u.name, m.role, m.organization_id as "organizationId", m.created_at as "createdAt",
    m.last_sign_in_at as "lastSignInAt", u.two_factor_enabled as "secondFactor"
  from members m join users u on u.id = m.user_id`

export async function findMember(
  database: Queryable,
  organizationId: string,
  userId: string,
): Promise<Pick<Member, 'id' | 'email' | 'role'> | null> {
  const [member] = await database.query<Pick<Member, 'id' | 'email' | 'role'>>(sql`
    select u.id, u.email, m.role from members m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and m.user_id = ${userId}`)
  return member ?? null
}

type MemberChange = { organizationId: string; userId: string; actor: string }

export async function changeRole(
  transaction: Queryable,
  { organizationId, userId, role, actor }: MemberChange & { role: Role },
  now: Date,
): Promise<'changed' | 'last_admin' | 'member_not_found'> {
  if (role !== 'admin' && (await isLastAdmin(transaction, organizationId, userId))) return 'last_admin'
  const member = await findMember(transaction, organizationId, userId)
  if (!member) return 'member_not_found'
  if (member.role === role) return 'changed'
  await transaction.query(sql`
    update members set role = ${role} where organization_id = ${organizationId} and user_id = ${userId}`)
  const change = { organizationId, actor, action: 'member.role_changed', subject: member.email, detail: role } as const
  await recordActivity(transaction, change, now)
  return 'changed'
}

/** A user without any organization left is signed out too. */
export async function removeMember(
  transaction: Queryable,
  { organizationId, userId, actor }: MemberChange,
  now: Date,
): Promise<{ email: string; role: Role } | 'last_admin' | 'member_not_found'> {
  if (await isLastAdmin(transaction, organizationId, userId)) return 'last_admin'
  const [removed] = await transaction.query<{ email: string; role: Role }>(sql`
    delete from members m using users u
    where m.organization_id = ${organizationId} and m.user_id = ${userId} and u.id = m.user_id
    returning u.email, m.role`)
  if (!removed) return 'member_not_found'
  await transaction.query(sql`
    delete from sessions where user_id = ${userId} and not exists (select from members where user_id = ${userId})`)
  await recordActivity(transaction, { organizationId, actor, action: 'member.removed', subject: removed.email }, now)
  return removed
}

/** Ends all of the user's sessions except the one that set the password. Reset links stop working. */
export async function setPassword(
  transaction: Queryable,
  { userId, email, passwordHash, actor, sessionId }: PasswordChange,
  now: Date,
): Promise<void> {
  await storePassword(transaction, userId, passwordHash, now)
  await discardResets(transaction, userId)
  await transaction.query(
    sql`delete from sessions where user_id = ${userId} and id is distinct from ${sessionId ?? null}`,
  )
  await recordInAll(transaction, { userId, email, action: 'member.password_set', actor }, now)
}

/** Records a change to someone's account in all of their organizations. */
export async function recordInAll(
  transaction: Queryable,
  { userId, email, action, actor = email }: { userId: string; email: string; action: Action; actor?: string },
  now: Date,
): Promise<void> {
  for (const { id } of await organizationsOf(transaction, userId)) {
    await recordActivity(transaction, { organizationId: id, actor, action, subject: email }, now)
  }
}

export type PasswordChange = {
  userId: string
  email: string
  passwordHash: string
  actor: string
  sessionId?: string
}

export async function removeExpiredSessionsOf(database: Queryable, userId: string): Promise<void> {
  await database.query(sql`delete from sessions where user_id = ${userId} and expires_at < now()`)
}

export function removeExpiredSessions(
  database: Queryable,
  position: RemovalPosition,
  until: Date,
): Promise<RemovalStep> {
  return removeAgedRows(database, { table: 'sessions', key: 'id', isDue: sql`expires_at <= ${until}` }, position)
}

export async function passwordHashOf(database: Queryable, email: string): Promise<string | null> {
  const [account] = await database.query<{ password: string }>(sql`
    select a.password from accounts a join users u on u.id = a.user_id where u.email = ${email.toLowerCase()}`)
  return account?.password ?? null
}

export type Membership = {
  id: string
  name: string
  active: boolean
  role: Role
  /** The organization requires a second factor, and the member has none. */
  secondFactorMissing: boolean
}

const secondFactorMissing = sql`o.requires_second_factor and not u.two_factor_enabled as "secondFactorMissing"`

export async function organizationsOf(database: Queryable, userId: string): Promise<Membership[]> {
  return database.query(sql`
    select o.id, o.name, o.active, m.role, ${secondFactorMissing}
    from members m join organizations o on o.id = m.organization_id join users u on u.id = m.user_id
    where m.user_id = ${userId} order by lower(o.name), o.id`)
}

/** A membership as seen by its owner. `lastSignInAt` as above. */
export type OwnMembership = Omit<Membership, 'id' | 'name'> & Pick<Member, 'lastSignInAt'>

/** Null for non-members, whether or not the organization exists, so that nobody can probe for it. */
export async function membershipIn(
  database: Queryable,
  organizationId: string,
  userId: string,
): Promise<OwnMembership | null> {
  const [member] = await database.query<OwnMembership>(sql`
    select m.role, o.active, m.last_sign_in_at as "lastSignInAt", ${secondFactorMissing}
    from members m join organizations o on o.id = m.organization_id join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and m.user_id = ${userId}`)
  return member ?? null
}

/** Once per session and organization, so that admins learn nothing about the use of other organizations. */
export async function recordSignInTo(
  database: Queryable,
  { organizationId, userId, signedInAt }: { organizationId: string; userId: string; signedInAt: Date },
): Promise<void> {
  await database.query(sql`
    update members set last_sign_in_at = ${signedInAt}
    where organization_id = ${organizationId} and user_id = ${userId}
      and (last_sign_in_at is null or last_sign_in_at < ${signedInAt})`)
}

/** `only`: the organization whose identity provider vouches for the admin, and which the session is limited to. */
export type ActingAdmin = { userId: string; only: string | null }

/** Whether the admin manages every organization that the other user belongs to. */
export async function managesEverywhere(database: Queryable, admin: ActingAdmin, userId: string): Promise<boolean> {
  const elsewhere = await database.query(sql`
    select from members m where m.user_id = ${userId} and not exists (
      select from members a
      where a.organization_id = m.organization_id and a.user_id = ${admin.userId} and a.role = 'admin'
        and a.organization_id = coalesce(${admin.only}, a.organization_id))`)
  return elsewhere.length === 0
}
