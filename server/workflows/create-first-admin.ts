import { hashPassword, newPassword } from '../auth/passwords.ts'
import type { Database } from '../database/database.ts'
import { commandLine } from '../organizations/activity.ts'
import { addMember } from '../organizations/members.ts'
import { createOrganization, listOrganizations } from '../organizations/organizations.ts'

export type FirstAdmin = { organizationId: string; email: string; password: string }

/** Creates an organization with one admin, unless there is an organization already. */
export async function createFirstAdmin(
  database: Database,
  { organizationName, email }: { organizationName: string; email: string },
  now: Date,
): Promise<FirstAdmin | null> {
  const existing = await listOrganizations(database)
  if (existing.length > 0) return null
  const password = newPassword()
  const passwordHash = await hashPassword(password)
  return database.transaction(async (transaction) => {
    const { id: organizationId } = await createOrganization(transaction, organizationName, now)
    const admin = { organizationId, email, name: email, role: 'admin', passwordHash, actor: commandLine } as const
    await addMember(transaction, admin, now)
    return { organizationId, email, password }
  })
}
