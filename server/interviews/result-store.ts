import { createHash, randomBytes } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import type { InterviewStatus } from './invitations.ts'
import type { Scoring } from './scoring.ts'

export type ReportedResult = { completedAt?: Date; scoring: Scoring; analysis?: unknown; final: boolean }

/**
 * The part of a statement that stores a result and, if it is final, completes the interview:
 *
 * - `interview` locks the interview, unless it is unknown or takes no result;
 * - `stored` (id, token, organization_id, interview_id, final) is the result if the report changed anything, else empty;
 * - `ended` completes the interview.
 *
 * An incomplete result may be replaced until the final one comes, and keeps its id and token. Reports that meet wait for
 * each other at `interview`. The later ones still see the other tables as they were before the wait; but the row that was
 * waited for is read again, and `on conflict` finds the result that was stored meanwhile and judges by its latest version.
 */
export function storeResultParts(interviewId: string, result: ReportedResult, now: Date): Sql {
  const { scoring, analysis, completedAt = now, final } = result
  return sql`
    interview as (
      select id, organization_id, template_id from interviews i
      where id = ${interviewId} and ${statusAt(now)} not in ('EXPIRED', 'FAILED', 'CANCELLED')
      for no key update
    ), stored as (
      insert into results as r (id, organization_id, interview_id, template_id, final, token, scoring, overall_score,
        analysis, completed_at, created_at, fingerprint)
      select ${newId('res')}, organization_id, id, template_id, ${final}::boolean,
        ${randomBytes(32).toString('base64url')}, ${JSON.stringify(scoring)}::json,
        ${scoring.weighted_score}::double precision, ${analysis === undefined ? null : JSON.stringify(analysis)}::json,
        ${completedAt}::timestamptz, ${now}::timestamptz, ${fingerprintOf(result)}::bytea
      from interview
      on conflict (interview_id) do update set
        final = excluded.final, arrived = excluded.arrived, scoring = excluded.scoring,
        overall_score = excluded.overall_score, analysis = excluded.analysis, completed_at = excluded.completed_at,
        created_at = excluded.created_at, fingerprint = excluded.fingerprint
      where not r.final and r.fingerprint is distinct from excluded.fingerprint
      returning r.id, r.token, r.organization_id, r.interview_id, r.final
    ), ended as (
      update interviews i set status = 'COMPLETED', updated_at = ${now}::timestamptz
      from stored s where i.id = s.interview_id and s.final
    )`
}

export type UnstoredResult =
  | { outcome: 'same'; resultId: string; token: string; organizationId: string; interviewId: string }
  | { outcome: 'not_found' }
  | { outcome: 'different' }
  | { outcome: 'over'; status: InterviewStatus }

/** Why a report was not stored. Null: it can be, because something changed since it was tried. */
export async function classifyReport(
  database: Queryable,
  interviewId: string,
  result: ReportedResult,
  now: Date,
): Promise<UnstoredResult | null> {
  const [found] = await database.query<Found>(sql`
    select i.organization_id as "organizationId", ${statusAt(now)} as status, r.id as "resultId", r.token,
      coalesce(r.final, false) as final, coalesce(r.fingerprint = ${fingerprintOf(result)}, false) as same
    from interviews i left join results r on r.interview_id = i.id
    where i.id = ${interviewId}`)
  if (!found) return { outcome: 'not_found' }

  const { organizationId, status, resultId, token, final, same } = found
  // Whether it is final is part of what makes a report the same.
  if (final && !same) return { outcome: 'different' }
  if (!final && badEnds.has(status)) return { outcome: 'over', status }
  if (same) return { outcome: 'same', resultId, token, organizationId, interviewId }
  return null
}

type Found = { organizationId: string; status: InterviewStatus } & (
  | { resultId: string; token: string; final: boolean; same: boolean }
  | { resultId: null; token: null; final: false; same: false }
)

const badEnds: ReadonlySet<InterviewStatus> = new Set(['EXPIRED', 'FAILED', 'CANCELLED'])

/** The status of interview `i`: an invitation expires without anybody writing it down. */
function statusAt(now: Date): Sql {
  return sql`case when i.status = 'SCHEDULED' and i.expires_at <= ${now} then 'EXPIRED' else i.status end`
}

/** The same report gives the same digest, in whatever order its keys come. */
function fingerprintOf({ completedAt, scoring, analysis, final }: ReportedResult): Buffer {
  const report = JSON.stringify({ completedAt, scoring, analysis, final }, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  )
  return createHash('sha256').update(report).digest()
}
