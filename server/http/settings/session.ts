import type { FastifyInstance } from 'fastify'
import type { ThrottledOutcome } from '../../auth/sign-in.ts'
import { organizationsOf } from '../../organizations/members.ts'
import type { SchemaTypeProvider } from '../../schema.ts'
import { Refusal } from '../errors.ts'
import { deviceOf, sessionOf } from './admission.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { codeNeeded, credentials, enteredCode, passwordChange, type Session, session } from './schemas.ts'

export function sessionRoutes(app: FastifyInstance, { database, signIn, apiUrl }: SettingsDependencies) {
  const routes = app.withTypeProvider<SchemaTypeProvider>()

  routes.post(
    '/sign-in',
    { config: { access: 'anyone' }, schema: { body: credentials, response: { 200: session, 202: codeNeeded } } },
    async (request, reply) => {
      const result = await signIn.begin({ ...request.body, device: deviceOf(request) })
      if (result.outcome === 'throttled') throw tooManyAttempts(result)
      if (result.outcome === 'wrong') throw new Refusal('credentials_wrong')
      reply.header('set-cookie', result.cookies)
      if (result.outcome === 'code_needed') return reply.code(202).send({ codeNeeded: true })
      return reply.code(200).send(await toResponse(result.user.id, result.user))
    },
  )

  routes.post(
    '/sign-in/code',
    { config: { access: 'anyone' }, schema: { body: enteredCode, response: { 200: session } } },
    async (request, reply) => {
      const code = request.body.code.replaceAll(/\s/g, '')
      const kind = /^\d{6}$/.test(code) ? 'totp' : 'recovery'
      const result = await signIn.enterCode(request.headers.cookie, { code, kind }, deviceOf(request))
      if (result.outcome === 'throttled') throw tooManyAttempts(result)
      if (result.outcome === 'expired') throw new Refusal('sign_in_expired')
      if (result.outcome === 'wrong') throw new Refusal('code_wrong')
      reply.header('set-cookie', result.cookies)
      return toResponse(result.user.id, result.user)
    },
  )

  routes.get('/session', { config: { access: 'signed in' }, schema: { response: { 200: session } } }, (request) => {
    const { userId, ...user } = sessionOf(request)
    return toResponse(userId, user)
  })

  routes.post('/sign-out', { config: { access: 'signed in' } }, async (request, reply) => {
    const cookies = await signIn.end(request.headers.cookie ?? '')
    return reply.code(204).header('set-cookie', cookies).send()
  })

  routes.post(
    '/password',
    { config: { access: 'signed in' }, schema: { body: passwordChange } },
    async (request, reply) => {
      const result = await signIn.changePassword(sessionOf(request), { ...request.body, address: request.ip })
      if (result.outcome === 'throttled') throw tooManyAttempts(result)
      if (result.outcome === 'weak') throw new Refusal('weak_password', { detail: result.fault })
      if (result.outcome === 'wrong') throw new Refusal('current_password_wrong')
      return reply.code(204).send()
    },
  )

  async function toResponse(
    userId: string,
    {
      email,
      name,
      secondFactor,
      organizationId = null,
    }: { email: string; name: string; secondFactor: boolean; organizationId?: string | null },
  ): Promise<Session> {
    const all = await organizationsOf(database, userId)
    const bySignOn = all.filter(({ id }) => id === organizationId)
    const organizations =
      organizationId === null ? all : bySignOn.map((one) => ({ ...one, secondFactorMissing: false }))
    return { user: { email, name, secondFactor }, organizations, singleSignOn: organizationId !== null, apiUrl }
  }
}

export function tooManyAttempts({ seconds }: Pick<ThrottledOutcome, 'seconds'>): Refusal {
  return new Refusal('too_many_attempts', { headers: { 'retry-after': String(seconds) } })
}
