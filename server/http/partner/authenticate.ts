import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Scope } from '../../organizations/api-keys.ts'
import { type Caller, requestsPerWindow, type Window, windowSeconds } from '../../organizations/authenticate.ts'
import type { Authenticator } from '../../organizations/authenticator.ts'
import { Refusal } from '../errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
  interface FastifyContextConfig {
    /** The scope a key needs for this route. */
    scope?: Scope
  }
}

/** Who calls, and whether they may: in the order in which every /v1 request is checked. */
export async function admit(authenticate: Authenticator, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const key = keyOf(request)
  if (key === null) throw new Refusal('key_required')
  const authentication = await authenticate(key, request.ip)
  if (authentication.outcome === 'invalid') throw new Refusal('key_invalid')
  // Also for what is rejected below: the requests of a key are counted whatever the response.
  request.caller = authentication.caller
  showWindow(reply, authentication.window)
  if (authentication.outcome === 'inactive') throw new Refusal('organization_inactive')
  if (authentication.window.exceeded) {
    const headers = { 'retry-after': String(authentication.window.secondsToReset) }
    throw new Refusal('rate_limited', { headers })
  }
}

export function requireScope(request: FastifyRequest): void {
  const { scope } = request.routeOptions.config
  if (scope && !callerOf(request).scopes.includes(scope)) throw new Refusal('scope_required', { detail: scope })
}

export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('The route is reached without a key')
  return request.caller
}

/** Either header will do. Two different keys are no key: guessing which one was meant could act for the wrong one. */
function keyOf(request: FastifyRequest): string | null {
  const own = String(request.headers['x-service-api-key'] ?? '')
  const bearer = /^bearer +(.*)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
  if (own !== '' && bearer !== '' && own !== bearer) return ''
  return own || bearer || null
}

const policy = `"default";q=${requestsPerWindow};w=${windowSeconds}`

function showWindow(reply: FastifyReply, window: Window): void {
  reply.header('ratelimit-policy', policy)
  reply.header('ratelimit', `"default";r=${window.left};t=${window.secondsToReset}`)
}
