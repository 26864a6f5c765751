import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Queryable } from './database.ts'

/** Rows are removed in short steps that neither wait for locks nor block anyone. */
export type RemovalPosition = {
  /** The key of the last examined row; null before the first. */
  after: string | null
  /** False: only count the rows that are due. */
  remove: boolean
}

/** `next` is null if there are no more rows to examine. */
export type RemovalStep = { due: number; next: string | null }

const rowsPerStep = 500

/** Examines the next rows in key order and removes those that are due. */
export async function removeAgedRows(
  database: Queryable,
  rows: { table: string; key: string; isDue: Sql },
  { after, remove }: RemovalPosition,
): Promise<RemovalStep> {
  const [table, key] = [raw(rows.table), raw(rows.key)]
  const [found] = await database.query<{ examined: number; due: number; last: string | null }>(sql`
    with examined as materialized (
      select ${key} as key from ${table} where ${key} > ${after ?? ''} order by ${key} limit ${rowsPerStep}
    ), due as (
      select ${key} as key from ${table} where ${key} in (select key from examined) and ${rows.isDue}
      ${remove ? sql`for update skip locked` : empty}
    ), removed as (
      delete from ${table} where ${key} in (select key from due) and ${remove}::boolean
    )
    select (select count(*) from examined) as examined, (select count(*) from due) as due,
      (select max(key) from examined) as last`)
  const { examined = 0, due = 0, last = null } = found ?? {}
  return { due, next: examined < rowsPerStep ? null : last }
}

/** Removes rows that are due, in any order that finds them quickly. */
export async function removeDueRows(
  database: Queryable,
  { table, isDue, order = empty }: { table: Sql; isDue: Sql; order?: Sql },
  { remove }: RemovalPosition,
): Promise<RemovalStep> {
  if (!remove) {
    const [counted] = await database.query<{ due: number }>(sql`select count(*) as due from ${table} where ${isDue}`)
    return { due: counted?.due ?? 0, next: null }
  }
  const removed = await database.query(sql`
    delete from ${table} where ctid = any (array(
      select ctid from ${table} where ${isDue} ${order} limit ${rowsPerStep} for update skip locked
    )) returning 1`)
  return { due: removed.length, next: removed.length < rowsPerStep ? null : 'more' }
}
