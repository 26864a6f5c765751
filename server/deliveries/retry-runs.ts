import sql, { join, type Sql } from 'sql-template-tag'
import type { Database, Queryable } from '../database/database.ts'
import { isId, newId } from '../database/ids.ts'
import { recordActivity } from '../organizations/activity.ts'
import { retryAfterSeconds } from './delivery-history.ts'
import {
  areFew,
  beginsWith,
  conditionsOf,
  type DeliveryFilter,
  emailSought,
  type Place,
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

/** How many failed deliveries match. */
export async function countFailed(database: Queryable, organizationId: string, filter: FailedFilter): Promise<number> {
  const conditions = join(conditionsOf(organizationId, 'FAILED', filter), ' and ')
  const [counted] = await database.query<{ count: number }>(sql`
    select count(*) from ${await sourceOf(database, organizationId, emailSought(filter))} where ${conditions}`)
  return counted?.count ?? 0
}

/** With an e-mail address: from the side on which there is less to look at, each looked up by itself. */
async function sourceOf(database: Queryable, organizationId: string, email: string | null): Promise<Sql> {
  if (email === null) return sql`deliveries d`
  if (await areFew(database, organizationId, email)) {
    return sql`
      (select id from interviews i where organization_id = ${organizationId} and ${beginsWith(email)}) i
      cross join lateral (
        select d.* from results r join deliveries d on d.result_id = r.id where r.interview_id = i.id limit 1
      ) d`
  }
  return sql`
    deliveries d cross join lateral (
      select from interviews i where i.id = d.interview_id and ${beginsWith(email)} limit 1
    ) candidate`
}

/**
 * Begins to retry all failed deliveries that match, in the order in which they were opened. Each is looked at once: one
 * that fails again while this goes on is left alone.
 */
export async function startRetryRun(
  database: Database,
  wanted: { organizationId: string; actor: string; filter: FailedFilter },
  now: Date,
): Promise<RetryRun> {
  const { organizationId, actor, filter } = wanted
  return database.transaction(async (transaction) => {
    const total = await countFailed(transaction, organizationId, filter)
    const [run] = await transaction.query<RetryRun>(sql`
      insert into retry_runs (id, organization_id, filter, total, started_by, started_at, finished_at)
      values (${newId('run')}, ${organizationId}, ${JSON.stringify(filter)}, ${total}, ${actor}, ${now},
        ${total === 0 ? now : null})
      returning ${runColumns}`)
    if (!run) throw new Error('The run was not begun')
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

/** The newest one, unless it is over and began more than an hour ago. */
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

/** Looks every interval for runs whose process is gone. */
export function startRetrying(
  dependencies: Parameters<typeof createRetrying>[0] & { intervalSeconds: number },
): Pick<Retrying, 'stop'> {
  const retrying = createRetrying(dependencies)
  const timer = setInterval(retrying.goOn, dependencies.intervalSeconds * 1000)
  return {
    stop() {
      clearInterval(timer)
      return retrying.stop()
    },
  }
}

export type Retrying = {
  /** Goes on with every run that is not finished and that no other process is at. */
  goOn(): void
  /** Ends after the batch at hand; another process, or the next start, goes on. */
  stop(): Promise<void>
}

export function createRetrying(dependencies: {
  database: Database
  clock: () => Date
  report: (problem: string, error: unknown) => void
}): Retrying {
  const { database, clock, report } = dependencies
  let running: Promise<void> | null = null
  let wanted = false
  let stopped = false

  async function work() {
    while (wanted && !stopped) {
      wanted = false
      while (!stopped && (await retryBatch(database, clock())) !== null);
    }
  }

  return {
    goOn() {
      wanted = true
      running ??= work()
        .catch((error) => report('retrying deliveries was interrupted; it is gone on with later', error))
        .finally(() => {
          running = null
        })
    },
    async stop() {
      stopped = true
      await running
    },
  }
}

type Unfinished = {
  id: string
  organizationId: string
  filter: { [Name in keyof FailedFilter]: Name extends 'from' | 'to' ? string : FailedFilter[Name] }
  startedBy: string
  positionAt: string | null
  positionId: string | null
}

/**
 * One batch of one run, with its progress, in one transaction that holds the run: a process that dies in it leaves all as
 * it was, and the next one goes on from there. Null when there is no run to go on with.
 */
export async function retryBatch(database: Database, now: Date): Promise<number | null> {
  return database.transaction(async (transaction) => {
    // The one with the least done, so that a long run does not hold up a short one.
    const [run] = await transaction.query<Unfinished>(sql`
      select id, organization_id as "organizationId", filter, started_by as "startedBy", position_at as "positionAt",
        position_id as "positionId"
      from retry_runs where finished_at is null order by done limit 1 for update skip locked`)
    if (!run) return null
    const { looked, retried, last } = await retryNext(transaction, run, now)
    const finishedAt = looked < batchSize ? now : null
    await transaction.query(sql`
      update retry_runs set done = done + ${retried}, total = greatest(total, done + ${retried}), position_at = coalesce(${last?.createdAt}, position_at),
        position_id = coalesce(${last?.id}, position_id), finished_at = ${finishedAt}
      where id = ${run.id}`)
    return retried
  })
}

type Batch = { looked: number; retried: number; last: Place | null }

/** Looks at the next failed deliveries after the run's position, and puts back those that match. */
async function retryNext(transaction: Queryable, run: Unfinished, now: Date): Promise<Batch> {
  const { organizationId, positionAt, positionId } = run
  const { from, to, ...rest } = run.filter
  const filter = { ...rest, ...(from && { from: new Date(from) }), ...(to && { to: new Date(to) }) }
  const conditions = conditionsOf(organizationId, 'FAILED', filter)
  if (positionId !== null) conditions.push(sql`(d.created_at, d.id) > (${positionAt}::timestamptz, ${positionId})`)
  const email = emailSought(filter)
  const matching =
    email === null ? sql`looked` : sql`(select d.* from looked d ${withCandidate} where ${beginsWith(email)})`
  const [batch] = await transaction.query<{ looked: number; retried: number } & Place>(sql`
    with looked as materialized (
      select d.id, d.round, d.interview_id, d.created_at from deliveries d where ${join(conditions, ' and ')}
      order by d.created_at, d.id limit ${batchSize} for update
    ), ${restart(matching, { by: run.startedBy, delaySeconds: retryAfterSeconds, now })}
    select (select count(*) from looked) as looked, (select count(*) from restarted) as retried,
      created_at as "createdAt", id
    from looked order by created_at desc, id desc limit 1`)
  return batch
    ? { looked: batch.looked, retried: batch.retried, last: { createdAt: batch.createdAt, id: batch.id } }
    : { looked: 0, retried: 0, last: null }
}
