import sql from 'sql-template-tag'
import type { Database } from '../database/database.ts'
import { deliveryKey } from './deliveries.ts'
import type { DeliveryQueue } from './queue.ts'

export type Redriven =
  | { outcome: 'redriven'; deliveryId: string }
  | { outcome: 'not_found' }
  | { outcome: 'delivered'; deliveryId: string }

/** Takes a job out of the dead-letter queue and starts its delivery over, at once and with the same keys. */
export async function redrive(
  { database, queue }: { database: Database; queue: DeliveryQueue },
  id: string,
  now: Date,
): Promise<Redriven> {
  const letter = await queue.removeDeadLetter(id)
  if (!letter) return { outcome: 'not_found' }
  const { deliveryId } = letter
  // Should this process end here, the record is still PENDING for the sweep, or FAILED for an admin's Retry.
  const [delivery] = await database.query<{ resultId: string; organizationId: string }>(sql`
    update deliveries set status = 'PENDING', failure_reason = null, attempts = 0, round_started_at = now(),
      updated_at = ${now}
    where id = ${deliveryId} and status <> 'DELIVERED'
    returning result_id as "resultId", organization_id as "organizationId"`)
  if (!delivery) return { outcome: 'delivered', deliveryId }
  const { resultId, organizationId } = delivery
  await queue.enqueue({ deliveryId, deliveryKey: deliveryKey(resultId), organizationId })
  return { outcome: 'redriven', deliveryId }
}
