import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Queryable } from '../../database/database.ts'
import type { Place, Rule, Step } from './rule.ts'

const rows = 500

type Table = {
  name: string
  table: string
  key: string
  keptFor: string | null
  everySeconds: number
  /** What is true of a row that is due. Null: none is, ever. */
  isDue(now: Date): Sql | null
}

/** Rows that are due by what stands in them. */
export function agedRowsRule({ name, keptFor, everySeconds, isDue, ...where }: Table): Rule {
  return {
    name,
    keptFor,
    everySeconds,
    async step(database, place, now) {
      const due = isDue(now)
      return due === null ? { due: 0, next: null } : stepThrough(database, where, due, place)
    },
  }
}

async function stepThrough(
  database: Queryable,
  where: { table: string; key: string },
  isDue: Sql,
  { after, remove }: Place,
): Promise<Step> {
  const [table, key] = [raw(where.table), raw(where.key)]
  const [found] = await database.query<{ looked: number; due: number; last: string | null }>(sql`
    with looked as materialized (
      select ${key} as key from ${table} where ${key} > ${after ?? ''} order by ${key} limit ${rows}
    ), due as (
      select ${key} as key from ${table} where ${key} in (select key from looked) and ${isDue}
      ${remove ? sql`for update skip locked` : empty}
    ), removed as (
      delete from ${table} where ${key} in (select key from due) and ${remove}::boolean
    )
    select (select count(*) from looked) as looked, (select count(*) from due) as due,
      (select max(key) from looked) as last`)
  const { looked = 0, due = 0, last = null } = found ?? {}
  return { due, next: looked < rows ? null : last }
}
