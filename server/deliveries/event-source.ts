import sql from 'sql-template-tag'
import { resultUrl } from '../interviews/results.ts'
import type { Scoring } from '../interviews/scoring.ts'
import type { EventSource } from './event.ts'

export type EventColumns = {
  organizationId: string
  occurredAt: string
  resultId: string
  resultToken: string
  scoring: Scoring
  completedAt: string
  interviewId: string
  templateId: string
  templateName: string
  candidateId: string
  email: string
  firstName: string
  lastName: string
}

export const eventColumns = sql`
  d.organization_id as "organizationId", d.created_at as "occurredAt", r.id as "resultId", r.token as "resultToken",
  r.scoring, r.completed_at as "completedAt", i.id as "interviewId", t.id as "templateId", t.title as "templateName",
  i.candidate_id as "candidateId", i.email, i.first_name as "firstName", i.last_name as "lastName"`

/** What `eventColumns` needs besides `d`: a delivery, or whatever has the same columns. */
export const eventJoins = sql`
  join results r on r.id = d.result_id
  join interviews i on i.id = d.interview_id
  join templates t on t.id = i.template_id`

export const eventTables = sql`deliveries d ${eventJoins}`

export function toEventSource(columns: EventColumns, appUrl: string): EventSource {
  return {
    resultId: columns.resultId,
    occurredAt: columns.occurredAt,
    resultUrl: resultUrl(appUrl, columns.resultToken),
    completedAt: columns.completedAt,
    interviewId: columns.interviewId,
    template: { id: columns.templateId, name: columns.templateName },
    candidate: {
      id: columns.candidateId,
      email: columns.email,
      firstName: columns.firstName,
      lastName: columns.lastName,
    },
    scoring: columns.scoring,
  }
}
