import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { recordInAll } from './members.ts'

/** Until the transaction ends, nobody else changes the user's second factor, and no session begins. */
export async function lockUser(transaction: Queryable, userId: string): Promise<void> {
  await transaction.query(sql`select from users where id = ${userId} for update`)
}

/** For someone who lost both the app and the recovery codes. Ends all sessions. */
export async function resetSecondFactor(
  transaction: Queryable,
  { userId, email, actor }: { userId: string; email: string; actor: string },
  now: Date,
): Promise<void> {
  await lockUser(transaction, userId)
  await transaction.query(sql`delete from second_factors where user_id = ${userId}`)
  await transaction.query(sql`update users set two_factor_enabled = false where id = ${userId}`)
  await transaction.query(sql`delete from sessions where user_id = ${userId}`)
  await recordInAll(transaction, { userId, email, action: 'member.second_factor_reset', actor }, now)
}

/** The name of one of the user's organizations that requires a second factor, or null. */
export async function requiresSecondFactorAnywhere(database: Queryable, userId: string): Promise<string | null> {
  const [found] = await database.query<{ name: string }>(sql`
    select o.name from members m join organizations o on o.id = m.organization_id
    where m.user_id = ${userId} and o.requires_second_factor order by o.name limit 1`)
  return found?.name ?? null
}

/** As the sign-in library encrypts it. */
export type EncryptedFactor = { secret: string; codes: string }

export async function listSecondFactors(database: Queryable): Promise<(EncryptedFactor & { userId: string })[]> {
  return database.query(
    sql`select user_id as "userId", secret, backup_codes as codes from second_factors order by user_id`,
  )
}

/** Locked, so that it doesn't change before it is replaced. Null if it was turned off. */
export async function lockSecondFactor(
  transaction: Queryable,
  userId: string,
): Promise<(EncryptedFactor & { email: string }) | null> {
  const [found] = await transaction.query<EncryptedFactor & { email: string }>(sql`
    select f.secret, f.backup_codes as codes, u.email from second_factors f join users u on u.id = f.user_id
    where f.user_id = ${userId} for update of f`)
  return found ?? null
}

export async function replaceSecondFactor(
  transaction: Queryable,
  userId: string,
  { secret, codes }: EncryptedFactor,
): Promise<void> {
  await transaction.query(
    sql`update second_factors set secret = ${secret}, backup_codes = ${codes} where user_id = ${userId}`,
  )
}
