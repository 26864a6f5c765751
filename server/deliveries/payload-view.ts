import sql from 'sql-template-tag'
import type { Static } from 'typebox'
import type { Queryable } from '../database/database.ts'
import { isId } from '../database/ids.ts'
import { eventOf } from './attempt.ts'
import { buildEvent, eventHeaders, type resultCompleted } from './event.ts'

export type PayloadView = { headers: Record<string, string>; body: Static<typeof resultCompleted> }

/** The request of a delivery as the next attempt would send it, but for the signature and the image, which stays unread. */
export async function viewPayload(
  { database, appUrl }: { database: Queryable; appUrl: string },
  organizationId: string,
  id: string,
): Promise<PayloadView | null> {
  if (!isId('dlv', id)) return null
  const [row] = await database.query<Parameters<typeof eventOf>[0] & { imageSize: number | null }>(sql`
    select d.organization_id as "organizationId", d.created_at as "occurredAt", r.id as "resultId",
      r.token as "resultToken", r.scoring, r.completed_at as "completedAt", i.id as "interviewId",
      t.id as "templateId", t.title as "templateName", i.candidate_id as "candidateId", i.email,
      i.first_name as "firstName", i.last_name as "lastName", n.size as "imageSize"
    from deliveries d
    join results r on r.id = d.result_id
    join interviews i on i.id = d.interview_id
    join templates t on t.id = i.template_id
    left join thumbnails n on n.interview_id = i.id
    where d.id = ${id} and d.organization_id = ${organizationId}`)
  if (!row) return null
  const bytes = buildEvent(eventOf(row, appUrl), imageInstead(row.imageSize))
  const { 'x-service-signature': _, ...headers } = eventHeaders(row.resultId, '')
  return { headers, body: JSON.parse(bytes.toString()) }
}

function imageInstead(size: number | null): string {
  if (size === null) return '(no image is stored)'
  return `(${(Math.ceil(size / 3) * 4).toLocaleString('en')} characters of Base64 not shown)`
}
