import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { publicScoring, type Scoring } from './scoring.ts'

export type SharedResult = {
  templateTitle: string
  candidate: { firstName: string; lastName: string }
  completedAt: string
  scoring: Scoring
}

/** What anyone who has the link to a final result may read. */
export async function findSharedResult(database: Queryable, token: string): Promise<SharedResult | null> {
  if (!/^[A-Za-z0-9_-]{43}$/.test(token)) return null
  const [row] = await database.query<Row>(sql`
    select t.title as "templateTitle", i.first_name as "firstName", i.last_name as "lastName",
      r.completed_at as "completedAt", r.scoring
    from results r join interviews i on i.id = r.interview_id join templates t on t.id = r.template_id
    where r.token = ${token} and r.final`)
  if (!row) return null
  const { templateTitle, firstName, lastName, completedAt, scoring } = row
  return { templateTitle, candidate: { firstName, lastName }, completedAt, scoring: publicScoring(scoring) }
}

type Row = { templateTitle: string; firstName: string; lastName: string; completedAt: string; scoring: Scoring }

export async function findFinalResult(
  database: Queryable,
  interviewId: string,
): Promise<{ resultId: string; token: string } | null> {
  const [row] = await database.query<{ resultId: string; token: string }>(sql`
    select id as "resultId", token from results where interview_id = ${interviewId} and final`)
  return row ?? null
}
