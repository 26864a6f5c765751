import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { type ErasedIdentity, identifiesErased } from '../interviews/erase-interviews.ts'
import { cancelErased } from './transitions.ts'

export type ErasedDeliveries = { ended: number; attempts: number }

/**
 * Cancels pending deliveries and deletes every attempt, because a response may echo the event. Dead letters go too: a
 * redrive would have nothing to send.
 */
export async function eraseDeliveries(
  transaction: Queryable,
  resultIds: string[],
  now: Date,
): Promise<ErasedDeliveries> {
  const deliveries = await transaction.query<{ id: string }>(sql`
    select id from deliveries where result_id = any(${resultIds}) order by id for update`)
  const deliveryIds = deliveries.map(({ id }) => id)
  const ended = await cancelErased(transaction, deliveryIds, now)
  await transaction.query(sql`delete from dead_letters where delivery_id = any(${deliveryIds})`)
  const attempts = await transaction.query(sql`
    delete from delivery_attempts where delivery_id = any(${deliveryIds}) returning id`)
  return { ended, attempts: attempts.length }
}

/** "Retry all" stores the search it was started from, which may identify the erased candidate. */
export async function eraseRunSearches(transaction: Queryable, candidate: ErasedIdentity): Promise<void> {
  // A run still in progress continues, and no candidate matches this search.
  await transaction.query(sql`
    update retry_runs set filter = jsonb_set(filter, '{search}', '"an erased candidate"')
    where id in (
      select id from (
        select id, filter ->> 'search' as search from retry_runs where organization_id = ${candidate.organizationId}
      ) runs where ${identifiesErased(candidate)})`)
}
