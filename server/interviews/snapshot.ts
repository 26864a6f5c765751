import sql, { type Sql } from 'sql-template-tag'

/** Which transactions had committed at some moment: PostgreSQL's `pg_snapshot` as text, `xmin:xmax:xip,…`. */
export type Snapshot = string

const maxInProgress = 32

/**
 * Limits a snapshot to 32 transactions in progress so that it fits into a cursor. If there are more, it ends at the 33rd:
 * anything newer counts as not there yet and shows up in a later batch.
 */
export function truncateSnapshot(snapshot: Sql): Sql {
  const tooLong = `^(\\d+):\\d+:((?:\\d+,){${maxInProgress - 1}}\\d+),(\\d+).*$`
  return sql`regexp_replace(${snapshot}::text, ${tooLong}, ${'\\1:\\3:\\2'})::pg_snapshot`
}

/**
 * Ends a snapshot after `last`, the newest transaction it sees that matters. Any later one may have been committed without
 * waiting for the disk or the standby, as those that only count requests are. After a crash or a failover PostgreSQL gives
 * their IDs out again, and a result that gets one must not count as seen.
 */
export function endSnapshotAfter(snapshot: Sql, last: Sql): Sql {
  return sql`(
    select format('%s:%s:%s', least(pg_snapshot_xmin(whole), ending), least(pg_snapshot_xmax(whole), ending),
      (select string_agg(id::text, ',' order by id) from pg_snapshot_xip(whole) id where id < ending))::pg_snapshot
    from (
      -- The lower 32 bits of a transaction ID are never 0.
      select whole, (next + case when next % 4294967296 = 0 then 3 else 0 end)::text::xid8 as ending
      from (select ${snapshot} as whole, coalesce(${last}::text::numeric, 2) + 1 as next) following
    ) bounds
  )`
}

/** Checked here because a made-up snapshot would fail the whole statement. */
export function isSnapshot(value: unknown): value is Snapshot {
  const [, min, max, list = ''] = (typeof value === 'string' && form.exec(value)) || []
  if (min === undefined || max === undefined) return false
  const [xmin, xmax] = [BigInt(min), BigInt(max)]
  const inProgress = list === '' ? [] : list.split(',').map(BigInt)
  return (
    isTransaction(xmin) &&
    isTransaction(xmax) &&
    xmin <= xmax &&
    inProgress.length <= maxInProgress &&
    inProgress.every((id, index) => id >= xmin && id < xmax && id > (inProgress[index - 1] ?? 0n))
  )
}

const form = /^([1-9]\d{0,18}):([1-9]\d{0,18}):((?:[1-9]\d{0,18},)*[1-9]\d{0,18})?$/

/** The lower 32 bits of a transaction ID are never 0. */
function isTransaction(id: bigint): boolean {
  return id < 2n ** 63n && id % 2n ** 32n !== 0n
}
