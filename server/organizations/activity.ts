import sql, { join, type Sql } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { isId, newId } from '../database/ids.ts'
import { decodeCursor, type Page, pageOf } from '../database/paging.ts'
import { type RemovalPosition, type RemovalStep, removeAgedRows } from '../database/removal.ts'
import { type ErasedIdentity, identifiesErased } from '../interviews/erase-interviews.ts'

export const actions = [
  'organization.activated',
  'organization.deactivated',
  'key.created',
  'key.revoked',
  'key.renamed',
  'key.expiry_changed',
  'key.rotated',
  'webhook.saved',
  'webhook.enabled',
  'webhook.disabled',
  'webhook.removed',
  'webhook.secret_changed',
  'webhook.secret_prepared',
  'webhook.secret_activated',
  'webhook.secret_discarded',
  'webhook.pace_changed',
  'webhook.checked',
  'chat_webhook.saved',
  'chat_webhook.removed',
  'alert_emails.enabled',
  'alert_emails.disabled',
  'notifications.tested',
  'listen_token.created',
  'listen_token.revoked',
  'delivery.retried',
  'deliveries.retried',
  'candidate.erased',
  'member.added',
  'member.removed',
  'member.password_set',
  'member.invited',
  'member.invitation_renewed',
  'member.invitation_withdrawn',
  'member.joined',
  'member.role_changed',
  'member.signed_out',
  'member.reset_link_created',
  'member.second_factor_on',
  'member.second_factor_off',
  'member.second_factor_reset',
  'member.recovery_codes_renewed',
  'organization.second_factor_required',
  'organization.second_factor_optional',
  'single_sign_on.saved',
  'single_sign_on.removed',
  'single_sign_on.domain_confirmed',
] as const
export type Action = (typeof actions)[number]

/** The actor of changes made by an operator, who has no account here. */
export const commandLine = 'command line'

export type NewActivity = {
  organizationId: string
  /** A member's email address, or `command line`. */
  actor: string
  action: Action
  /** Must make sense even after the object is gone. Never a secret. */
  subject: string
  detail?: string
  /** When the subject ends from now on, if it does. */
  endsAt?: Date | null
  /** Separate from the detail, because it may name a candidate who is erased later. */
  search?: string
}

export type Activity = {
  id: string
  at: string
  actor: string
  action: Action
  subject: string
  detail: string | null
  endsAt: string | null
}

/** To be called in the transaction that makes the change, so that neither happens without the other. */
export async function recordActivity(transaction: Queryable, activity: NewActivity, now: Date): Promise<void> {
  const { organizationId, actor, action, subject, detail = null, endsAt = null, search = null } = activity
  await transaction.query(sql`
    insert into activity (id, organization_id, at, actor, action, subject, detail, ends_at, search)
    values (${newId('act')}, ${organizationId}, ${now}, ${actor}, ${action}, ${subject}, ${detail}, ${endsAt},
      ${search})`)
}

/** Newest first. */
export async function listActivity(
  database: Queryable,
  organizationId: string,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<Page<Activity> | 'invalid_cursor'> {
  const conditions: Sql[] = [sql`organization_id = ${organizationId}`]
  if (cursor !== undefined) {
    const [before] = decodeCursor(cursor) ?? []
    if (typeof before !== 'string' || !isId('act', before)) return 'invalid_cursor'
    conditions.push(sql`id < ${before}`)
  }
  const rows = await database.query<Activity>(sql`
    select id, at, actor, action, subject, nullif(concat_ws(', ', detail, 'matching ' || search), '') as detail,
      ends_at as "endsAt"
    from activity
    where ${join(conditions, ' and ')} order by id desc limit ${limit + 1}`)
  return pageOf(rows, limit, ({ id }) => [id])
}

/** Removes searches that identify the erased candidate. */
export async function eraseActivitySearches(transaction: Queryable, candidate: ErasedIdentity): Promise<void> {
  await transaction.query(sql`
    update activity set search = 'an erased candidate'
    where organization_id = ${candidate.organizationId} and ${identifiesErased(candidate)}`)
}

export function removeOldActivity(database: Queryable, position: RemovalPosition, until: Date): Promise<RemovalStep> {
  return removeAgedRows(database, { table: 'activity', key: 'id', isDue: sql`at <= ${until}` }, position)
}
