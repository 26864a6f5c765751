import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Owner } from '../../auth/second-factor.ts'
import type { AttemptOutcome } from '../../auth/sign-in-types.ts'
import { requiresSecondFactorAnywhere } from '../../organizations/second-factors.ts'
import type { SchemaTypeProvider } from '../../schema.ts'
import { type ErrorCode, Refusal } from '../errors.ts'
import { sessionOf } from './admission.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { passwordGiven, recoveryCodes, secondFactorStart } from './member-schemas.ts'
import { enteredCode } from './schemas.ts'
import { tooManyAttempts } from './session.ts'

const signedIn = { config: { access: 'signed in' } } as const

/** Two-step verification of one's own account. */
export function secondFactorRoutes(app: FastifyInstance, { database, signIn }: SettingsDependencies) {
  const routes = app.withTypeProvider<SchemaTypeProvider>()
  const { secondFactor } = signIn

  routes.post(
    '/second-factor',
    { ...signedIn, schema: { body: passwordGiven, response: { 201: secondFactorStart } } },
    async (request, reply) => {
      const owner = ownerOf(request)
      if (owner.session.secondFactor) throw new Refusal('second_factor_on')
      const started = await secondFactor.start(owner, request.body.password)
      const { uri, recoveryCodes } = resultOf(started, 'current_password_wrong')
      reply.code(201)
      return { uri, secret: new URL(uri).searchParams.get('secret') ?? '', recoveryCodes }
    },
  )

  routes.post('/second-factor/confirmation', { ...signedIn, schema: { body: enteredCode } }, async (request, reply) => {
    const owner = ownerOf(request)
    if (owner.session.secondFactor) throw new Refusal('second_factor_on')
    const code = request.body.code.replaceAll(/\s/g, '')
    const cookies = resultOf(await secondFactor.confirm(owner, code), 'setup_code_wrong')
    return reply.code(204).header('set-cookie', cookies).send()
  })

  routes.post(
    '/second-factor/recovery-codes',
    { ...signedIn, schema: { body: passwordGiven, response: { 201: recoveryCodes } } },
    async (request, reply) => {
      const owner = ownerOf(request)
      if (!owner.session.secondFactor) throw new Refusal('second_factor_off')
      const renewed = await secondFactor.renewRecoveryCodes(owner, request.body.password)
      reply.code(201)
      return { recoveryCodes: resultOf(renewed, 'current_password_wrong') }
    },
  )

  routes.post('/second-factor/removal', { ...signedIn, schema: { body: passwordGiven } }, async (request, reply) => {
    const owner = ownerOf(request)
    if (!owner.session.secondFactor) throw new Refusal('second_factor_off')
    const requiredBy = await requiresSecondFactorAnywhere(database, owner.session.userId)
    if (requiredBy !== null) throw new Refusal('second_factor_needed', { detail: requiredBy })
    const cookies = resultOf(await secondFactor.end(owner, request.body.password), 'current_password_wrong')
    return reply.code(204).header('set-cookie', cookies).send()
  })
}

/** One organization's identity provider vouches for a session by single sign-on. It has no say in how others are protected. */
function ownerOf(request: FastifyRequest): Owner {
  const session = sessionOf(request)
  if (session.organizationId !== null) throw new Refusal('password_session_needed')
  return { session, cookie: request.headers.cookie ?? '', address: request.ip }
}

function resultOf<Result>(attempted: AttemptOutcome<Result>, whenWrong: ErrorCode): Result {
  if (attempted.outcome === 'throttled') throw tooManyAttempts(attempted)
  if (attempted.outcome === 'wrong') throw new Refusal(whenWrong)
  return attempted.result
}
