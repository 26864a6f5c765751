import sql, { join, type Sql } from 'sql-template-tag'
import type { Database, Queryable } from '../database/database.ts'
import { isId, newId } from '../database/ids.ts'
import { candidateMatches } from '../interviews/candidate-search.ts'
import { recordActivity } from '../organizations/activity.ts'
import { candidatePrefix, conditionsOf, type DeliveryFilter, hasFewCandidates } from './delivery-table.ts'

export type FailedFilter = Omit<DeliveryFilter, 'status'>

export type RetryRun = {
  id: string
  total: number
  done: number
  startedAt: string
  finishedAt: string | null
  startedBy: string
}

const runColumns = sql`id, total, done, started_at as "startedAt", finished_at as "finishedAt", started_by as "startedBy"`

export async function countFailed(database: Queryable, organizationId: string, filter: FailedFilter): Promise<number> {
  const conditions = join(isRetryable(organizationId, filter), ' and ')
  const [counted] = await database.query<{ count: number }>(sql`
    select count(*) from ${await sourceOf(database, organizationId, candidatePrefix(filter))} where ${conditions}`)
  return counted?.count ?? 0
}

/** A delivery whose candidate was erased has no event to send: a retry would only fail it again. */
export function isRetryable(organizationId: string, filter: FailedFilter): Sql[] {
  return [...conditionsOf(organizationId, 'FAILED', filter), sql`d.erased_at is null`]
}

/** With a candidate, starts from whichever side has fewer rows and looks up the other by key. */
async function sourceOf(database: Queryable, organizationId: string, prefix: string | null): Promise<Sql> {
  if (prefix === null) return sql`deliveries d`
  if (await hasFewCandidates(database, organizationId, prefix)) {
    return sql`
      (select id from interviews i where organization_id = ${organizationId} and ${candidateMatches(prefix)}) i
      cross join lateral (
        select d.* from results r join deliveries d on d.result_id = r.id where r.interview_id = i.id limit 1
      ) d`
  }
  return sql`
    deliveries d cross join lateral (
      select from interviews i where i.id = d.interview_id and ${candidateMatches(prefix)} limit 1
    ) candidate`
}

/**
 * Retries all matching failed deliveries that still have an event, oldest first. One that fails again during the run is not
 * retried twice.
 */
export async function startRetryRun(
  database: Database,
  { organizationId, actor, filter }: { organizationId: string; actor: string; filter: FailedFilter },
  now: Date,
): Promise<RetryRun> {
  return database.transaction(async (transaction) => {
    const total = await countFailed(transaction, organizationId, filter)
    const [run] = await transaction.query<RetryRun>(sql`
      insert into retry_runs (id, organization_id, filter, total, started_by, started_at, finished_at)
      values (${newId('run')}, ${organizationId}, ${JSON.stringify(filter)}, ${total}, ${actor}, ${now},
        ${total === 0 ? now : null})
      returning ${runColumns}`)
    if (!run) throw new Error('The retry run was not created')
    if (total > 0) {
      const subject = total === 1 ? '1 failed delivery' : `${total.toLocaleString('en')} failed deliveries`
      const detail = describeFilter(filter)
      const activity = {
        organizationId,
        actor,
        action: 'deliveries.retried',
        subject,
        ...(detail && { detail }),
        ...(filter.search && { search: filter.search }),
      } as const
      await recordActivity(transaction, activity, now)
    }
    return run
  })
}

function describeFilter({ error, from, to }: FailedFilter): string {
  return [error, from && `from ${from.toISOString()}`, to && `to ${to.toISOString()}`]
    .filter((part) => part !== undefined)
    .join(', ')
}

export async function findRetryRun(database: Queryable, organizationId: string, id: string): Promise<RetryRun | null> {
  if (!isId('run', id)) return null
  const [run] = await database.query<RetryRun>(sql`
    select ${runColumns} from retry_runs where id = ${id} and organization_id = ${organizationId}`)
  return run ?? null
}

/** The newest run, unless it is finished and started more than an hour ago. */
export async function currentRetryRun(
  database: Queryable,
  organizationId: string,
  now: Date,
): Promise<RetryRun | null> {
  const anHourAgo = new Date(now.getTime() - 3_600_000)
  const [run] = await database.query<RetryRun & { current: boolean }>(sql`
    select ${runColumns}, (finished_at is null or started_at > ${anHourAgo}) as current
    from retry_runs where organization_id = ${organizationId} order by id desc limit 1`)
  if (!run?.current) return null
  const { current: _, ...rest } = run
  return rest
}
