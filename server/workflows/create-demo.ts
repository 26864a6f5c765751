import type { Database } from '../database/database.ts'
import { recordActivity } from '../organizations/activity.ts'
import { mintKey, scopes } from '../organizations/api-keys.ts'
import { createFirstAdmin, type FirstAdmin } from './create-first-admin.ts'

export type Demo = FirstAdmin & { key: string }

const actor = 'first start'

/** Creates an organization with one admin and one key, unless there is an organization already. */
export async function createDemo(database: Database, now: Date): Promise<Demo | null> {
  return database.transaction(async (transaction) => {
    const names = { organizationName: 'Demo', email: 'admin@example.com', name: 'Demo admin' }
    const admin = await createFirstAdmin(transaction, { ...names, actor }, now)
    if (!admin) return null
    const { organizationId } = admin
    const label = 'Demo key'
    const { id, key } = await mintKey(
      transaction,
      { organizationId, label, scopes: [...scopes], createdBy: actor },
      now,
    )
    const subject = `${label} (${id})`
    const activity = { organizationId, actor, action: 'key.created', subject, detail: scopes.join(', ') } as const
    await recordActivity(transaction, activity, now)
    return { ...admin, key }
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
