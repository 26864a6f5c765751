import sql, { empty } from 'sql-template-tag'
import { createBatcher, spacing } from '../database/batcher.ts'
import type { Database, Queryable } from '../database/database.ts'
import { DatabaseUnavailable } from '../database/failures.ts'
import { isId, newId } from '../database/ids.ts'
import { open } from '../deliveries/transitions.ts'
import {
  explainUnstored,
  type ReportedResult,
  type ResultReport,
  storeResultParts,
  toReport,
  type UnstoredResult,
} from '../interviews/result-store.ts'
import { enqueueJobs } from '../queue/jobs.ts'

type CompletionDependencies = {
  database: Database
  /** Called after a job was enqueued, so that this process's worker need not wait for its next poll. */
  wake: () => void
  /** Called with errors that don't fail the caller. */
  report: (problem: string, error: unknown) => void
  tracing?: CompletionTracing | undefined
  /** How many processes share the load on this machine. */
  processes?: number
}

export type CompletionTracing = {
  /** The current trace context, as a `traceparent` header value. */
  current(): string | null
}

export type InterviewCompletion = {
  /** Stores a result, completes its interview and opens its delivery. */
  complete(interviewId: string, result: ReportedResult, now: Date): Promise<Completion>
}

export type Completion = ({ outcome: 'stored' } & StoredResult) | UnstoredResult

type StoredResult = { resultId: string; token: string; organizationId: string; interviewId: string }

type Report = ResultReport & { deliveryId: string; traceparent: string | null }

// Too short to be noticed, and under load more reports share a statement.
const apartMilliseconds = 10

/**
 * Results reported at the same time share a statement, and with it the wait for the disk. Only large reports, and those
 * whose interview is locked by someone else, get their own.
 */
export function createCompletion(dependencies: CompletionDependencies): InterviewCompletion {
  const { database, wake, report, tracing, processes } = dependencies
  const storeTogether = createBatcher(
    (reports: Report[]) => store(database, reports, { enqueued: true, skipLocked: true }),
    { maxSize: 32, apartMilliseconds: spacing(apartMilliseconds, processes) },
  )

  async function complete(interviewId: string, result: ReportedResult, now: Date): Promise<Completion> {
    if (!isId('int', interviewId)) return { outcome: 'not_found' }
    for (;;) {
      const traceparent = tracing?.current() ?? null
      const reported = { ...toReport(interviewId, result, now), deliveryId: newId('dlv'), traceparent }
      const stored = await storeAndEnqueue(reported)
      if (stored) {
        if (result.final) wake()
        return { outcome: 'stored', ...stored }
      }
      const unstored = await explainUnstored(database, reported)
      if (unstored) return unstored
    }
  }

  /** If enqueueing fails, the result is still stored; the record says so, and the sweep enqueues the job. */
  async function storeAndEnqueue(reported: Report): Promise<StoredResult | null> {
    try {
      const stored = isSmall(reported) ? await storeTogether(reported) : 'no_interview'
      return stored === 'no_interview' ? await storeAlone(reported, { enqueued: true }) : stored
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error
      const stored = await storeAlone(reported, { enqueued: false })
      const { interviewId } = reported
      report(`the delivery of interview ${interviewId} could not be enqueued; the sweep will do it`, error)
      return stored
    }
  }

  async function storeAlone(reported: Report, { enqueued }: { enqueued: boolean }): Promise<StoredResult | null> {
    const [stored] = await store(database, [reported], { enqueued, skipLocked: false })
    return stored === undefined || stored === 'no_interview' ? null : stored
  }

  return { complete }
}

/** Large reports in a shared statement would hold up the small ones. */
function isSmall({ scoring, analysis = '' }: Report): boolean {
  return scoring.length + analysis.length <= 65_536
}

/** Results, interviews, records and jobs in one statement. Null if the interview does not accept the report. */
async function store(
  database: Queryable,
  reports: readonly Report[],
  { enqueued, skipLocked }: { enqueued: boolean; skipLocked: boolean },
): Promise<(StoredResult | null | 'no_interview')[]> {
  const rows = await database.query<StoredResult | { resultId: null; interviewId: string }>(sql`
    with ${storeResultParts(reports, { skipLocked })}, opened as (${open(sql`stored`, reports, { enqueued })})
    ${enqueued ? sql`, queued as (${enqueueJobs(sql`opened`)})` : empty}
    select s.id as "resultId", s.token, i.organization_id as "organizationId", i.id as "interviewId"
    from interview i left join stored s on s.interview_id = i.id`)
  const found = new Map(rows.map((row) => [row.interviewId, row.resultId === null ? null : row]))
  return reports.map(({ interviewId }) => found.get(interviewId) ?? (found.has(interviewId) ? null : 'no_interview'))
}
