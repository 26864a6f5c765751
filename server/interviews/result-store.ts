import { createHash, randomBytes } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { isId, newId } from '../database/ids.ts'
import type { InterviewStatus } from './invitations.ts'
import type { Scoring } from './scoring.ts'

export type ReportedResult = { completedAt?: Date; scoring: Scoring; analysis?: unknown; final: boolean }

type Names = { resultId: string; token: string; organizationId: string; interviewId: string }

type NewResult = ReportedResult & Names & { templateId: string; fingerprint: Buffer }

type WeighedResult =
  | { outcome: 'new'; result: NewResult }
  | ({ outcome: 'same' } & Names)
  | { outcome: 'not_found' }
  | { outcome: 'different' }
  | { outcome: 'over'; status: InterviewStatus }

export type StoredResult = Exclude<WeighedResult, { outcome: 'new' }> | ({ outcome: 'stored' } & Names)

type Before = {
  organizationId: string
  templateId: string
  status: InterviewStatus
  resultId: string | null
  token: string | null
  final: boolean
  same: boolean
}

/** What a report means for its interview, which from here on is this transaction's alone. */
export async function weighResult(
  transaction: Queryable,
  interviewId: string,
  result: ReportedResult,
  now: Date,
): Promise<WeighedResult> {
  if (!isId('int', interviewId)) return { outcome: 'not_found' }
  const fingerprint = fingerprintOf(result)
  const [, [before]] = await Promise.all([
    // Locked by a statement of its own: the one that had to wait here must see, in the next, what the first one stored.
    transaction.query(sql`select from interviews where id = ${interviewId} for update`),
    transaction.query<Before>(sql`
      select i.organization_id as "organizationId", i.template_id as "templateId",
        case when i.status = 'SCHEDULED' and i.expires_at <= ${now} then 'EXPIRED' else i.status end as status,
        r.id as "resultId", r.token, r.position is not null as final, coalesce(r.fingerprint = ${fingerprint}, false) as same
      from interviews i left join results r on r.interview_id = i.id
      where i.id = ${interviewId}`),
  ])
  if (!before) return { outcome: 'not_found' }

  const { organizationId, templateId } = before
  const resultId = before.resultId ?? newId('res')
  const token = before.token ?? randomBytes(32).toString('base64url')
  const names = { resultId, token, organizationId, interviewId }
  if (before.final) return before.same && result.final ? { outcome: 'same', ...names } : { outcome: 'different' }
  if (badEnds.has(before.status)) return { outcome: 'over', status: before.status }
  if (before.same && !result.final) return { outcome: 'same', ...names }
  return { outcome: 'new', result: { ...result, ...names, templateId, fingerprint } }
}

/**
 * Stores what `weighResult` found to be new, in the same transaction. A final result ends the interview and takes the
 * organization's next position; an incomplete one may be replaced until the final one comes.
 */
export function resultStatement(result: NewResult, now: Date): Sql {
  const { resultId, token, organizationId, interviewId, templateId, fingerprint, final, scoring, analysis } = result
  return sql`
    with place as (
      insert into result_positions as p (organization_id, last) select ${organizationId}, 1 where ${final}::boolean
      on conflict (organization_id) do update set last = p.last + 1
      returning last
    ), ended as (
      update interviews set status = 'COMPLETED', updated_at = ${now}
      where id = ${interviewId} and ${final}::boolean
    )
    insert into results (id, organization_id, interview_id, template_id, position, token, scoring, overall_score,
      analysis, completed_at, created_at, fingerprint)
    values (${resultId}, ${organizationId}, ${interviewId}, ${templateId}, (select last from place), ${token},
      ${JSON.stringify(scoring)}::json, ${scoring.weighted_score},
      ${analysis === undefined ? null : JSON.stringify(analysis)}::json, ${result.completedAt ?? now}, ${now},
      ${fingerprint})
    on conflict (interview_id) do update set
      position = excluded.position, scoring = excluded.scoring, overall_score = excluded.overall_score,
      analysis = excluded.analysis, completed_at = excluded.completed_at, created_at = excluded.created_at,
      fingerprint = excluded.fingerprint`
}

const badEnds: ReadonlySet<InterviewStatus> = new Set(['EXPIRED', 'FAILED', 'CANCELLED'])

/** The same report gives the same digest, in whatever order its keys come. */
function fingerprintOf({ completedAt, scoring, analysis, final }: ReportedResult): Buffer {
  const report = JSON.stringify({ completedAt, scoring, analysis, final }, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  )
  return createHash('sha256').update(report).digest()
}
