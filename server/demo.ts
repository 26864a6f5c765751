import type { Database } from './database/database.ts'
import { mintKey, scopes } from './organizations/api-keys.ts'
import { createOrganization, listOrganizations } from './organizations/organizations.ts'

export type Demo = { organizationId: string; key: string }

/** On an empty embedded database: an organization with one key, so that the first request works at once. */
export async function createDemo(database: Database, now: Date): Promise<Demo | null> {
  const existing = await listOrganizations(database)
  if (existing.length > 0) return null
  return database.transaction(async (transaction) => {
    const organization = await createOrganization(transaction, 'Demo', now)
    const wanted = { organizationId: organization.id, label: 'Demo key', scopes: [...scopes], createdBy: 'first start' }
    const { key } = await mintKey(transaction, wanted, now)
    return { organizationId: organization.id, key }
  })
}

/** Shown once: the key is kept nowhere. */
export function welcome(demo: Demo, appUrl: string): string {
  return `
  Partner Interview API is running for the first time, with a demo organization.

    API reference   ${appUrl}/docs
    Organization    ${demo.organizationId}
    API key         ${demo.key}

  The key is shown only now. A first request:

    curl -s ${appUrl}/v1/templates \\
      -H 'X-Service-Api-Key: ${demo.key}' \\
      -H 'Content-Type: application/json' \\
      -d '{"title": "Backend engineer", "description": "Services, queues and databases."}'

  Then invite a candidate at /v1/interview-invitations: the link in the answer opens a sandbox where you play the part.

`
}
