import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignedIn, SignIn } from '../../auth/sign-in.ts'
import type { Database } from '../../database/database.ts'
import { isId } from '../../database/ids.ts'
import { type Role, roleIn } from '../../organizations/members.ts'
import type { Change } from '../../workflows/administer.ts'
import { Refusal } from '../errors.ts'

/** Who asks, in the organization they ask about. */
export type MemberCaller = { organizationId: string; role: Role; email: string }

declare module 'fastify' {
  interface FastifyRequest {
    signedIn: SignedIn | null
    member: MemberCaller | null
  }
  interface FastifyContextConfig {
    /** Who may use this route of the settings area. Only an admin, unless it says otherwise. */
    access?: 'anyone' | 'signed in' | 'viewer'
  }
}

export type AdmissionDependencies = { database: Database; signIn: SignIn; appUrl: string }

/** Who asks, whether from our own page, and whether they may: in the order in which every request here is checked. */
export async function admit(
  { database, signIn, appUrl }: AdmissionDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { access = 'admin' } = request.routeOptions.config
  if (access !== 'anyone') {
    const { signedIn, cookies } = await signIn.session(request.headers.cookie)
    if (cookies.length > 0) reply.header('set-cookie', cookies)
    if (!signedIn) throw new Refusal('sign_in_first')
    request.signedIn = signedIn
  }
  if (!reads.has(request.method) && !isFromOurPage(request, appUrl)) throw new Refusal('foreign_origin')

  const organizationId = organizationIn(request.params)
  if (organizationId === null) return
  const { email, userId } = signedInOf(request)
  const role = isId('org', organizationId) ? await roleIn(database, organizationId, userId) : null
  if (role === null) throw new Refusal('organization_not_found')
  if (access === 'admin' && role !== 'admin') throw new Refusal('admin_only')
  request.member = { organizationId, role, email }
}

export function signedInOf(request: FastifyRequest): SignedIn {
  if (!request.signedIn) throw new Error('The route is reached without a session')
  return request.signedIn
}

export function memberOf(request: FastifyRequest): MemberCaller {
  if (!request.member) throw new Error('The route is reached without an organization')
  return request.member
}

/** The change that is asked for, as far as it says who makes it and where. */
export function changeBy(request: FastifyRequest): Change {
  const { organizationId, email } = memberOf(request)
  return { organizationId, actor: email }
}

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** A browser says which page a change comes from. Ours has the address we are known by, or the one it was asked under. */
function isFromOurPage({ headers }: FastifyRequest, appUrl: string): boolean {
  const origin = URL.parse(headers.origin ?? '')
  return origin !== null && (origin.origin === new URL(appUrl).origin || origin.host === headers.host)
}

function organizationIn(params: unknown): string | null {
  const found = typeof params === 'object' && params !== null && 'organizationId' in params && params.organizationId
  return typeof found === 'string' ? found : null
}
