import sql, { empty } from 'sql-template-tag'
import { before, day, hour, type Rule } from './rule.ts'

const rows = 500
// A large image is hundreds of rows in the place where PostgreSQL keeps large values: few are removed at once.
const most = 25

/**
 * Images that nobody will be sent any more: the event arrived, or there was no webhook to send it to, or the interview
 * came to nothing. That of a delivery which waits or has failed stays, for Retry.
 */
export function imagesRule(days: number | null): Rule {
  return {
    name: 'images',
    keptFor: days === null ? null : `${days} days after delivery, or after the end of an interview without one`,
    everySeconds: hour,
    async step(database, { after, remove }, now) {
      if (days === null) return { due: 0, next: null }
      const until = before(now, days * day)
      const [found] = await database.query<Found>(sql`
        with looked as materialized (
          select n.interview_id, i.created_at, case
              when d.id is not null then d.delivered_at
              when r.position is not null then r.created_at
              when i.status in ('EXPIRED', 'FAILED', 'CANCELLED') then i.updated_at
              when i.status = 'SCHEDULED' then i.expires_at
            end as ended_at
          from (
            select interview_id from thumbnails where interview_id > ${after ?? ''} order by interview_id limit ${rows}
          ) n
          join interviews i on i.id = n.interview_id
          left join results r on r.interview_id = i.id
          left join deliveries d on d.result_id = r.id
        ), due as (
          select interview_id from thumbnails
          where interview_id in (select interview_id from looked where ended_at <= ${until}) and stored_at <= ${until}
          order by interview_id limit ${most} ${remove ? sql`for update skip locked` : empty}
        ), removed as (
          delete from thumbnails where interview_id in (select interview_id from due) and ${remove}::boolean
        )
        select (select count(*) from looked where created_at <= ${until}) as looked, (select count(*) from due) as due,
          (select max(interview_id) from looked) as last, (select max(interview_id) from due) as "lastDue"`)
      const { looked = 0, due = 0, last = null, lastDue = null } = found ?? {}
      if (due === most) return { due, next: lastDue }
      // Ids grow with time: an interview that is itself too young has no image that is old enough.
      return { due, next: looked < rows ? null : last }
    },
  }
}

type Found = { looked: number; due: number; last: string | null; lastDue: string | null }
