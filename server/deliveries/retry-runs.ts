import sql, { join, type Sql } from 'sql-template-tag'
import type { Database, Queryable } from '../database/database.ts'
import { isId, newId } from '../database/ids.ts'
import { candidateMatches } from '../interviews/candidate-search.ts'
import { recordActivity } from '../organizations/activity.ts'
import { retryAfterSeconds } from './delivery-history.ts'
import {
  candidatePrefix,
  conditionsOf,
  type DeliveryFilter,
  hasFewCandidates,
  type Position,
  withCandidate,
} from './delivery-table.ts'
import { restart } from './transitions.ts'

export type FailedFilter = Omit<DeliveryFilter, 'status'>

export type RetryRun = {
  id: string
  total: number
  done: number
  startedAt: string
  finishedAt: string | null
  startedBy: string
}

const batchSize = 500
const runColumns = sql`id, total, done, started_at as "startedAt", finished_at as "finishedAt", started_by as "startedBy"`

export async function countFailed(database: Queryable, organizationId: string, filter: FailedFilter): Promise<number> {
  const conditions = join(isRetryable(organizationId, filter), ' and ')
  const [counted] = await database.query<{ count: number }>(sql`
    select count(*) from ${await sourceOf(database, organizationId, candidatePrefix(filter))} where ${conditions}`)
  return counted?.count ?? 0
}

/** A delivery whose candidate was erased has no event to send: a retry would only fail it again. */
function isRetryable(organizationId: string, filter: FailedFilter): Sql[] {
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

/** Checks at an interval for runs whose process died. */
export function startRetryRunner(
  dependencies: Parameters<typeof createRetryRunner>[0] & { intervalSeconds: number },
): Pick<RetryRunner, 'stop'> {
  const runner = createRetryRunner(dependencies)
  const timer = setInterval(runner.resume, dependencies.intervalSeconds * 1000)
  return {
    stop() {
      clearInterval(timer)
      return runner.stop()
    },
  }
}

export type RetryRunner = {
  /** Continues every unfinished run that no other process is working on. */
  resume(): void
  /** Stops after the current batch; another process, or the next start, continues. */
  stop(): Promise<void>
}

export function createRetryRunner(dependencies: {
  database: Database
  clock: () => Date
  report: (problem: string, error: unknown) => void
}): RetryRunner {
  const { database, clock, report } = dependencies
  let running: Promise<void> | null = null
  let requested = false
  let stopped = false

  async function work() {
    try {
      while (requested && !stopped) {
        requested = false
        for (let last: string | null = ''; last !== null && !stopped; ) last = await retryBatch(database, clock(), last)
      }
    } catch (error) {
      report('retry run interrupted; it will resume later', error)
    } finally {
      // In the same step as the last look at `requested`, so that no request falls in between.
      running = null
    }
  }

  return {
    resume() {
      requested = true
      running ??= work()
    },
    async stop() {
      stopped = true
      await running
    },
  }
}

type UnfinishedRun = {
  id: string
  organizationId: string
  filter: { [Name in keyof FailedFilter]: Name extends 'from' | 'to' ? string : FailedFilter[Name] }
  startedBy: string
  positionAt: string | null
  positionId: string | null
}

/**
 * One batch of one run and its progress, in one transaction that locks the run: if the process dies, nothing has changed
 * and another one continues from there. Runs take turns, so a long one can't hold up a short one: it is the next one after
 * `last`. Returns its ID, or null if there is no run to continue.
 */
export async function retryBatch(database: Database, now: Date, last = ''): Promise<string | null> {
  return database.transaction(async (transaction) => {
    const [run] = await transaction.query<UnfinishedRun>(sql`
      select id, organization_id as "organizationId", filter, started_by as "startedBy", position_at as "positionAt",
        position_id as "positionId"
      from retry_runs where finished_at is null order by id <= ${last}, id limit 1 for update skip locked`)
    if (!run) return null
    const { examined, retried, newest } = await retryNext(transaction, run, now)
    const finishedAt = examined < batchSize ? now : null
    await transaction.query(sql`
      update retry_runs set done = done + ${retried}, total = greatest(total, done + ${retried}),
        position_at = coalesce(${newest?.createdAt}, position_at), position_id = coalesce(${newest?.id}, position_id),
        finished_at = ${finishedAt}
      where id = ${run.id}`)
    return run.id
  })
}

type Batch = { examined: number; retried: number; newest: Position | null }

async function retryNext(transaction: Queryable, run: UnfinishedRun, now: Date): Promise<Batch> {
  const { organizationId, positionAt, positionId } = run
  const { from, to, ...rest } = run.filter
  const filter = { ...rest, ...(from && { from: new Date(from) }), ...(to && { to: new Date(to) }) }
  const conditions = isRetryable(organizationId, filter)
  if (positionId !== null) conditions.push(sql`(d.created_at, d.id) > (${positionAt}::timestamptz, ${positionId})`)
  const prefix = candidatePrefix(filter)
  const matching =
    prefix === null
      ? sql`examined`
      : sql`(select d.* from examined d ${withCandidate} where ${candidateMatches(prefix)})`
  const [batch] = await transaction.query<{ examined: number; retried: number } & Position>(sql`
    with examined as materialized (
      select d.id, d.round, d.interview_id, d.created_at from deliveries d where ${join(conditions, ' and ')}
      order by d.created_at, d.id limit ${batchSize} for update
    ), ${restart(matching, { by: run.startedBy, delaySeconds: retryAfterSeconds, now })}
    select (select count(*) from examined) as examined, (select count(*) from restarted) as retried,
      created_at as "createdAt", id
    from examined order by created_at desc, id desc limit 1`)
  return batch
    ? { examined: batch.examined, retried: batch.retried, newest: { createdAt: batch.createdAt, id: batch.id } }
    : { examined: 0, retried: 0, newest: null }
}
