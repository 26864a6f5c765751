import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import { type RemovalPosition, type RemovalStep, removeAgedRows } from '../database/removal.ts'
import { createUser, lockAccount, openAccount } from './accounts.ts'
import { recordActivity } from './activity.ts'
import { hashLinkToken, newLinkToken } from './link-token.ts'
import { findMember, findUser, type Role } from './members.ts'
import { discardResets } from './password-resets.ts'

export type MemberInvitation = {
  id: string
  email: string
  role: Role
  invitedBy: string
  createdAt: string
  expiresAt: string
}

const columns = sql`id, email, role, invited_by as "invitedBy", created_at as "createdAt", expires_at as "expiresAt"`

const invitationDays = 7

/** Per organization, expired ones included. */
export const maxMemberInvitations = 100

/** The token is only in the return value. */
export type InvitationLink = { invitation: MemberInvitation; token: string }

type Inviting = { organizationId: string; email: string; role: Role; actor: string }

/** Inviting the same address again replaces the role and the link. */
export async function inviteMember(
  transaction: Queryable,
  { organizationId, email: given, role, actor }: Inviting,
  now: Date,
): Promise<InvitationLink | 'already_member' | 'too_many_member_invitations'> {
  const email = given.toLowerCase()
  await transaction.query(sql`select from organizations where id = ${organizationId} for no key update`)
  const user = await findUser(transaction, email)
  if (user && (await findMember(transaction, organizationId, user.id))) return 'already_member'
  const [others] = await transaction.query<{ count: number }>(sql`
    select count(*) from member_invitations where organization_id = ${organizationId} and email <> ${email}`)
  if ((others?.count ?? 0) >= maxMemberInvitations) return 'too_many_member_invitations'
  const token = newLinkToken()
  const [invitation] = await transaction.query<MemberInvitation>(sql`
    insert into member_invitations (id, organization_id, email, role, invited_by, token_hash, created_at, expires_at)
    values (${newId('mbi')}, ${organizationId}, ${email}, ${role}, ${actor}, ${hashLinkToken(token)}, ${now}, ${expiry(now)})
    on conflict (organization_id, email) do update set role = excluded.role, invited_by = excluded.invited_by,
      token_hash = excluded.token_hash, created_at = excluded.created_at, expires_at = excluded.expires_at
    returning ${columns}`)
  if (!invitation) throw new Error('The invitation was not stored')
  await recordActivity(
    transaction,
    { organizationId, actor, action: 'member.invited', subject: email, detail: role },
    now,
  )
  return { invitation, token }
}

type InvitationChange = { organizationId: string; id: string; actor: string }

/** A new link, valid for as long as a new invitation. The old one stops working. */
export async function renewInvitation(
  transaction: Queryable,
  { organizationId, id, actor }: InvitationChange,
  now: Date,
): Promise<InvitationLink | null> {
  const token = newLinkToken()
  const [invitation] = await transaction.query<MemberInvitation>(sql`
    update member_invitations set token_hash = ${hashLinkToken(token)}, expires_at = ${expiry(now)}
    where id = ${id} and organization_id = ${organizationId} returning ${columns}`)
  if (!invitation) return null
  const { email: subject } = invitation
  await recordActivity(transaction, { organizationId, actor, action: 'member.invitation_renewed', subject }, now)
  return { invitation, token }
}

export async function withdrawInvitation(
  transaction: Queryable,
  { organizationId, id, actor }: InvitationChange,
  now: Date,
): Promise<boolean> {
  const [withdrawn] = await transaction.query<{ email: string }>(sql`
    delete from member_invitations where id = ${id} and organization_id = ${organizationId} returning email`)
  if (!withdrawn) return false
  const { email: subject } = withdrawn
  await recordActivity(transaction, { organizationId, actor, action: 'member.invitation_withdrawn', subject }, now)
  return true
}

export async function listInvitations(database: Queryable, organizationId: string): Promise<MemberInvitation[]> {
  return database.query(sql`
    select ${columns} from member_invitations where organization_id = ${organizationId} order by email`)
}

/** What a link leads to, for whoever holds it. */
export type OpenInvitation = {
  id: string
  organizationId: string
  organization: string
  active: boolean
  email: string
  role: Role
}

/** Null if the link has expired, was used or withdrawn, or never existed. */
export async function findInvitation(database: Queryable, token: string, now: Date): Promise<OpenInvitation | null> {
  const [found] = await database.query<OpenInvitation>(sql`
    select i.id, i.organization_id as "organizationId", o.name as organization, o.active, i.email, i.role
    from member_invitations i join organizations o on o.id = i.organization_id
    where i.token_hash = ${hashLinkToken(token)} and i.expires_at > ${now}`)
  return found ?? null
}

/**
 * `account` is the signed-in user, or what to create one with. Someone who has an account must sign in to accept: the
 * link alone must not give its holder access to what else the account can see.
 */
export async function acceptInvitation(
  transaction: Queryable,
  { token, account }: { token: string; account: { userId: string } | { name: string; passwordHash: string } },
  now: Date,
): Promise<{ organizationId: string; email: string } | 'link_invalid' | 'account_exists'> {
  const [invitation] = await transaction.query<{ id: string; organizationId: string; email: string; role: Role }>(sql`
    select id, organization_id as "organizationId", email, role from member_invitations
    where token_hash = ${hashLinkToken(token)} and expires_at > ${now} for update`)
  if (!invitation) return 'link_invalid'
  const { id, organizationId, email, role } = invitation
  const userId =
    'userId' in account
      ? await confirmUser(transaction, account.userId, email)
      : await openAccount(transaction, { ...account, email }, now)
  if (userId === null) return 'account_exists'
  await transaction.query(sql`delete from member_invitations where id = ${id}`)
  await join(transaction, { organizationId, userId, email, role }, now)
  return { organizationId, email }
}

async function confirmUser(transaction: Queryable, userId: string, email: string): Promise<string | null> {
  const user = await findUser(transaction, email)
  return user?.id === userId ? userId : null
}

/**
 * Accepts the invitation of someone whom the organization's identity provider vouches for. Null if they are not invited, or
 * have an account with a password: whoever created it may know that password.
 */
export async function acceptBySignOn(
  transaction: Queryable,
  { organizationId, email, name }: { organizationId: string; email: string; name: string },
  now: Date,
): Promise<string | null> {
  const [invitation] = await transaction.query<{ id: string; role: Role }>(sql`
    select id, role from member_invitations
    where organization_id = ${organizationId} and email = ${email} and expires_at > ${now} for update`)
  if (!invitation) return null
  const existing = await lockAccount(transaction, email)
  if (existing?.hasPassword) return null
  const userId = existing?.id ?? (await createUser(transaction, { email, name, passwordHash: null }, now))
  if (userId === null) return null
  await transaction.query(sql`delete from member_invitations where id = ${invitation.id}`)
  await join(transaction, { organizationId, userId, email, role: invitation.role }, now)
  return userId
}

async function join(
  transaction: Queryable,
  { organizationId, userId, email, role }: { organizationId: string; userId: string; email: string; role: Role },
  now: Date,
): Promise<void> {
  await transaction.query(sql`
    insert into members (organization_id, user_id, role, created_at) values (${organizationId}, ${userId}, ${role}, ${now})
    on conflict (organization_id, user_id) do nothing`)
  await discardResets(transaction, userId)
  const joined = { organizationId, actor: email, action: 'member.joined', subject: email, detail: role } as const
  await recordActivity(transaction, joined, now)
}

export function removeOldInvitations(
  database: Queryable,
  position: RemovalPosition,
  until: Date,
): Promise<RemovalStep> {
  const rows = { table: 'member_invitations', key: 'id', isDue: sql`expires_at <= ${until}` }
  return removeAgedRows(database, rows, position)
}

function expiry(now: Date): Date {
  return new Date(now.getTime() + invitationDays * 86_400_000)
}
