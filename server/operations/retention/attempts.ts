import sql, { empty } from 'sql-template-tag'
import { before, day, hour, type Rule } from './rule.ts'

const rows = 500

/**
 * The attempts of deliveries that arrived. Their rows go as a whole: emptying them would write each once more and leave
 * the table as long as it was. The delivery itself stays, with the number of its attempts.
 */
export function attemptsRule(days: number | null): Rule {
  return {
    name: 'attempts',
    keptFor: days === null ? null : `${days} days after delivery`,
    everySeconds: hour,
    async step(database, { after, remove }, now) {
      if (days === null) return { due: 0, next: null }
      const until = before(now, days * day)
      const [found] = await database.query<{ looked: number; due: number; last: string | null }>(sql`
        with looked as materialized (
          select id, delivery_id, started_at from delivery_attempts where id > ${after ?? 0}::bigint
          order by id limit ${rows}
        ), due as (
          select a.id from delivery_attempts a join deliveries d on d.id = a.delivery_id
          where a.id in (select id from looked where started_at <= ${until})
            and d.status = 'DELIVERED' and d.delivered_at <= ${until}
          ${remove ? sql`for update of a skip locked` : empty}
        ), removed as (
          delete from delivery_attempts where id in (select id from due) and ${remove}::boolean
        )
        select (select count(*) from looked where started_at <= ${until}) as looked, (select count(*) from due) as due,
          (select max(id)::text from looked) as last`)
      // Ids grow with time: from the first attempt that is too young on, all are.
      const { looked = 0, due = 0, last = null } = found ?? {}
      return { due, next: looked < rows ? null : last }
    },
  }
}
