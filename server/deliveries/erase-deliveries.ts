import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'

export type ErasedDeliveries = { deliveryIds: string[]; ended: number; attempts: number }

/**
 * Ends deliveries that wait, without a request, and removes every attempt: an answer may repeat what was sent. An attempt
 * that is under way at this moment finds nowhere to write its answer, and the next has no image and so sends nothing.
 */
export async function eraseDeliveries(
  transaction: Queryable,
  resultIds: string[],
  now: Date,
): Promise<ErasedDeliveries> {
  const deliveries = await transaction.query<{ id: string }>(sql`
    select id from deliveries where result_id = any(${resultIds}) order by id for update`)
  const deliveryIds = deliveries.map(({ id }) => id)
  const ended = await transaction.query(sql`
    update deliveries set status = 'FAILED', failure_reason = 'WEBHOOK_DISABLED', updated_at = ${now}
    where id = any(${deliveryIds}) and (status = 'PENDING' or failure_reason = 'ENQUEUE_FAILED')
    returning id`)
  const attempts = await transaction.query(sql`
    delete from delivery_attempts where delivery_id = any(${deliveryIds}) returning id`)
  return { deliveryIds, ended: ended.length, attempts: attempts.length }
}

/**
 * What was searched for when "Retry all" was chosen is kept with the run and in the activity. It goes where it is the
 * erased e-mail address, or a beginning of it that nobody else's has.
 */
export async function eraseSearches(
  transaction: Queryable,
  { organizationId, email }: { organizationId: string; email: string },
): Promise<void> {
  const emailKey = email.toLowerCase()
  // By now the erased address is on none of the interviews.
  const isTheirs = sql`
    search <> '' and left(${emailKey}, length(search)) = lower(search) and (
      lower(search) = ${emailKey} or not exists (
        select from interviews where organization_id = ${organizationId} and starts_with(email_key, lower(search))
      )
    )`
  // A run that is not over yet goes on, and finds nobody by these words.
  await transaction.query(sql`
    update retry_runs set filter = jsonb_set(filter, '{search}', '"an erased candidate"')
    where id in (
      select id from (
        select id, filter ->> 'search' as search from retry_runs where organization_id = ${organizationId}
      ) runs where ${isTheirs})`)
  await transaction.query(sql`
    update activity set detail = regexp_replace(detail, 'matching .*$', 'matching an erased candidate')
    where id in (
      select id from (
        select id, substring(detail from 'matching (.*)$') as search from activity
        where organization_id = ${organizationId} and action = 'deliveries.retried'
      ) lines where ${isTheirs})`)
}
