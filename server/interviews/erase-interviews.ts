import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import type { InterviewStatus } from './invitations.ts'
import { isOver } from './invitations.ts'
import type { Scoring } from './scoring.ts'

/** What stands in the place of an e-mail address that was erased. */
export const erasedEmail = 'erased'

export type ErasedInterviews = { interviewIds: string[]; cancelled: number; resultIds: string[] }

/** Held until the transaction ends: nobody is invited under this name meanwhile. */
export async function holdCandidate(
  transaction: Queryable,
  organizationId: string,
  email: string,
): Promise<string | null> {
  const [candidate] = await transaction.query<{ id: string }>(sql`
    select id from candidates where organization_id = ${organizationId} and email_key = ${email.toLowerCase()}
    for update`)
  return candidate?.id ?? null
}

/**
 * Overwrites who the candidate is and whatever was written about them. Interviews that run are cancelled; no link leads
 * anywhere any more. Ids, times, statuses and the scores, which are numbers, stay.
 */
export async function eraseInterviews(
  transaction: Queryable,
  candidateId: string,
  now: Date,
): Promise<ErasedInterviews> {
  await transaction.query(sql`
    update candidates set email_key = ${erasedKey(candidateId)} where id = ${candidateId}`)
  const interviews = await transaction.query<{ id: string; status: InterviewStatus }>(sql`
    select id, status from interviews where candidate_id = ${candidateId} order by id for update`)
  const ids = interviews.map(({ id }) => id)
  const running = interviews.filter(({ status }) => !isOver(status)).map(({ id }) => id)
  // The tokens have a form that no link can have, and the invitations make way for new ones.
  await transaction.query(sql`
    update interviews set email = ${erasedEmail}, email_key = ${erasedKey(candidateId)}, first_name = 'Erased',
      last_name = 'candidate', token = 'erased.' || id, superseded = true, erased_at = ${now}, updated_at = ${now},
      status = case when id = any(${running}) then 'CANCELLED' else status end
    where id = any(${ids})`)
  return { interviewIds: ids, cancelled: running.length, resultIds: await eraseResults(transaction, ids) }
}

function erasedKey(candidateId: string): string {
  return `erased:${candidateId}`
}

async function eraseResults(transaction: Queryable, interviewIds: string[]): Promise<string[]> {
  const results = await transaction.query<{ id: string; scoring: Scoring }>(sql`
    select id, scoring from results where interview_id = any(${interviewIds})`)
  for (const { id, scoring } of results) {
    await transaction.query(sql`
      update results set token = 'erased.' || id, analysis = null, fingerprint = null,
        scoring = ${JSON.stringify(withoutWords(scoring))}::json
      where id = ${id}`)
  }
  return results.map(({ id }) => id)
}

function withoutWords(scoring: Scoring): Scoring {
  return {
    technical_score: scoring.technical_score,
    technical_feedback: '',
    soft_skills_score: scoring.soft_skills_score,
    soft_skills_feedback: '',
    language_proficiency: scoring.language_proficiency,
    language_proficiency_feedback: '',
    weighted_score: scoring.weighted_score,
    feedback: '',
    highlights: [],
    suggestions: [],
    duration: scoring.duration,
  }
}

/**
 * For a statement with a column `search`, after the erasure: whether those words are the erased email address, or a
 * beginning of it that nobody else's has.
 */
export function identifiesErased({ organizationId, email }: { organizationId: string; email: string }): Sql {
  const emailKey = email.toLowerCase()
  return sql`
    search <> '' and left(${emailKey}, length(search)) = lower(search) and (
      lower(search) = ${emailKey} or not exists (
        select from interviews where organization_id = ${organizationId} and starts_with(email_key, lower(search))
      )
    )`
}
