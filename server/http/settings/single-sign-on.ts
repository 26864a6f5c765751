import type { FastifyInstance, FastifyReply } from 'fastify'
import { createSignOn } from '../../auth/sign-on.ts'
import { findSignOn, type SignOnSettings } from '../../auth/sign-on-settings.ts'
import type { SchemaTypeProvider } from '../../schema.ts'
import { changeSignOn, turnOffSignOn } from '../../workflows/manage-sign-on.ts'
import { Refusal } from '../errors.ts'
import { trimmed } from '../input.ts'
import { logOf } from '../log-messages.ts'
import { changeBy, deviceOf, memberOf } from './admission.ts'
import { admitCheck } from './check-admission.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { organizationPath } from './schemas.ts'
import { tooManyAttempts } from './session.ts'
import {
  type CurrentSignOn,
  currentSignOn,
  newSignOn,
  signOnRedirect,
  signOnReturn,
  signOnStart,
} from './signon-schemas.ts'

/** For people who come from their own identity provider. */
export function signOnRoutes(app: FastifyInstance, dependencies: SettingsDependencies) {
  const routes = app.withTypeProvider<SchemaTypeProvider>()
  const signOn = openSignOn(dependencies)
  const isSecure = dependencies.appUrl.startsWith('https:')

  routes.post(
    '/single-sign-on',
    {
      config: { access: 'anyone' },
      preValidation: trimmed('email'),
      schema: { body: signOnStart, response: { 200: signOnRedirect } },
    },
    async (request, reply) => {
      const { email, next = '/settings' } = request.body
      const begun = await signOn.begin({ email, next: isOurs(next) ? next : '/settings', address: request.ip })
      if (begun.outcome === 'throttled') throw tooManyAttempts(begun)
      if (begun.outcome === 'no_single_sign_on') throw new Refusal(begun.outcome)
      if (begun.outcome === 'failed') {
        logOf(request).warn({ detail: begun.detail }, 'could not use the identity provider')
        throw new Refusal('sign_on_failed')
      }
      setTicket(reply, begun.ticket, begun.seconds)
      return { url: begun.url }
    },
  )

  routes.get(
    '/single-sign-on/callback',
    { config: { access: 'anyone' }, schema: { querystring: signOnReturn } },
    async (request, reply) => {
      const { code, state, iss: issuer } = request.query
      const ticket = ticketIn(request.headers.cookie)
      const result = await signOn.finish({ ticket, code, state, issuer, device: deviceOf(request) })
      if (result.outcome === 'throttled') return reply.redirect('/settings/sign-in?refused=throttled', 303)
      if (result.outcome === 'refused') {
        logOf(request).warn({ reason: result.reason, detail: result.detail }, 'single sign-on refused')
        setTicket(reply, '', 0)
        return reply.redirect(`/settings/sign-in?refused=${result.reason}`, 303)
      }
      setTicket(reply, '', 0)
      return reply.header('set-cookie', result.cookies).redirect(result.next, 303)
    },
  )

  function setTicket(reply: FastifyReply, ticket: string, seconds: number): void {
    const attributes = `Max-Age=${seconds}; Path=/settings; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
    reply.header('set-cookie', `${ticketCookie}=${ticket}; ${attributes}`)
  }
}

const ticketCookie = 'settings.sign_on'

function ticketIn(cookie = ''): string | undefined {
  const pair = cookie.split(/;\s*/).find((one) => one.startsWith(`${ticketCookie}=`))
  return pair?.slice(ticketCookie.length + 1)
}

/** Prevents open redirects. Other characters would have to be escaped in the header. */
function isOurs(path: string): boolean {
  const url = URL.parse(path, 'https://settings.invalid')
  return /^\/settings([/?][!-~]*)?$/.test(path) && url?.origin === 'https://settings.invalid'
}

/** What an organization’s admins set up. */
export function signOnSettingsRoutes(app: FastifyInstance, dependencies: SettingsDependencies) {
  const { database, clock } = dependencies
  const routes = app.withTypeProvider<SchemaTypeProvider>()
  const signOn = openSignOn(dependencies)

  routes.get(
    '/single-sign-on',
    { schema: { params: organizationPath, response: { 200: currentSignOn } } },
    async (request) => toResponse(await findSignOn(database, memberOf(request).organizationId)),
  )

  routes.put(
    '/single-sign-on',
    {
      preValidation: trimmed('issuer', 'clientId', 'clientSecret', 'domain'),
      schema: { params: organizationPath, body: newSignOn, response: { 200: currentSignOn } },
    },
    async (request) => {
      await admitCheck(database, memberOf(request))
      const fault = await signOn.faultOf(request.body.issuer)
      if (fault !== null) throw new Refusal('issuer_refused', { detail: fault })
      const saved = await changeSignOn(dependencies, changeBy(request), request.body, clock())
      if (saved === 'client_secret_needed') throw new Refusal(saved)
      return toResponse(saved)
    },
  )

  routes.delete('/single-sign-on', { schema: { params: organizationPath } }, async (request, reply) => {
    await turnOffSignOn(database, changeBy(request), clock())
    return reply.code(204).send()
  })

  function toResponse(settings: SignOnSettings | null): CurrentSignOn {
    return { settings, redirectUri: signOn.redirectUri }
  }
}

function openSignOn(dependencies: SettingsDependencies) {
  return createSignOn({ ...dependencies, startSession: dependencies.signIn.startSession })
}
