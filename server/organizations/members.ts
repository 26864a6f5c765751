import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import { type RemovalPosition, type RemovalStep, removeAgedRows } from '../database/removal.ts'
import { recordActivity } from './activity.ts'

export const roles = ['admin', 'viewer'] as const
/** Admins can do everything; viewers can read deliveries and change nothing. */
export type Role = (typeof roles)[number]

export type Member = { email: string; name: string; role: Role; organizationId: string; createdAt: string }

export type NewMember = { organizationId: string; email: string; name: string; role: Role; actor: string }

// What the sign-in library accepts as an address, so that every member can sign in.
const email = /^[a-z0-9_+-]+([.'][a-z0-9_+-]+)*@([a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/i

export function isMemberEmail(text: string): boolean {
  return text.length <= 254 && email.test(text)
}

/** Also changes a member's role. Existing users keep their name and password; `passwordHash` is for new ones. */
export async function addMember(
  transaction: Queryable,
  member: NewMember & { passwordHash: string | null },
  now: Date,
): Promise<'added' | 'password_needed'> {
  const { organizationId, role, actor, passwordHash } = member
  const email = member.email.toLowerCase()
  const existing = await findUser(transaction, email)
  if (!existing && passwordHash === null) return 'password_needed'
  const userId = existing?.id ?? (await createUser(transaction, email, member.name, passwordHash ?? '', now))
  await transaction.query(sql`
    insert into members (organization_id, user_id, role, created_at) values (${organizationId}, ${userId}, ${role}, ${now})
    on conflict (organization_id, user_id) do update set role = excluded.role`)
  await recordActivity(
    transaction,
    { organizationId, actor, action: 'member.added', subject: email, detail: role },
    now,
  )
  return 'added'
}

async function createUser(
  transaction: Queryable,
  email: string,
  name: string,
  passwordHash: string,
  now: Date,
): Promise<string> {
  const id = newId('usr')
  await transaction.query(sql`
    insert into users (id, name, email, created_at, updated_at) values (${id}, ${name}, ${email}, ${now}, ${now})`)
  await transaction.query(sql`
    insert into accounts (id, user_id, account_id, provider_id, password, created_at, updated_at)
    values (${id}, ${id}, ${id}, 'credential', ${passwordHash}, ${now}, ${now})`)
  return id
}

export async function findUser(database: Queryable, email: string): Promise<{ id: string; email: string } | null> {
  const [user] = await database.query<{ id: string; email: string }>(
    sql`select id, email from users where email = ${email.toLowerCase()}`,
  )
  return user ?? null
}

export async function listMembers(database: Queryable, organizationId: string): Promise<Member[]> {
  return database.query(sql`
    select u.email, u.name, m.role, m.organization_id as "organizationId", m.created_at as "createdAt"
    from members m join users u on u.id = m.user_id where m.organization_id = ${organizationId} order by u.email`)
}

/** A user without any organization left is signed out too. */
export async function removeMember(
  transaction: Queryable,
  { organizationId, email, actor }: { organizationId: string; email: string; actor: string },
  now: Date,
): Promise<{ email: string; role: Role } | null> {
  const [removed] = await transaction.query<{ userId: string; email: string; role: Role }>(sql`
    delete from members m using users u
    where m.organization_id = ${organizationId} and m.user_id = u.id and u.email = ${email.toLowerCase()}
    returning m.user_id as "userId", u.email, m.role`)
  if (!removed) return null
  await transaction.query(sql`
    delete from sessions where user_id = ${removed.userId}
      and not exists (select from members where user_id = ${removed.userId})`)
  await recordActivity(transaction, { organizationId, actor, action: 'member.removed', subject: removed.email }, now)
  return { email: removed.email, role: removed.role }
}

/** Ends all of the user's sessions except the one that set the password. */
export async function setPassword(
  transaction: Queryable,
  { userId, email, passwordHash, actor, sessionId }: PasswordChange,
  now: Date,
): Promise<void> {
  await transaction.query(
    sql`update accounts set password = ${passwordHash}, updated_at = ${now} where user_id = ${userId}`,
  )
  await transaction.query(
    sql`delete from sessions where user_id = ${userId} and id is distinct from ${sessionId ?? null}`,
  )
  for (const { id } of await organizationsOf(transaction, userId)) {
    await recordActivity(transaction, { organizationId: id, actor, action: 'member.password_set', subject: email }, now)
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

export async function passwordHashOf(database: Queryable, userId: string): Promise<string | null> {
  const [account] = await database.query<{ password: string }>(
    sql`select password from accounts where user_id = ${userId}`,
  )
  return account?.password ?? null
}

export type Membership = { id: string; name: string; active: boolean; role: Role }

export async function organizationsOf(database: Queryable, userId: string): Promise<Membership[]> {
  return database.query(sql`
    select o.id, o.name, o.active, m.role from members m join organizations o on o.id = m.organization_id
    where m.user_id = ${userId} order by lower(o.name), o.id`)
}

/** Null for non-members, whether or not the organization exists, so that nobody can probe for it. */
export async function membershipIn(
  database: Queryable,
  organizationId: string,
  userId: string,
): Promise<Pick<Membership, 'role' | 'active'> | null> {
  const [member] = await database.query<Pick<Membership, 'role' | 'active'>>(sql`
    select m.role, o.active from members m join organizations o on o.id = m.organization_id
    where m.organization_id = ${organizationId} and m.user_id = ${userId}`)
  return member ?? null
}
