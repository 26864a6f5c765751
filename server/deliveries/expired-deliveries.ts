import sql, { empty } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { type RemovalPosition, type RemovalStep, removeAgedRows, removeDueRows } from '../database/removal.ts'

const rowsPerStep = 500

/**
 * Deletes whole rows: clearing their columns would rewrite every row and not shrink the table. The delivery stays, with
 * its attempt count.
 */
export async function removeExpiredAttempts(
  database: Queryable,
  { after, remove }: RemovalPosition,
  until: Date,
): Promise<RemovalStep> {
  const [found] = await database.query<{ examined: number; recent: number; due: number; last: string | null }>(sql`
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
    select (select count(*) from examined) as examined,
      (select count(*) from examined where started_at > ${until} and started_at <= now()) as recent,
      (select count(*) from due) as due, (select max(id)::text from examined) as last`)
  const { examined = 0, recent = 0, due = 0, last = null } = found ?? {}
  // IDs grow with time: once attempts are too recent, so are all that follow. A few may be from a clock that was wrong.
  return { due, next: examined < rowsPerStep || recent === examined ? null : last }
}

/** Oldest first, so that every step finds only letters to delete. */
export function removeExpiredLetters(
  database: Queryable,
  position: RemovalPosition,
  until: Date,
): Promise<RemovalStep> {
  const isDue = sql`dead_at <= ${until}`
  return removeDueRows(database, { table: sql`dead_letters`, isDue, order: sql`order by dead_at` }, position)
}

export function removeExpiredRetryRuns(
  database: Queryable,
  position: RemovalPosition,
  until: Date,
): Promise<RemovalStep> {
  return removeAgedRows(database, { table: 'retry_runs', key: 'id', isDue: sql`finished_at <= ${until}` }, position)
}
