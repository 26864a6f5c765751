import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Queryable } from './database.ts'

/** Where a removal in steps stands. Each step is short, waits for nobody and blocks nobody. */
export type RemovalPlace = {
  /** The key of the last row that was examined; null before the first. */
  after: string | null
  /** False: rows that are due are only counted. */
  remove: boolean
}

/** `next` is null when no more rows are left to examine. */
export type RemovalStep = { due: number; next: string | null }

const rowsPerStep = 500

/** Examines the next rows in the order of the table's key, and removes those that `isDue` is true of. */
export async function removeAgedRows(
  database: Queryable,
  rows: { table: string; key: string; isDue: Sql },
  { after, remove }: RemovalPlace,
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
