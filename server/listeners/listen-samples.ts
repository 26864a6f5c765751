import sql from 'sql-template-tag'
import { sampleResultId } from '../../sdk/src/sample-event.ts'
import type { Queryable } from '../database/database.ts'
import { type RemovalPosition, type RemovalStep, removeAgedRows } from '../database/removal.ts'

const samplesPerMinute = 60

/** Sends a sample event to everyone who listens to this organization. */
export async function createSample(
  database: Queryable,
  organizationId: string,
  now: Date,
): Promise<{ resultId: string } | 'too_many'> {
  const [created] = await database.query<{ resultId: string }>(sql`
    insert into listen_samples (id, organization_id, created_at)
    select ${sampleResultId()}, ${organizationId}, ${now}::timestamptz
    where (
      select count(*) from listen_samples
      where organization_id = ${organizationId} and created_at > ${new Date(now.getTime() - 60_000)}
    ) < ${samplesPerMinute}::int
    returning id as "resultId"`)
  return created ?? 'too_many'
}

export function isSampleId(text: string): boolean {
  return /^sample_[0-9a-f]{32}$/.test(text)
}

export function removeOldSamples(database: Queryable, position: RemovalPosition, until: Date): Promise<RemovalStep> {
  const isDue = sql`created_at <= ${until}`
  return removeAgedRows(database, { table: 'listen_samples', key: 'id', isDue }, position)
}
