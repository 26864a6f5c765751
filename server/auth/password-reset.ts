import type { Database } from '../database/database.ts'
import { setPassword } from '../organizations/members.ts'
import { consumeReset, findReset } from '../organizations/password-resets.ts'
import { hashPassword, type PasswordFault, passwordFault } from './passwords.ts'

/** The new password ends all sessions and all other reset links. */
export async function resetPassword(
  database: Database,
  { token, password }: { token: string; password: string },
  now: Date,
): Promise<
  { outcome: 'reset'; email: string } | { outcome: 'link_invalid' } | { outcome: 'weak'; fault: PasswordFault }
> {
  const found = await findReset(database, token, now)
  if (!found) return { outcome: 'link_invalid' }
  const { userId, email } = found
  const fault = passwordFault(password, found)
  if (fault) return { outcome: 'weak', fault }
  // Hashed first: it takes long, and a transaction holds the embedded database.
  const passwordHash = await hashPassword(password)
  return database.transaction(async (transaction) => {
    if (!(await consumeReset(transaction, token, now))) return { outcome: 'link_invalid' }
    await setPassword(transaction, { userId, email, passwordHash, actor: email }, now)
    return { outcome: 'reset', email }
  })
}
