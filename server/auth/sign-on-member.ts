import type { Queryable } from '../database/database.ts'
import { acceptBySignOn } from '../organizations/member-invitations.ts'
import { findMember, findUser } from '../organizations/members.ts'

/**
 * The user whom the organization's provider vouches for, if they are a member or invited. An account that exists already
 * is not let in by an invitation: whoever created it may know its password.
 */
export async function admitToOrganization(
  transaction: Queryable,
  { organizationId, email, name }: { organizationId: string; email: string; name: string | null },
  now: Date,
): Promise<string | null> {
  const user = await findUser(transaction, email)
  if (user) return (await findMember(transaction, organizationId, user.id)) ? user.id : null
  return acceptBySignOn(transaction, { organizationId, email, name: name?.slice(0, 100) ?? email }, now)
}
