import sql, { empty } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { type RemovalPlace, type RemovalStep, removeAgedRows } from '../database/removal.ts'

const rowsPerStep = 500

/**
 * The attempts of deliveries that arrived before `until`. Their rows go as a whole: emptying them would write each once
 * more and leave the table as long as it was. The delivery itself stays, with the number of its attempts.
 */
export async function removeExpiredAttempts(
  database: Queryable,
  { after, remove }: RemovalPlace,
  until: Date,
): Promise<RemovalStep> {
  const [found] = await database.query<{ examined: number; due: number; last: string | null }>(sql`
    with examined as materialized (
      select id, delivery_id, started_at from delivery_attempts where id > ${after ?? 0}::bigint
      order by id limit ${rowsPerStep}
    ), due as (
      select a.id from delivery_attempts a join deliveries d on d.id = a.delivery_id
      where a.id in (select id from examined where started_at <= ${until})
        and d.status = 'DELIVERED' and d.delivered_at <= ${until}
      ${remove ? sql`for update of a skip locked` : empty}
    ), removed as (
      delete from delivery_attempts where id in (select id from due) and ${remove}::boolean
    )
    select (select count(*) from examined where started_at <= ${until}) as examined, (select count(*) from due) as due,
      (select max(id)::text from examined) as last`)
  // Ids grow with time: from the first attempt that is too young on, all are.
  const { examined = 0, due = 0, last = null } = found ?? {}
  return { due, next: examined < rowsPerStep ? null : last }
}

/** Letters that nobody has redriven, oldest first: so a step never passes over any that stay. */
export async function removeExpiredLetters(
  database: Queryable,
  { remove }: RemovalPlace,
  until: Date,
): Promise<RemovalStep> {
  const due = sql`select id from dead_letters where dead_at <= ${until} order by dead_at`
  if (!remove) {
    const [counted] = await database.query<{ count: number }>(sql`select count(*) from (${due}) due`)
    return { due: counted?.count ?? 0, next: null }
  }
  const removed = await database.query(sql`
    delete from dead_letters where id in (${due} limit ${rowsPerStep} for update skip locked) returning id`)
  return { due: removed.length, next: removed.length < rowsPerStep ? null : 'more' }
}

export function removeExpiredRetryRuns(database: Queryable, place: RemovalPlace, until: Date): Promise<RemovalStep> {
  return removeAgedRows(database, { table: 'retry_runs', key: 'id', isDue: sql`finished_at <= ${until}` }, place)
}
