import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'

// Enough for any team, and a bound on what one alert costs.
const maxRecipients = 100

/** The admins who want emails about its webhook. */
export async function alertRecipients(database: Queryable, organizationId: string): Promise<string[]> {
  const rows = await database.query<{ email: string }>(sql`
    select u.email from members m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and m.role = 'admin' and m.alert_emails
    order by m.created_at, u.id limit ${maxRecipients}`)
  return rows.map(({ email }) => email)
}

/** False for those who have left, opted out or stopped being an admin since the alert was queued. */
export async function isAlertRecipient(database: Queryable, organizationId: string, email: string): Promise<boolean> {
  const rows = await database.query(sql`
    select from members m join users u on u.id = m.user_id
    where u.email = ${email} and m.organization_id = ${organizationId} and m.role = 'admin' and m.alert_emails`)
  return rows.length > 0
}

export async function wantsAlertEmails(database: Queryable, organizationId: string, userId: string): Promise<boolean> {
  const [row] = await database.query<{ wanted: boolean }>(sql`
    select alert_emails as wanted from members where organization_id = ${organizationId} and user_id = ${userId}`)
  return row?.wanted ?? false
}

/** False if there was nothing to change. */
export async function setAlertEmails(
  transaction: Queryable,
  { organizationId, userId, wanted }: { organizationId: string; userId: string; wanted: boolean },
): Promise<boolean> {
  const changed = await transaction.query(sql`
    update members set alert_emails = ${wanted}
    where organization_id = ${organizationId} and user_id = ${userId} and alert_emails <> ${wanted} returning 1`)
  return changed.length > 0
}
