import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { emailKeyOf } from './email-key.ts'
import type { InterviewStatus } from './invitations.ts'
import { isOver } from './invitations.ts'
import { redactScoring, type Scoring } from './scoring.ts'

const erasedEmail = 'erased'

export type ErasedInterviews = { interviewIds: string[]; cancelled: number; resultIds: string[] }

/**
 * Keeps anyone from being invited under this address until the transaction ends. There may be more than one candidate if
 * they were invited under two Unicode spellings before those were treated as equal.
 */
export async function lockCandidates(transaction: Queryable, organizationId: string, email: string): Promise<string[]> {
  const candidates = await transaction.query<{ id: string }>(sql`
    select id from candidates
    where organization_id = ${organizationId} and normalize(email_key, NFC) = ${emailKeyOf(email)}
    order by id for update`)
  return candidates.map(({ id }) => id)
}

/**
 * Overwrites the candidate's identity and everything written about them. Open interviews are canceled, and links stop
 * working. IDs, times, statuses and numeric scores stay.
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
  // The new tokens match no valid link, and superseded invitations allow new ones.
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
        scoring = ${JSON.stringify(redactScoring(scoring))}::json
      where id = ${id}`)
  }
  return results.map(({ id }) => id)
}

/**
 * SQL condition on a column `search`, to be used after the erasure: whether it is the erased email address, or a prefix
 * of it that matches nobody else.
 */
export function identifiesErased({ organizationId, email }: { organizationId: string; email: string }): Sql {
  const emailKey = emailKeyOf(email)
  return sql`
    search <> '' and starts_with(${emailKey}, normalize(lower(search), NFC)) and (
      normalize(lower(search), NFC) = ${emailKey} or not exists (
        select from interviews
        where organization_id = ${organizationId} and starts_with(email_key, normalize(lower(search), NFC))
      )
    )`
}
