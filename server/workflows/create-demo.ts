import { hashPassword, newPassword } from '../auth/passwords.ts'
import type { Database } from '../database/database.ts'
import { recordActivity } from '../organizations/activity.ts'
import { mintKey, scopes } from '../organizations/api-keys.ts'
import { addMember } from '../organizations/members.ts'
import { createOrganization, listOrganizations } from '../organizations/organizations.ts'

export type Demo = { organizationId: string; key: string; email: string; password: string }

const email = 'admin@example.com'
const actor = 'first start'

/** Creates an organization with one admin and one key, unless there is an organization already. */
export async function createDemo(database: Database, now: Date): Promise<Demo | null> {
  const existing = await listOrganizations(database)
  if (existing.length > 0) return null
  const password = newPassword()
  const passwordHash = await hashPassword(password)
  return database.transaction(async (transaction) => {
    const organization = await createOrganization(transaction, 'Demo', now)
    const organizationId = organization.id
    const label = 'Demo key'
    const { id, key } = await mintKey(
      transaction,
      { organizationId, label, scopes: [...scopes], createdBy: actor },
      now,
    )
    const subject = `${label} (${id})`
    const activity = { organizationId, actor, action: 'key.created', subject, detail: scopes.join(', ') } as const
    await recordActivity(transaction, activity, now)
    const admin = { organizationId, email, name: 'Demo admin', role: 'admin', passwordHash, actor } as const
    await addMember(transaction, admin, now)
    return { organizationId, key, email, password }
  })
}

/** Printed once: only hashes of the key and the password are stored. */
export function welcome(demo: Demo, appUrl: string): string {
  return `
  Partner Interview API is running for the first time, with a demo organization.

    API reference   ${appUrl}/docs
    Organization    ${demo.organizationId}
    API key         ${demo.key}

    Settings        ${appUrl}/settings
    Email           ${demo.email}
    Password        ${demo.password}

  Copy the key and the password now. You won't see them again. Your first request:

    curl -s ${appUrl}/v1/templates \\
      -H 'X-Service-Api-Key: ${demo.key}' \\
      -H 'Content-Type: application/json' \\
      -d '{"title": "Backend engineer", "description": "Services, queues and databases."}'

  Then create an invitation with /v1/interview-invitations. Its link opens a sandbox where you play the candidate.
  To receive the event on this machine, create a listen token:

    npx partner-interview-admin listen-token create --organization ${demo.organizationId}

`
}
