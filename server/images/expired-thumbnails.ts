import sql, { empty } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import type { RemovalPosition, RemovalStep } from '../database/removal.ts'

const rowsPerStep = 500
// PostgreSQL stores a large image as hundreds of rows, so only a few are deleted at once.
const imagesPerStep = 25

/**
 * Deletes images that won't be sent anymore: the event was delivered before `until`, there was no webhook, or the
 * interview was never completed. Images of pending and failed deliveries stay, for Retry.
 */
export async function removeExpiredThumbnails(
  database: Queryable,
  { after, remove }: RemovalPosition,
  until: Date,
): Promise<RemovalStep> {
  const [step] = await database.query<Step>(sql`
    with examined as materialized (
      select n.interview_id, i.created_at, case
          when d.id is not null then d.delivered_at
          when r.final then r.created_at
          when i.status in ('EXPIRED', 'FAILED', 'CANCELLED') then i.updated_at
          when i.status = 'SCHEDULED' then i.expires_at
        end as ended_at
      from (
        select interview_id from thumbnails where interview_id > ${after ?? ''} order by interview_id limit ${rowsPerStep}
      ) n
      join interviews i on i.id = n.interview_id
      left join results r on r.interview_id = i.id
      left join deliveries d on d.result_id = r.id
    ), due as (
      select interview_id from thumbnails
      where interview_id in (select interview_id from examined where ended_at <= ${until}) and stored_at <= ${until}
      order by interview_id limit ${imagesPerStep} ${remove ? sql`for update skip locked` : empty}
    ), removed as (
      delete from thumbnails where interview_id in (select interview_id from due) and ${remove}::boolean
    )
    select (select count(*) from examined) as examined,
      (select count(*) from examined where created_at > ${until} and created_at <= now()) as recent,
      (select count(*) from due) as due, (select max(interview_id) from examined) as last,
      (select max(interview_id) from due) as "lastDue"`)
  const { examined = 0, recent = 0, due = 0, last = null, lastDue = null } = step ?? {}
  if (due === imagesPerStep) return { due, next: lastDue }
  // IDs grow with time: interviews that are too recent have no image that is old enough. A few may be from a wrong clock.
  return { due, next: examined < rowsPerStep || recent === examined ? null : last }
}

type Step = { examined: number; recent: number; due: number; last: string | null; lastDue: string | null }
