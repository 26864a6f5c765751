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

/** Authenticates a /v1 request and counts it. Callers depend on the order of these checks. */
export async function admit(authenticate: Authenticator, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const key = keyOf(request)
  if (key === null) throw new Refusal('key_required')
  const authentication = await authenticate(key)
  if (authentication.outcome === 'invalid') throw new Refusal('key_invalid')
  setRateLimitHeaders(reply, authentication.window)
  if (authentication.outcome === 'inactive') throw new Refusal('organization_inactive')
  if (authentication.window.exceeded) {
    const headers = { 'retry-after': String(authentication.window.secondsToReset) }
    throw new Refusal('rate_limited', { headers })
  }
  request.caller = authentication.caller
}

export function requireScope(request: FastifyRequest): void {
  const { scope } = request.routeOptions.config
  if (scope && !callerOf(request).scopes.includes(scope)) throw new Refusal('scope_required', { detail: scope })
}

export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('Route reached without authentication')
  return request.caller
}

/** Accepts either header. Two different keys are invalid, since picking one could act for the wrong organization. */
function keyOf(request: FastifyRequest): string | null {
  const apiKey = String(request.headers['x-service-api-key'] ?? '')
  const bearer = /^bearer +(.*)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
  if (apiKey !== '' && bearer !== '' && apiKey !== bearer) return ''
  return apiKey || bearer || null
}

const policy = `"default";q=${requestsPerWindow};w=${windowSeconds}`

function setRateLimitHeaders(reply: FastifyReply, window: Window): void {
  reply.header('ratelimit-policy', policy)
  reply.header('ratelimit', `"default";r=${window.left};t=${window.secondsToReset}`)
}
