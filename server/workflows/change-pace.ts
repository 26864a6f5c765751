import type { Database } from '../database/database.ts'
import { type Endpoint, findEndpoint } from '../endpoints/endpoint.ts'
import { recordActivity } from '../organizations/activity.ts'
import { maxPerSecondLimit } from '../queue/pace.ts'
import { setMaxPerSecond } from '../queue/pauses.ts'
import type { Change } from './administer.ts'

export function isMaxPerSecond(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= maxPerSecondLimit
}

/** Limits how many events the endpoint gets a second; null removes the limit. Null without a webhook. */
export async function changePace(
  database: Database,
  { organizationId, actor }: Change,
  maxPerSecond: number | null,
  now: Date,
): Promise<Endpoint | null> {
  return database.transaction(async (transaction) => {
    const endpoint = await findEndpoint(transaction, organizationId)
    if (!endpoint || endpoint.maxPerSecond === maxPerSecond) return endpoint
    await setMaxPerSecond(transaction, organizationId, maxPerSecond)
    const subject = new URL(endpoint.url).host
    const detail = maxPerSecond === null ? 'no limit' : `at most ${maxPerSecond} a second`
    await recordActivity(transaction, { organizationId, actor, action: 'webhook.pace_changed', subject, detail }, now)
    return { ...endpoint, maxPerSecond }
  })
}
