import sql, { join } from 'sql-template-tag'
import type { Database, Queryable } from '../database/database.ts'
import { candidateMatches } from '../interviews/candidate-search.ts'
import { retryAfterSeconds } from './delivery-history.ts'
import { candidatePrefix, type Position, withCandidate } from './delivery-table.ts'
import { type FailedFilter, isRetryable } from './retry-runs.ts'
import { restart } from './transitions.ts'

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

const batchSize = 500

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
