import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { isId } from '../database/ids.ts'
import { type InterviewStatus, statusAt } from './interview-status.ts'

/** The status transitions of an interview. */
const moves: Record<InterviewStatus, readonly InterviewStatus[]> = {
  SCHEDULED: ['IN_PROGRESS', 'EXPIRED', 'FAILED', 'CANCELLED'],
  IN_PROGRESS: ['PAUSED', 'PROCESSING', 'EXPIRED', 'FAILED', 'CANCELLED'],
  PAUSED: ['IN_PROGRESS', 'PROCESSING', 'EXPIRED', 'FAILED', 'CANCELLED'],
  PROCESSING: ['COMPLETED', 'EXPIRED', 'FAILED', 'CANCELLED'],
  COMPLETED: [],
  EXPIRED: [],
  FAILED: [],
  CANCELLED: [],
}

export type InterviewView = {
  interview: { id: string; status: InterviewStatus; expiresAt: string }
  invitationId: string
  template: { id: string; title: string; description: string; whiteboardEnabled: boolean; whiteboardTask: unknown }
  candidate: { id: string; email: string; firstName: string; lastName: string }
}

export async function findByToken(database: Queryable, token: string, now: Date): Promise<InterviewView | null> {
  if (!/^[A-Za-z0-9_-]{43}$/.test(token)) return null
  const [row] = await database.query<ViewRow>(sql`
    select i.id, i.invitation_id as "invitationId", ${statusAt(now)} as status, i.expires_at as "expiresAt",
      i.candidate_id as "candidateId", i.email, i.first_name as "firstName", i.last_name as "lastName",
      t.id as "templateId", t.title, t.description, t.whiteboard_enabled as "whiteboardEnabled",
      t.whiteboard_task as "whiteboardTask"
    from interviews i join templates t on t.id = i.template_id
    where i.token = ${token}`)
  if (!row) return null
  const { title, description, whiteboardEnabled, whiteboardTask, email, firstName, lastName } = row
  return {
    interview: { id: row.id, status: row.status, expiresAt: row.expiresAt },
    invitationId: row.invitationId,
    template: { id: row.templateId, title, description, whiteboardEnabled, whiteboardTask },
    candidate: { id: row.candidateId, email, firstName, lastName },
  }
}

type ViewRow = {
  id: string
  invitationId: string
  status: InterviewStatus
  expiresAt: string
  candidateId: string
  email: string
  firstName: string
  lastName: string
  templateId: string
  title: string
  description: string
  whiteboardEnabled: boolean
  whiteboardTask: unknown
}

export async function findByInvitation(database: Queryable, invitationId: string): Promise<string | null> {
  if (!isId('inv', invitationId)) return null
  const [row] = await database.query<{ id: string }>(
    sql`select id from interviews where invitation_id = ${invitationId}`,
  )
  return row?.id ?? null
}

export type MoveResult =
  | { outcome: 'moved'; id: string; status: InterviewStatus }
  | { outcome: 'not_found' }
  | { outcome: 'impossible'; from: InterviewStatus }

/** Moving to the current status succeeds, so callers can repeat themselves. */
export async function moveInterview(
  database: Queryable,
  id: string,
  status: InterviewStatus,
  now: Date,
): Promise<MoveResult> {
  if (!isId('int', id)) return { outcome: 'not_found' }
  const allowed = Object.entries(moves).flatMap(([from, to]) => (to.includes(status) ? [from] : []))
  const [row] = await database.query<{ status: InterviewStatus; moved: boolean }>(sql`
    with before as (
      select i.id, ${statusAt(now)} as status from interviews i where i.id = ${id} for update
    ), moved as (
      update interviews i set status = ${status}, updated_at = ${now} from before
      where i.id = before.id and before.status = any(${allowed})
      returning i.id
    )
    select before.status, exists (select from moved) as moved from before`)
  if (!row) return { outcome: 'not_found' }
  if (row.moved || row.status === status) return { outcome: 'moved', id, status }
  return { outcome: 'impossible', from: row.status }
}
