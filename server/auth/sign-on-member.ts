import type { Queryable } from '../database/database.ts'
import { acceptBySignOn } from '../organizations/member-invitations.ts'
import { findMember, findUser } from '../organizations/members.ts'
import { isName } from '../organizations/names.ts'

type Vouched = { organizationId: string; email: string; name: string | null }

/** The user whom the organization's provider vouches for, if they are a member or invited. */
export async function admitToOrganization(transaction: Queryable, vouched: Vouched, now: Date): Promise<string | null> {
  const { organizationId, email } = vouched
  const member = async () => {
    const user = await findUser(transaction, email)
    return user && (await findMember(transaction, organizationId, user.id))
  }
  const known = await member()
  if (known) return known.id
  const accepted = await acceptBySignOn(transaction, { organizationId, email, name: nameOf(vouched) }, now)
  if (accepted !== null) return accepted
  // A second sign-in of the same person may have used the invitation just now.
  return (await member())?.id ?? null
}

const maxNameLength = 100

/** What a provider calls someone may be anything. */
function nameOf({ name, email }: Vouched): string {
  return name !== null && isName(name) ? [...name].slice(0, maxNameLength).join('') : email
}
