import sql, { type Sql } from 'sql-template-tag'

/** Which transactions had committed at some moment: PostgreSQL's `pg_snapshot` in its own words, `xmin:xmax:xip,…`. */
export type Snapshot = string

const mostInProgress = 32

/**
 * A snapshot in which at most 32 transactions are in progress: a cursor has no room for more. Where there are more, it ends
 * at the 33rd, and what arrived after that one began counts as not there yet: it comes later, but it comes.
 */
export function shortened(snapshot: Sql): Sql {
  const tooLong = `^(\\d+):\\d+:((?:\\d+,){${mostInProgress - 1}}\\d+),(\\d+).*$`
  return sql`regexp_replace(${snapshot}::text, ${tooLong}, ${'\\1:\\3:\\2'})::pg_snapshot`
}

/** Whether PostgreSQL can read it: it would fail the whole statement over a snapshot that somebody made up. */
export function isSnapshot(value: unknown): value is Snapshot {
  const [, min, max, list = ''] = (typeof value === 'string' && form.exec(value)) || []
  if (min === undefined || max === undefined) return false
  const [xmin, xmax] = [BigInt(min), BigInt(max)]
  const inProgress = list === '' ? [] : list.split(',').map(BigInt)
  return (
    isTransaction(xmin) &&
    isTransaction(xmax) &&
    xmin <= xmax &&
    inProgress.length <= mostInProgress &&
    inProgress.every((id, index) => id >= xmin && id < xmax && id > (inProgress[index - 1] ?? 0n))
  )
}

const form = /^([1-9]\d{0,18}):([1-9]\d{0,18}):((?:[1-9]\d{0,18},)*[1-9]\d{0,18})?$/

/** The lower 32 bits of a transaction are never 0. */
function isTransaction(id: bigint): boolean {
  return id < 2n ** 63n && id % 2n ** 32n !== 0n
}
