import { countOnce } from '../auth/attempts.ts'
import type { Database, Queryable } from '../database/database.ts'
import type { Outbox } from '../notifications/outbox.ts'
import { recordActivity } from '../organizations/activity.ts'
import {
  type InvitationLink,
  inviteMember,
  type MemberInvitation,
  renewInvitation,
  withdrawInvitation,
} from '../organizations/member-invitations.ts'
import {
  type ActingAdmin,
  changeRole,
  findMember,
  findUser,
  managesEverywhere,
  type Role,
  removeMember,
} from '../organizations/members.ts'
import { findOrganization, setSecondFactorRequired } from '../organizations/organizations.ts'
import { createReset } from '../organizations/password-resets.ts'
import { resetSecondFactor } from '../organizations/second-factors.ts'
import { endSessions } from '../organizations/sessions.ts'
import type { Change } from './administer.ts'

/** Links are sent by email where that is set up. Otherwise, admins copy them. */
export type LinkDependencies = { database: Database; outbox: Outbox; appUrl: string }

/** `id` is the user's. */
export type MemberChange = Change & { id: string }

/**
 * `url` is null if the link was emailed: it proves that whoever follows it reads that mailbox, so an admin must not see
 * it.
 */
export type SentInvitation = { invitation: MemberInvitation; url: string | null }

export async function invite(
  dependencies: LinkDependencies,
  { organizationId, actor }: Change,
  { email, role }: { email: string; role: Role },
  now: Date,
): Promise<SentInvitation | 'already_member' | 'too_many_member_invitations' | 'too_many_invitation_emails'> {
  return unlessFull(dependencies.database, async (transaction) => {
    const invited = await inviteMember(transaction, { organizationId, actor, email, role }, now)
    return typeof invited === 'string' ? invited : send(dependencies, transaction, organizationId, invited)
  })
}

export async function inviteAgain(
  dependencies: LinkDependencies,
  change: MemberChange,
  now: Date,
): Promise<SentInvitation | 'member_invitation_not_found' | 'too_many_invitation_emails'> {
  return unlessFull(dependencies.database, async (transaction) => {
    const renewed = await renewInvitation(transaction, change, now)
    if (!renewed) return 'member_invitation_not_found'
    return send(dependencies, transaction, change.organizationId, renewed)
  })
}

/** Rolls back if the email can't be queued: the previous link must not stop working before there is a new one. */
async function unlessFull<Result>(
  database: Database,
  work: (transaction: Queryable) => Promise<Result>,
): Promise<Result | 'too_many_invitation_emails'> {
  try {
    return await database.transaction(work)
  } catch (error) {
    if (error instanceof OutboxFull) return 'too_many_invitation_emails'
    throw error
  }
}

class OutboxFull extends Error {}

async function send(
  { outbox, appUrl }: LinkDependencies,
  transaction: Queryable,
  organizationId: string,
  { invitation, token }: InvitationLink,
): Promise<SentInvitation> {
  // Behind #, so that the token never reaches a proxy's log.
  const url = `${appUrl}/settings/invitation#${token}`
  const organization = (await findOrganization(transaction, organizationId))?.name ?? ''
  const { email: to, invitedBy, expiresAt } = invitation
  const mail = {
    kind: 'invitation',
    to,
    organizationId,
    values: { organization, invitedBy, link: url, expiresAt },
  } as const
  const queued = await outbox.queueMail(transaction, mail)
  if (queued === 'full') throw new OutboxFull()
  return { invitation, url: queued === 'off' ? url : null }
}

export function resetUrl(appUrl: string, token: string): string {
  return `${appUrl}/settings/reset-password#${token}`
}

// Within 15 minutes. Links already sent keep working, so asking in someone's name locks nobody out.
const maxResetMails = 5

/** Sends a reset link if someone signs in with this address. */
export async function mailResetLink(
  { database, outbox, appUrl }: LinkDependencies,
  email: string,
  now: Date,
): Promise<void> {
  const { allowed } = await countOnce(database, `reset mail ${email.toLowerCase()}`, maxResetMails, now)
  if (!allowed) return
  await database.transaction(async (transaction) => {
    const user = await findUser(transaction, email)
    if (!user) return
    const { token, expiresAt } = await createReset(transaction, user.id, now)
    const values = { link: resetUrl(appUrl, token), expiresAt }
    await outbox.queueMail(transaction, { kind: 'password_reset', to: user.email, organizationId: null, values })
  })
}

export async function withdraw(database: Database, change: MemberChange, now: Date): Promise<boolean> {
  return database.transaction((transaction) => withdrawInvitation(transaction, change, now))
}

export async function setRole(
  database: Database,
  { organizationId, actor, id }: MemberChange,
  role: Role,
  now: Date,
): Promise<'changed' | 'last_admin' | 'member_not_found'> {
  const change = { organizationId, actor, userId: id, role }
  return database.transaction((transaction) => changeRole(transaction, change, now))
}

export async function dismiss(
  database: Database,
  { organizationId, actor, id }: MemberChange,
  now: Date,
): Promise<{ email: string; role: Role } | 'last_admin' | 'member_not_found'> {
  return database.transaction((transaction) => removeMember(transaction, { organizationId, actor, userId: id }, now))
}

/** Ends all of a member's sessions. They reach all of the member's organizations, so the admin must manage all of them. */
export async function signOutMember(
  database: Database,
  { organizationId, actor, id, by }: MemberChange & { by: ActingAdmin },
  now: Date,
): Promise<number | 'member_not_found' | 'member_elsewhere'> {
  return database.transaction(async (transaction) => {
    const user = await findMember(transaction, organizationId, id)
    if (!user) return 'member_not_found'
    if (!(await managesEverywhere(transaction, by, id))) return 'member_elsewhere'
    return endSessions(transaction, { user, which: 'all', actor, organizationId }, now)
  })
}

/**
 * A password reset link for a member. Whoever holds it gets into all of the member's organizations, so
 * the admin who asks must manage all of them.
 */
export async function createResetLink(
  database: Database,
  { organizationId, actor, id, by }: MemberChange & { by: ActingAdmin | 'operator' },
  now: Date,
): Promise<{ token: string; expiresAt: string; email: string } | 'member_not_found' | 'member_elsewhere'> {
  return database.transaction(async (transaction) => {
    const member = await findMember(transaction, organizationId, id)
    if (!member) return 'member_not_found'
    if (by !== 'operator' && !(await managesEverywhere(transaction, by, id))) return 'member_elsewhere'
    const reset = await createReset(transaction, id, now)
    const { email } = member
    const change = { organizationId, actor, action: 'member.reset_link_created', subject: email } as const
    await recordActivity(transaction, change, now)
    return { ...reset, email }
  })
}

/** Turns off a second factor that its owner lost. Restricted like a reset link, for the same reason. */
export async function turnOffSecondFactor(
  database: Database,
  { organizationId, actor, id, by }: MemberChange & { by: ActingAdmin | 'operator' },
  now: Date,
): Promise<'done' | 'member_not_found' | 'member_elsewhere'> {
  return database.transaction(async (transaction) => {
    const member = await findMember(transaction, organizationId, id)
    if (!member) return 'member_not_found'
    if (by !== 'operator' && !(await managesEverywhere(transaction, by, id))) return 'member_elsewhere'
    await resetSecondFactor(transaction, { userId: id, email: member.email, actor }, now)
    return 'done'
  })
}

export async function requireSecondFactor(
  database: Database,
  { organizationId, actor }: Change,
  required: boolean,
  now: Date,
): Promise<void> {
  await database.transaction(async (transaction) => {
    if (!(await setSecondFactorRequired(transaction, organizationId, required))) return
    const action = required ? 'organization.second_factor_required' : 'organization.second_factor_optional'
    const subject = (await findOrganization(transaction, organizationId))?.name ?? ''
    await recordActivity(transaction, { organizationId, actor, action, subject }, now)
  })
}
