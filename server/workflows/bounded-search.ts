import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'

/**
 * How a list finds the newest rows that match a search, without reading the organization's history to find nothing. If
 * few rows match, an index on what is searched finds all of them, to be sorted. If many do, the newest rows most likely
 * hold a page of matches.
 */
export type BoundedSearch<Row> = {
  /** SQL: the rows that match. */
  matching: Sql
  /** Reads a page from those rows. */
  fromMatching(matching: Sql): Promise<Row[]>
  /** Reads a page from the newest rows, as many as `count`. */
  fromNewest(count: number): Promise<Row[]>
  /** The size of a full page. */
  wanted: number
}

// Either way takes some tens of milliseconds.
const defaultBounds = { few: 4_000, newest: 12_500 }

export async function searchBounded<Row>(
  database: Queryable,
  { matching, fromMatching, fromNewest, wanted }: BoundedSearch<Row>,
  bounds = defaultBounds,
): Promise<Row[]> {
  const [counted] = await database.query<{ count: number }>(sql`
    select count(*)::int from (${matching} limit ${bounds.few + 1}) matching`)
  if ((counted?.count ?? 0) > bounds.few) {
    const rows = await fromNewest(bounds.newest)
    if (rows.length >= wanted) return rows
  }
  // With the offset, the planner evaluates the subquery by itself, instead of walking the list in its order and filtering.
  return fromMatching(sql`(${matching} offset 0)`)
}
