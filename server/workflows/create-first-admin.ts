import sql from 'sql-template-tag'
import { hashPassword, newPassword } from '../auth/passwords.ts'
import type { Queryable } from '../database/database.ts'
import { addMember } from '../organizations/members.ts'
import { createOrganization, hasOrganizations } from '../organizations/organizations.ts'

export type FirstAdmin = { organizationId: string; email: string; password: string }

/** Creates an organization with one admin, unless there is an organization already. */
export async function createFirstAdmin(
  transaction: Queryable,
  { organizationName, email, name, actor }: { organizationName: string; email: string; name: string; actor: string },
  now: Date,
): Promise<FirstAdmin | null> {
  if (await hasOrganizations(transaction)) return null
  // Of two calls at the same time, the second finds what the first one has created.
  await transaction.query(sql`lock table organizations in share row exclusive mode`)
  if (await hasOrganizations(transaction)) return null
  const password = newPassword()
  const passwordHash = await hashPassword(password)
  const { id: organizationId } = await createOrganization(transaction, organizationName, now)
  const added = await addMember(transaction, { organizationId, email, name, role: 'admin', passwordHash, actor }, now)
  if (added !== 'added') throw new Error(`The first admin was not added: ${added}`)
  return { organizationId, email, password }
}
