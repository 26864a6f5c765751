import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Session, SignIn } from '../../auth/sign-in.ts'
import type { Database } from '../../database/database.ts'
import { isId } from '../../database/ids.ts'
import { membershipIn, type Role, recordSignInTo } from '../../organizations/members.ts'
import type { Device } from '../../organizations/sessions.ts'
import type { Change } from '../../workflows/administer.ts'
import { Refusal } from '../errors.ts'

/** The caller, as a member of the organization in the path. */
export type MemberCaller = { organizationId: string; role: Role; email: string }

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | null
    member: MemberCaller | null
  }
  interface FastifyContextConfig {
    /** Who may use this route of the settings area. Default: admins only. */
    access?: 'anyone' | 'signed in' | 'viewer'
  }
}

export type AdmissionDependencies = { database: Database; signIn: SignIn; appUrl: string }

/** Checks session, origin, membership, second factor, role and organization, in this order. */
export async function admit(
  { database, signIn, appUrl }: AdmissionDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { access = 'admin' } = request.routeOptions.config
  if (access !== 'anyone') {
    const { session, cookies } = await signIn.session(request.headers.cookie, request.ip)
    if (!session) throw new Refusal('sign_in_first')
    // Not with the refusal: it would also delete the cookie of a session that has just replaced the one in the request.
    if (cookies.length > 0) reply.header('set-cookie', cookies)
    request.session = session
  }
  if (!reads.has(request.method) && !isFromOurPage(request, appUrl)) throw new Refusal('foreign_origin')

  const organizationId = organizationIn(request.params)
  if (organizationId === null) return
  const { email, userId, organizationId: only, signedInAt } = sessionOf(request)
  const isReachable = isId('org', organizationId) && (only === null || only === organizationId)
  const membership = isReachable ? await membershipIn(database, organizationId, userId) : null
  if (membership === null) throw new Refusal('organization_not_found')
  const { role, active, secondFactorMissing, lastSignInAt } = membership
  // Whoever came by single sign-on has proven more than a password there.
  if (secondFactorMissing && only === null) throw new Refusal('second_factor_required')
  if (access === 'admin' && role !== 'admin') throw new Refusal('admin_only')
  if (!active && !reads.has(request.method)) throw new Refusal('organization_inactive')
  request.member = { organizationId, role, email }
  if (lastSignInAt === null || Date.parse(lastSignInAt) < signedInAt.getTime()) {
    await recordSignInTo(database, { organizationId, userId, signedInAt })
  }
}

export function sessionOf(request: FastifyRequest): Session {
  if (!request.session) throw new Error('The route requires a session')
  return request.session
}

export function memberOf(request: FastifyRequest): MemberCaller {
  if (!request.member) throw new Error('The route requires an organization')
  return request.member
}

export function deviceOf(request: FastifyRequest): Device {
  return { address: request.ip, userAgent: request.headers['user-agent'] }
}

export function changeBy(request: FastifyRequest): Change {
  const { organizationId, email } = memberOf(request)
  return { organizationId, actor: email }
}

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** CSRF protection: the browser's Origin must be APP_URL or the host of the request. */
function isFromOurPage({ headers, protocol }: FastifyRequest, appUrl: string): boolean {
  const { origin } = headers
  return origin === new URL(appUrl).origin || origin === `${protocol}://${headers.host}`
}

function organizationIn(params: unknown): string | null {
  const found = typeof params === 'object' && params !== null && 'organizationId' in params && params.organizationId
  return typeof found === 'string' ? found : null
}
