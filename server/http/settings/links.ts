import type { FastifyInstance } from 'fastify'
import { countAttempt, countOnce } from '../../auth/attempts.ts'
import { resetPassword } from '../../auth/password-reset.ts'
import { hashPassword, passwordFault } from '../../auth/passwords.ts'
import type { Session } from '../../auth/sign-in.ts'
import { acceptInvitation, findInvitation } from '../../organizations/member-invitations.ts'
import type { SchemaTypeProvider } from '../../schema.ts'
import { mailResetLink } from '../../workflows/manage-members.ts'
import { Refusal } from '../errors.ts'
import { trimmed } from '../input.ts'
import { logOf } from '../log-messages.ts'
import { deviceOf } from './admission.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { acceptance, linkToken, openInvitation, passwordReset, resetRequest, signInOptions } from './member-schemas.ts'
import { tooManyAttempts } from './session.ts'

// Each one hashes a password, whether the link can be used or not.
const maxAcceptances = 20

const anyone = { config: { access: 'anyone' } } as const

/** For people who can't sign in yet, or not anymore. Tokens are in bodies, because paths end up in logs. */
export function linkRoutes(app: FastifyInstance, dependencies: SettingsDependencies) {
  const { database, clock, signIn, outbox } = dependencies
  const routes = app.withTypeProvider<SchemaTypeProvider>()

  routes.get('/sign-in', { ...anyone, schema: { response: { 200: signInOptions } } }, async () => {
    return { mail: outbox.mailConfigured }
  })

  routes.post(
    '/invitation',
    { ...anyone, schema: { body: linkToken, response: { 200: openInvitation } } },
    async (request, reply) => {
      const found = await findInvitation(database, request.body.token, clock())
      if (!found) throw new Refusal('link_invalid')
      const { session, cookies } = await signIn.session(request.headers.cookie, request.ip)
      if (cookies.length > 0) reply.header('set-cookie', cookies)
      return { ...found, signedIn: session !== null && canAccept(session, found) }
    },
  )

  routes.post(
    '/invitation/acceptance',
    { ...anyone, preValidation: trimmed('account.name'), schema: { body: acceptance } },
    async (request, reply) => {
      const { token, account } = request.body
      const invitation = await findInvitation(database, token, clock())
      if (!invitation) throw new Refusal('link_invalid')
      if (!invitation.active) throw new Refusal('organization_inactive')
      const { email } = invitation
      if (!account) {
        const { session, cookies } = await signIn.session(request.headers.cookie, request.ip)
        if (cookies.length > 0) reply.header('set-cookie', cookies)
        if (!session || !canAccept(session, invitation)) throw new Refusal('account_exists')
        await accept(token, { userId: session.userId })
        return reply.code(204).send()
      }
      // Whether the address has an account is checked last, by the call that uses up the link. Otherwise, an admin who
      // holds the link could find out again and again, and nobody would notice.
      const { name, password } = account
      const fault = passwordFault(password, { email, name })
      if (fault) throw new Refusal('weak_password', { detail: fault })
      const decision = await countOnce(database, `acceptance ${invitation.id}`, maxAcceptances, clock())
      if (!decision.allowed) throw tooManyAttempts(decision)
      // Hashed first: it takes long, and a transaction holds the embedded database.
      await accept(token, { name, passwordHash: await hashPassword(password) })
      const signedIn = await signIn.begin({ email, password, device: deviceOf(request) })
      if (signedIn.outcome === 'signed_in') reply.header('set-cookie', signedIn.cookies)
      return reply.code(204).send()
    },
  )

  routes.post(
    '/password-resets',
    { ...anyone, preValidation: trimmed('email'), schema: { body: resetRequest } },
    async (request, reply) => {
      if (!outbox.mailConfigured) throw new Refusal('no_mail')
      const { email } = request.body
      const decision = await countAttempt(database, { kind: 'reset', address: request.ip, email }, clock())
      if (!decision.allowed) throw tooManyAttempts(decision)
      // Not awaited: how long it takes must not tell whether the address has an account.
      void mailResetLink(dependencies, email, clock()).catch((error) =>
        logOf(request).error({ err: error }, 'could not queue a reset link'),
      )
      return reply.code(202).send()
    },
  )

  routes.post('/password-reset', { ...anyone, schema: { body: passwordReset } }, async (request, reply) => {
    const result = await resetPassword(database, request.body, clock())
    if (result.outcome === 'weak') throw new Refusal('weak_password', { detail: result.fault })
    if (result.outcome === 'link_invalid') throw new Refusal('link_invalid')
    return reply.code(204).send()
  })

  async function accept(token: string, account: Parameters<typeof acceptInvitation>[1]['account']): Promise<void> {
    const accepted = await database.transaction((transaction) =>
      acceptInvitation(transaction, { token, account }, clock()),
    )
    if (typeof accepted === 'string') throw new Refusal(accepted)
  }
}

/** A session by single sign-on is good for its own organization only. */
function canAccept({ email, organizationId }: Session, invitation: { email: string }): boolean {
  return email === invitation.email && organizationId === null
}
