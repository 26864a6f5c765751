import sql, { empty } from 'sql-template-tag'
import type { Database } from '../database/database.ts'
import { DatabaseUnavailable } from '../database/failures.ts'
import { isId, newId } from '../database/ids.ts'
import { open } from '../deliveries/transitions.ts'
import {
  classifyReport,
  type ReportedResult,
  storeResultParts,
  type UnstoredResult,
} from '../interviews/result-store.ts'
import { enqueueJobs } from '../queue/jobs.ts'

export type CompletionDependencies = {
  database: Database
  /** Called when a job was enqueued: whoever delivers in this process need not wait for its next look. */
  wake: () => void
  /** Called with what went wrong without failing the caller. */
  report: (problem: string, error: unknown) => void
  tracing?: CompletionTracing | undefined
}

export type CompletionTracing = {
  /** Where the caller stands in its trace, in the form of the header `traceparent`. */
  current(): string | null
}

type StoredResult = { resultId: string; token: string; organizationId: string; interviewId: string }

export type Completion = ({ outcome: 'stored' } & StoredResult) | UnstoredResult

/** Where interviews and deliveries meet: a result is stored, its interview ends, and its delivery is opened. */
export async function completeInterview(
  dependencies: CompletionDependencies,
  interviewId: string,
  result: ReportedResult,
  now: Date,
): Promise<Completion> {
  if (!isId('int', interviewId)) return { outcome: 'not_found' }
  const { database, wake } = dependencies
  for (;;) {
    const stored = await storeAndEnqueue(dependencies, interviewId, result, now)
    if (stored) {
      if (result.final) wake()
      return { outcome: 'stored', ...stored }
    }
    const unstored = await classifyReport(database, interviewId, result, now)
    if (unstored) return unstored
  }
}

/** If the queue fails, the result is stored all the same: the record says so, and the sweep enqueues the job. */
async function storeAndEnqueue(
  dependencies: CompletionDependencies,
  interviewId: string,
  result: ReportedResult,
  now: Date,
): Promise<StoredResult | null> {
  try {
    return await store(dependencies, interviewId, result, { enqueued: true, now })
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error
    const stored = await store(dependencies, interviewId, result, { enqueued: false, now })
    dependencies.report(`the delivery of interview ${interviewId} could not be enqueued; the sweep will do it`, error)
    return stored
  }
}

/** Result, interview, record and job in one statement. Null when the report is not to be stored. */
async function store(
  { database, tracing }: CompletionDependencies,
  interviewId: string,
  result: ReportedResult,
  { enqueued, now }: { enqueued: boolean; now: Date },
): Promise<StoredResult | null> {
  const delivery = { deliveryId: newId('dlv'), enqueued, traceparent: tracing?.current() ?? null, now }
  const [stored] = await database.query<StoredResult>(sql`
    with ${storeResultParts(interviewId, result, now)}, opened as (${open(sql`stored`, delivery)})
    ${enqueued ? sql`, queued as (${enqueueJobs(sql`opened`)})` : empty}
    select id as "resultId", token, organization_id as "organizationId", interview_id as "interviewId" from stored`)
  return stored ?? null
}
