import { hash, randomBytes } from 'node:crypto'
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import { hasLapsed, type InterviewStatus, statusAt } from './interview-status.ts'
import type { Scoring } from './scoring.ts'

export type ReportedResult = { completedAt?: Date; scoring: Scoring; analysis?: unknown; final: boolean }

/** A reported result in the form that the statement takes. */
export type ResultReport = {
  interviewId: string
  resultId: string
  token: string
  final: boolean
  /** JSON as text, so that escapes PostgreSQL can't read as text, such as \u0000, stay as written. */
  scoring: string
  analysis: string | undefined
  score: number
  completedAt: Date
  now: Date
  /** In Base64. */
  fingerprint: string
}

export function toReport(interviewId: string, result: ReportedResult, now: Date): ResultReport {
  const { scoring, analysis, completedAt = now, final } = result
  return {
    interviewId,
    resultId: newId('res'),
    token: randomBytes(32).toString('base64url'),
    final,
    scoring: JSON.stringify(scoring),
    analysis: JSON.stringify(analysis),
    score: scoring.weighted_score,
    completedAt,
    now,
    fingerprint: fingerprintOf(result),
  }
}

/**
 * CTEs that store results and complete the interviews of final ones:
 *
 * - `interview` locks the interviews, with `skipLocked` only those that nobody else has locked;
 * - `stored` (id, token, organization_id, interview_id, final) holds each result that changed;
 * - `ended` completes the interviews.
 *
 * An incomplete result can be replaced until the final one arrives, and keeps its ID and token. Concurrent reports wait
 * for each other at `interview`. After the wait, the later one still sees the other tables as of its snapshot, but the
 * locked row is read again, and `on conflict` sees the latest version of the stored result. Each interview may appear
 * only once; otherwise the statement fails.
 */
export function storeResultParts(reports: readonly ResultReport[], { skipLocked = false } = {}): Sql {
  const ids = reports.map(({ interviewId }) => interviewId)
  return sql`
    reported as (${rowsOf(reports)}), interview as materialized (
      select id, organization_id, template_id, status, expires_at, erased_at from interviews
      where id = any(${ids}) for no key update ${skipLocked ? sql`skip locked` : empty}
    ), stored as (
      insert into results as r (id, organization_id, interview_id, template_id, final, token, scoring, overall_score,
        analysis, completed_at, created_at, fingerprint)
      select r."resultId", i.organization_id, i.id, i.template_id, r.final, r.token, r.scoring::json, r.score,
        r.analysis::json, r."completedAt", r.now, decode(r.fingerprint, 'base64')
      from interview i join reported r on r."interviewId" = i.id
      where ${statusAt(sql`r.now`)} not in ('EXPIRED', 'FAILED', 'CANCELLED') and i.erased_at is null
      on conflict (interview_id) do update set
        final = excluded.final, arrived = excluded.arrived, scoring = excluded.scoring,
        overall_score = excluded.overall_score, analysis = excluded.analysis, completed_at = excluded.completed_at,
        created_at = excluded.created_at, fingerprint = excluded.fingerprint
      where not r.final and r.fingerprint is distinct from excluded.fingerprint
      returning r.id, r.token, r.organization_id, r.interview_id, r.final, r.created_at
    ), ended as (
      update interviews i set status = 'COMPLETED', updated_at = s.created_at
      from stored s where i.id = any(${ids}) and i.id = s.interview_id and s.final
    )`
}

/** A single report may be large: in the JSON of the others, its texts would be escaped once more. */
function rowsOf(reports: readonly ResultReport[]): Sql {
  const columns = sql`"interviewId" text, "resultId" text, token text, final boolean, score float8,
    "completedAt" timestamptz, now timestamptz, fingerprint text`
  const [only, ...others] = reports
  if (!only || others.length > 0) {
    return sql`
      select * from json_to_recordset(${JSON.stringify(reports)}::json) as r (${columns}, scoring text, analysis text)`
  }
  const { scoring, analysis = null, ...rest } = only
  return sql`
    select r.*, ${scoring}::text as scoring, ${analysis}::text as analysis
    from json_to_recordset(${JSON.stringify([rest])}::json) as r (${columns})`
}

export type UnstoredResult =
  | { outcome: 'same'; resultId: string; token: string; organizationId: string; interviewId: string }
  | { outcome: 'not_found' }
  | { outcome: 'different' }
  | { outcome: 'over'; status: InterviewStatus }

/** Why a report was not stored. Null: something has changed since, and it can be stored now. */
export async function explainUnstored(
  database: Queryable,
  { interviewId, fingerprint, now }: ResultReport,
): Promise<UnstoredResult | null> {
  const [found] = await database.query<Found>(sql`
    select i.organization_id as "organizationId", ${statusAt(now)} as status, i.erased_at is not null as erased,
      r.id as "resultId", r.token, coalesce(r.final, false) as final,
      coalesce(r.fingerprint = decode(${fingerprint}, 'base64'), false) as same
    from interviews i left join results r on r.interview_id = i.id
    where i.id = ${interviewId}`)
  if (!found) return { outcome: 'not_found' }

  const { organizationId, status, erased, resultId, token, final, same } = found
  // `same` includes whether the report is final.
  if (final && !same) return { outcome: 'different' }
  if (!final && hasLapsed(status)) return { outcome: 'over', status }
  if (same) return { outcome: 'same', resultId, token, organizationId, interviewId }
  // Completed without a result, and then its candidate was erased.
  if (erased) return { outcome: 'not_found' }
  return null
}

type Found = { organizationId: string; status: InterviewStatus; erased: boolean } & (
  | { resultId: string; token: string; final: boolean; same: boolean }
  | { resultId: null; token: null; final: false; same: false }
)

/** Independent of the order of keys. */
function fingerprintOf({ completedAt, scoring, analysis, final }: ReportedResult): string {
  const report = JSON.stringify({ completedAt, scoring, analysis, final }, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  )
  return hash('sha256', report, 'base64')
}
