import assert from 'node:assert/strict'
import { hashPassword } from '../server/auth/passwords.ts'
import type { Session } from '../server/http/settings/schemas.ts'
import { addMember, type Role } from '../server/organizations/members.ts'
import { type ApiResponse, appUrl, call, type Service } from './service.ts'

export type Person = { email: string; password: string }

/** A member who is signed in to the settings area. */
export type SignedInMember = Person & {
  cookie: string
  /** Calls /settings/api as the page does. */
  call<Body = unknown>(method: string, path: string, body?: unknown): Promise<ApiResponse<Body>>
}

// Hashing is slow by design, and few tests care about the password, so all members share one.
const password = 'correct horse battery'
const passwordHash = hashPassword(password)
let count = 0

/** Creates a member of these organizations. */
export async function newMember(service: Service, role: Role, ...organizationIds: string[]): Promise<Person> {
  const email = `person.${++count}@example.com`
  const hash = await passwordHash
  await service.database.transaction(async (transaction) => {
    for (const organizationId of organizationIds) {
      const member = { organizationId, email, name: `Person ${count}`, role, actor: 'test', passwordHash: hash }
      assert.equal(await addMember(transaction, member, service.time.now), 'added')
    }
  })
  return { email, password }
}

export async function signIn(service: Service, person: Person): Promise<SignedInMember> {
  const response = await trySignIn(service, person)
  assert.equal(response.status, 200, response.text)
  return { ...person, ...withCookie(service, cookieIn(response)) }
}

export function trySignIn(service: Service, { email, password }: Person, headers: Record<string, string> = {}) {
  const path = '/settings/api/sign-in'
  return call<Session>(service.url, 'POST', path, { origin: appUrl, ...headers }, { email, password })
}

export function withCookie(service: Service, cookie: string): Pick<SignedInMember, 'cookie' | 'call'> {
  const headers = { origin: appUrl, cookie }
  return { cookie, call: (method, path, body) => call(service.url, method, `/settings/api${path}`, headers, body) }
}

/** The cookies a browser would send back. */
export function cookieIn({ headers }: ApiResponse): string {
  return headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .filter((pair) => !pair.endsWith('='))
    .join('; ')
}

/** Creates a member and signs in. */
export async function signedInMember(
  service: Service,
  role: Role,
  ...organizationIds: string[]
): Promise<SignedInMember> {
  return signIn(service, await newMember(service, role, ...organizationIds))
}
