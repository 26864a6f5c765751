import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { type RemovalPosition, type RemovalStep, removeDueRows } from '../database/removal.ts'

/** SQL aggregates over attempts `a`. An attempt that nobody reported counts as failed. */
const byOutcome = sql`
  count(*) filter (where a.finished_at is not null and a.error is null) as delivered,
  count(*) filter (where a.finished_at is null or a.error is not null) as failed`

/** Adds the attempts of one batch to the counts of their half hours. Each attempt may be in one batch only. */
export async function addAttemptCounts(transaction: Queryable, isInBatch: Sql): Promise<void> {
  await transaction.query(sql`
    insert into attempt_half_hours as h (organization_id, at, delivered, failed)
    select d.organization_id, date_bin('30 minutes', a.started_at, 'epoch'), ${byOutcome}
    from delivery_attempts a join deliveries d on d.id = a.delivery_id
    where ${isInBatch} group by 1, 2
    on conflict (organization_id, at) do update set delivered = h.delivered + excluded.delivered,
      failed = h.failed + excluded.failed`)
}

export type AttemptCounts = { delivered: number; failed: number }

/** By `interval`, in milliseconds, from the start of `since`. Includes attempts since the last batch. */
export async function readAttemptCounts(
  database: Queryable,
  organizationId: string,
  { since, until, interval }: { since: Date; until: Date; interval: number },
): Promise<Map<number, AttemptCounts>> {
  const rows = await database.query<{ at: string } & AttemptCounts>(sql`
    select date_bin(${`${interval / 1000} seconds`}::interval, at, ${since}) as at, sum(delivered)::int as delivered,
      sum(failed)::int as failed
    from (
      select at, delivered, failed from attempt_half_hours
      where organization_id = ${organizationId} and at >= ${since} and at < ${until}
      union all
      select a.started_at, ${byOutcome} from delivery_attempts a join deliveries d on d.id = a.delivery_id
      where a.id > (select attempt_id from endpoint_look) and d.organization_id = ${organizationId}
        and a.started_at >= ${since} and a.started_at < ${until}
      group by 1
    ) counted group by 1`)
  return new Map(rows.map(({ at, ...counts }) => [Date.parse(at), counts]))
}

export function removeOldAttemptCounts(
  database: Queryable,
  position: RemovalPosition,
  until: Date,
): Promise<RemovalStep> {
  return removeDueRows(database, { table: sql`attempt_half_hours`, isDue: sql`at < ${until}` }, position)
}
