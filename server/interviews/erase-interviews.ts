import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { emailKeyOf, folded } from './email-key.ts'
import { type InterviewStatus, isOver } from './interview-status.ts'
import { redactScoring, type Scoring } from './scoring.ts'

const erasedEmail = 'erased'

export type ErasedInterviews = {
  interviewIds: string[]
  cancelled: number
  resultIds: string[]
  /** Full names and last names, as they were. */
  names: string[]
}

/**
 * Keeps anyone from being invited under this address until the transaction ends. There may be more than one candidate if
 * they were invited under two spellings before those were treated as equal.
 */
export async function lockCandidates(transaction: Queryable, organizationId: string, email: string): Promise<string[]> {
  const candidates = await transaction.query<{ id: string }>(sql`
    select id from candidates
    where organization_id = ${organizationId} and ${folded(sql`email_key`)} = ${emailKeyOf(email)}
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
  const interviews = await transaction.query<InterviewToErase>(sql`
    select id, status, first_name as "firstName", last_name as "lastName" from interviews where candidate_id = ${candidateId} order by id for update`)
  const ids = interviews.map(({ id }) => id)
  const running = interviews.filter(({ status }) => !isOver(status)).map(({ id }) => id)
  // The new tokens match no valid link, and superseded invitations allow new ones.
  await transaction.query(sql`
    update interviews set email = ${erasedEmail}, email_key = ${erasedKey(candidateId)}, first_name = 'Erased',
      last_name = 'candidate', token = 'erased.' || id, superseded = true, erased_at = ${now}, updated_at = ${now},
      status = case when id = any(${running}) then 'CANCELLED' else status end
    where id = any(${ids})`)
  const names = interviews.flatMap(({ firstName, lastName }) => [`${firstName} ${lastName}`, lastName])
  return { interviewIds: ids, cancelled: running.length, resultIds: await eraseResults(transaction, ids), names }
}

type InterviewToErase = { id: string; status: InterviewStatus; firstName: string; lastName: string }

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

export type ErasedIdentity = { organizationId: string; email: string; names: string[] }

/**
 * SQL condition on a column `search`, to be used after the erasure: whether it is the erased email address or name, or a
 * prefix of one that matches nobody else.
 */
export function identifiesErased({ organizationId, email, names }: ErasedIdentity): Sql {
  const sought = folded(sql`search`)
  const identity = folded(sql`erased.text`)
  return sql`
    search <> '' and exists (
      select from unnest(${[emailKeyOf(email), ...names]}::text[]) as erased (text)
      where starts_with(${identity}, ${sought}) and (
        ${identity} = ${sought} or not exists (
          select from interviews where organization_id = ${organizationId} and (
            starts_with(${folded(sql`email_key`)}, ${sought}) or starts_with(${folded(sql`last_name`)}, ${sought})
            or starts_with(${folded(sql`first_name || ' ' || last_name`)}, ${sought})
          )
        )
      )
    )`
}
