import { hashPassword, newPassword } from '../auth/passwords.ts'
import type { Database } from '../database/database.ts'
import { mintKey, scopes } from '../organizations/api-keys.ts'
import { addMember } from '../organizations/members.ts'
import { createOrganization, listOrganizations } from '../organizations/organizations.ts'

export type Demo = { organizationId: string; key: string; email: string; password: string }

const email = 'admin@example.com'
const actor = 'first start'

/** On an empty embedded database: an organization with one admin and one key, so that everything works at once. */
export async function createDemo(database: Database, now: Date): Promise<Demo | null> {
  const existing = await listOrganizations(database)
  if (existing.length > 0) return null
  const password = newPassword()
  const passwordHash = await hashPassword(password)
  return database.transaction(async (transaction) => {
    const organization = await createOrganization(transaction, 'Demo', now)
    const organizationId = organization.id
    const wanted = { organizationId, label: 'Demo key', scopes: [...scopes], createdBy: actor }
    const { key } = await mintKey(transaction, wanted, now)
    const admin = { organizationId, email, name: 'Demo admin', role: 'admin', passwordHash, actor } as const
    await addMember(transaction, admin, now)
    return { organizationId, key, email, password }
  })
}

/** Shown once: key and password are kept nowhere. */
export function welcome(demo: Demo, appUrl: string): string {
  return `
  Partner Interview API is running for the first time, with a demo organization.

    API reference   ${appUrl}/docs
    Organization    ${demo.organizationId}
    API key         ${demo.key}

    Settings        ${appUrl}/settings
    E-mail          ${demo.email}
    Password        ${demo.password}

  Key and password are shown only now. A first request:

    curl -s ${appUrl}/v1/templates \\
      -H 'X-Service-Api-Key: ${demo.key}' \\
      -H 'Content-Type: application/json' \\
      -d '{"title": "Backend engineer", "description": "Services, queues and databases."}'

  Then invite a candidate at /v1/interview-invitations: the link in the answer opens a sandbox where you play the part.

`
}
