import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { isId, newId } from '../database/ids.ts'
import { emailKeyOf } from './email-key.ts'
import { hasLapsed, type InterviewStatus, isOver, statusAt } from './interview-status.ts'

export type Invitation = {
  id: string
  templateId: string
  candidate: { id: string; email: string; firstName: string; lastName: string }
  interview: { id: string; status: InterviewStatus }
  inviteUrl: string | null
  expiresAt: string
  createdAt: string
}

export type InvitationFields = {
  templateId: string
  candidate: { email: string; firstName: string; lastName?: string }
  expiresInDays?: number
}

type Row = {
  invitationId: string
  interviewId: string
  templateId: string
  candidateId: string
  email: string
  firstName: string
  lastName: string
  token: string
  status: InterviewStatus
  expiresAt: string
  createdAt: string
}

/** The template exists but the invitation does not. */
type NoRow = { templateId: string; invitationId: null }

const day = 86_400_000

/**
 * Creates an invitation or returns the existing one. A lapsed invitation (expired, failed or canceled) is superseded by a
 * new one; its row stays, because its ID may still be in use.
 */
export async function createOrReuseInvitation(
  database: Queryable,
  organizationId: string,
  fields: InvitationFields,
  options: { interviewUrl: string; now: Date },
): Promise<{ invitation: Invitation; created: boolean } | 'template_not_found'> {
  const { now } = options
  if (!isId('tpl', fields.templateId)) return 'template_not_found'
  const { email, firstName, lastName = '' } = fields.candidate
  const emailKey = emailKeyOf(email)
  const expiresAt = new Date(now.getTime() + (fields.expiresInDays ?? 30) * day)
  const invitationId = newId('inv')
  const token = randomBytes(32).toString('base64url')

  for (;;) {
    const [row] = await database.query<Row | NoRow>(sql`
      with template as (
        select id from templates where id = ${fields.templateId} and organization_id = ${organizationId}
      ), current as (
        select * from interviews
        where organization_id = ${organizationId} and template_id = ${fields.templateId}
          and email_key = ${emailKey} and not superseded
      ), person as (
        insert into candidates (id, organization_id, email_key)
        select ${newId('cand')}, ${organizationId}, ${emailKey}
        from template where not exists (select from current)
        on conflict (organization_id, email_key) do update set email_key = excluded.email_key
        returning id
      ), created as (
        insert into interviews (id, invitation_id, organization_id, template_id, candidate_id, email, email_key,
          first_name, last_name, token, status, expires_at, created_at, updated_at)
        select ${newId('int')}, ${invitationId}, ${organizationId}, template.id, person.id, ${email}, ${emailKey},
          ${firstName}, ${lastName}, ${token}, 'SCHEDULED', ${expiresAt}::timestamptz, ${now}::timestamptz,
          ${now}::timestamptz
        from template, person
        on conflict (organization_id, template_id, email_key) where not superseded do nothing
        returning *
      )
      select template.id as "templateId", i.invitation_id as "invitationId", i.id as "interviewId",
        i.candidate_id as "candidateId", email, first_name as "firstName", last_name as "lastName", token,
        ${statusAt(now)} as status, expires_at as "expiresAt", created_at as "createdAt"
      from template left join (select * from current union all select * from created) i on true`)
    if (!row) return 'template_not_found'
    // Another request invited the candidate after this statement took its snapshot. The next iteration sees it.
    if (row.invitationId === null) continue
    if (hasLapsed(row.status)) await supersede(database, row.interviewId)
    else {
      return {
        invitation: toInvitation(row, options.interviewUrl),
        created: row.invitationId === invitationId,
      }
    }
  }
}

async function supersede(database: Queryable, interviewId: string): Promise<void> {
  await database.query(sql`update interviews set superseded = true where id = ${interviewId}`)
}

function toInvitation(row: Row, interviewUrl: string): Invitation {
  return {
    id: row.invitationId,
    templateId: row.templateId,
    candidate: { id: row.candidateId, email: row.email, firstName: row.firstName, lastName: row.lastName },
    interview: { id: row.interviewId, status: row.status },
    inviteUrl: isOver(row.status) ? null : interviewUrl.replaceAll('{token}', row.token),
    expiresAt: row.expiresAt,
    createdAt: row.createdAt,
  }
}
