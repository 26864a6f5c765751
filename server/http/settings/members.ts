import type { FastifyInstance } from 'fastify'
import { countOnce } from '../../auth/attempts.ts'
import { isId } from '../../database/ids.ts'
import { listInvitations } from '../../organizations/member-invitations.ts'
import { type ActingAdmin, isMemberEmail, listMembers } from '../../organizations/members.ts'
import type { SchemaTypeProvider } from '../../schema.ts'
import {
  createResetLink,
  dismiss,
  invite,
  inviteAgain,
  resetUrl,
  setRole,
  signOutMember,
  turnOffSecondFactor,
  withdraw,
} from '../../workflows/manage-members.ts'
import { Refusal } from '../errors.ts'
import { trimmed } from '../input.ts'
import { changeBy, type MemberCaller, memberOf, sessionOf } from './admission.ts'
import type { SettingsDependencies } from './dependencies.ts'
import {
  endedSessions,
  invitationLink,
  memberInvitationPath,
  memberList,
  memberPath,
  newMemberInvitation,
  resetLink,
  roleChange,
} from './member-schemas.ts'
import { organizationPath } from './schemas.ts'
import { tooManyAttempts } from './session.ts'

// Within 15 minutes, so that nobody can be flooded with invitations.
const maxMessages = 10

export function memberRoutes(app: FastifyInstance, dependencies: SettingsDependencies) {
  const { database, clock, appUrl, outbox } = dependencies
  const routes = app.withTypeProvider<SchemaTypeProvider>()

  routes.get('/members', { schema: { params: organizationPath, response: { 200: memberList } } }, async (request) => {
    const { organizationId } = memberOf(request)
    const [data, invitations] = [
      await listMembers(database, organizationId),
      await listInvitations(database, organizationId),
    ]
    return { data, invitations, mail: outbox.mailConfigured }
  })

  routes.patch('/members/:memberId', { schema: { params: memberPath, body: roleChange } }, async (request, reply) => {
    const outcome = await setRole(database, memberChange(request), request.body.role, clock())
    if (outcome !== 'changed') throw new Refusal(outcome)
    return reply.code(204).send()
  })

  routes.delete('/members/:memberId', { schema: { params: memberPath } }, async (request, reply) => {
    const outcome = await dismiss(database, memberChange(request), clock())
    if (typeof outcome === 'string') throw new Refusal(outcome)
    return reply.code(204).send()
  })

  routes.post(
    '/members/:memberId/sign-out',
    { schema: { params: memberPath, response: { 200: endedSessions } } },
    async (request) => {
      const change = { ...memberChange(request), by: actingAdmin(request) }
      const ended = await signOutMember(database, change, clock())
      if (typeof ended === 'string') throw new Refusal(ended)
      return { ended }
    },
  )

  routes.post(
    '/members/:memberId/password-resets',
    { schema: { params: memberPath, response: { 201: resetLink } } },
    async (request, reply) => {
      const change = { ...memberChange(request), by: actingAdmin(request) }
      const created = await createResetLink(database, change, clock())
      if (typeof created === 'string') throw new Refusal(created)
      const { email, token, expiresAt } = created
      reply.code(201)
      return { email, url: resetUrl(appUrl, token), expiresAt }
    },
  )

  routes.delete('/members/:memberId/second-factor', { schema: { params: memberPath } }, async (request, reply) => {
    const change = { ...memberChange(request), by: actingAdmin(request) }
    const outcome = await turnOffSecondFactor(database, change, clock())
    if (outcome !== 'done') throw new Refusal(outcome)
    return reply.code(204).send()
  })

  routes.post(
    '/member-invitations',
    {
      preValidation: trimmed('email'),
      schema: { params: organizationPath, body: newMemberInvitation, response: { 201: invitationLink } },
    },
    async (request, reply) => {
      const { email, role } = request.body
      if (!isMemberEmail(email)) throw new Refusal('invalid_email')
      await admitMessage(memberOf(request), email.toLowerCase())
      const invited = await invite(dependencies, changeBy(request), { email, role }, clock())
      if (typeof invited === 'string') throw new Refusal(invited)
      reply.code(201)
      return invited
    },
  )

  routes.post(
    '/member-invitations/:memberInvitationId/links',
    { schema: { params: memberInvitationPath, response: { 201: invitationLink } } },
    async (request, reply) => {
      const change = invitationChange(request)
      await admitMessage(memberOf(request), change.id)
      const renewed = await inviteAgain(dependencies, change, clock())
      if (typeof renewed === 'string') throw new Refusal(renewed)
      reply.code(201)
      return renewed
    },
  )

  routes.delete(
    '/member-invitations/:memberInvitationId',
    { schema: { params: memberInvitationPath } },
    async (request, reply) => {
      const withdrawn = await withdraw(database, invitationChange(request), clock())
      if (!withdrawn) throw new Refusal('member_invitation_not_found')
      return reply.code(204).send()
    },
  )

  /** `to` is an address, or an invitation to it. Each organization has its own count, so none can block another's. */
  async function admitMessage({ organizationId }: MemberCaller, to: string): Promise<void> {
    if (!outbox.mailConfigured) return
    const subject = `invitation message ${organizationId} ${to}`
    const decision = await countOnce(database, subject, maxMessages, clock())
    if (!decision.allowed) throw tooManyAttempts(decision)
  }
}

type WithMember = Parameters<typeof changeBy>[0] & { params: { memberId: string } }

function actingAdmin(request: WithMember): ActingAdmin {
  const { userId, organizationId } = sessionOf(request)
  return { userId, only: organizationId }
}

function memberChange(request: WithMember) {
  const { memberId: id } = request.params
  if (!isId('usr', id)) throw new Refusal('member_not_found')
  return { ...changeBy(request), id }
}

type WithInvitation = Parameters<typeof changeBy>[0] & { params: { memberInvitationId: string } }

function invitationChange(request: WithInvitation) {
  const { memberInvitationId: id } = request.params
  if (!isId('mbi', id)) throw new Refusal('member_invitation_not_found')
  return { ...changeBy(request), id }
}
