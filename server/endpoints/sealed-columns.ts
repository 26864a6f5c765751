import sql, { raw } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'

/** A column of encrypted values. Each domain lists its own, so that all can be re-encrypted. */
export type SealedColumn = {
  /** Who a value belongs to, which is authenticated with it. */
  ownerOf(key: string): string
  /** Whether values that can't be read may be ignored. */
  isExpendable: boolean
  /** The next rows in key order. */
  list(database: Queryable, after: string): Promise<{ key: string; sealed: Buffer }[]>
  read(database: Queryable, key: string): Promise<Buffer | null>
  /** False if the value has changed since it was read. */
  replace(database: Queryable, key: string, found: Buffer, sealed: Buffer): Promise<boolean>
}

export const sealedBatchSize = 500

export function sealedColumn(names: {
  table: string
  key: string
  column: string
  ownerSuffix?: string
  isExpendable?: boolean
}): SealedColumn {
  const [table, key, column] = [raw(names.table), raw(names.key), raw(names.column)]
  const { ownerSuffix = '', isExpendable = false } = names
  return {
    ownerOf: (value) => value + ownerSuffix,
    isExpendable,
    list: (database, after) =>
      database.query(sql`
        select ${key} as key, ${column} as sealed from ${table}
        where ${key} > ${after} and ${column} is not null order by ${key} limit ${sealedBatchSize}`),
    async read(database, value) {
      const [row] = await database.query<{ sealed: Buffer | null }>(
        sql`select ${column} as sealed from ${table} where ${key} = ${value}`,
      )
      return row?.sealed ?? null
    },
    async replace(database, value, found, sealed) {
      const changed = await database.query(sql`
        update ${table} set ${column} = ${sealed} where ${key} = ${value} and ${column} = ${found} returning 1`)
      return changed.length > 0
    },
  }
}
