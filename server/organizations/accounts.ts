import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { newId } from '../database/ids.ts'

/** Without a password, only single sign-on or a reset link lets its owner in. */
export type NewAccount = { email: string; name: string; passwordHash: string | null }

/** Returns the user's ID. Null if the address has an account, perhaps since a moment ago. */
export async function createUser(
  transaction: Queryable,
  { email, name, passwordHash }: NewAccount,
  now: Date,
): Promise<string | null> {
  const [created] = await transaction.query<{ id: string }>(sql`
    insert into users (id, name, email, created_at, updated_at) values (${newId('usr')}, ${name}, ${email}, ${now}, ${now})
    on conflict (email) do nothing returning id`)
  if (!created) return null
  if (passwordHash !== null) await storePassword(transaction, created.id, passwordHash, now)
  return created.id
}

/**
 * As above, but also takes over an account without a password and without organizations: that's what single sign-on leaves
 * behind, and it opens nothing.
 */
export async function openAccount(transaction: Queryable, account: NewAccount, now: Date): Promise<string | null> {
  const created = await createUser(transaction, account, now)
  if (created !== null) return created
  const existing = await lockAccount(transaction, account.email)
  if (!existing || existing.hasPassword || existing.isMember) return null
  const { id } = existing
  await transaction.query(sql`update users set name = ${account.name}, updated_at = ${now} where id = ${id}`)
  if (account.passwordHash !== null) await storePassword(transaction, id, account.passwordHash, now)
  return id
}

export type LockedAccount = { id: string; hasPassword: boolean; isMember: boolean }

/** Until the transaction ends, the account gets neither a password nor another organization. */
export async function lockAccount(transaction: Queryable, email: string): Promise<LockedAccount | null> {
  const [user] = await transaction.query<{ id: string }>(sql`select id from users where email = ${email} for update`)
  if (!user) return null
  // A statement of its own, so that it sees what was committed while the first one waited.
  const [account] = await transaction.query<LockedAccount>(sql`
    select id, exists (select from accounts where user_id = u.id) as "hasPassword",
      exists (select from members where user_id = u.id) as "isMember"
    from users u where id = ${user.id}`)
  return account ?? null
}

export async function storePassword(
  transaction: Queryable,
  userId: string,
  passwordHash: string,
  now: Date,
): Promise<void> {
  await transaction.query(sql`
    insert into accounts (id, user_id, account_id, provider_id, password, created_at, updated_at)
    values (${userId}, ${userId}, ${userId}, 'credential', ${passwordHash}, ${now}, ${now})
    on conflict (user_id) do update set password = excluded.password, updated_at = excluded.updated_at`)
}
