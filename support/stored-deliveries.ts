import sql from 'sql-template-tag'
import type { Queryable } from '../server/database/database.ts'
import { newId } from '../server/database/ids.ts'
import type { AttemptError, DeliveryStatus } from '../server/deliveries/outcome.ts'
import { scoring } from './results.ts'

export type StoredDelivery = {
  id: string
  resultId: string
  invitationId: string
  templateId: string
  email: string
  firstName: string
  lastName: string
  status: DeliveryStatus
  error: AttemptError | null
  createdAt: string
}

export type DeliveryToStore = {
  email: string
  /** Default: Ada Lovelace. */
  firstName?: string
  lastName?: string
  status: DeliveryStatus
  error?: AttemptError
  createdAt: Date
  /** How long the only attempt took, if it was made and got a response. */
  milliseconds?: number
}

let count = 0

/** Inserts deliveries as they are after their attempts, without making the calls that lead there. */
export async function storeDeliveries(
  database: Queryable,
  organizationId: string,
  deliveries: DeliveryToStore[],
): Promise<StoredDelivery[]> {
  const templateId = newId('tpl')
  await database.query(sql`
    insert into templates (id, organization_id, title, description, whiteboard_enabled, created_at, updated_at)
    values (${templateId}, ${organizationId}, 'Stored', 'Stored', false, now(), now())`)
  const rows = deliveries.map(({ email, firstName, lastName, status, error, createdAt, milliseconds }) => ({
    id: newId('dlv'),
    resultId: newId('res'),
    interview: newId('int'),
    candidate: newId('cand'),
    invitationId: newId('inv'),
    firstName: firstName ?? 'Ada',
    lastName: lastName ?? 'Lovelace',
    email,
    key: email.toLowerCase(),
    status,
    error: error ?? null,
    at: createdAt.toISOString(),
    token: `stored-${++count}`,
    milliseconds: milliseconds ?? null,
  }))
  await database.query(sql`
    with given as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as given (id text, "resultId" text,
        interview text, candidate text, email text, key text, status text, error text, at timestamptz, token text,
        milliseconds real, "invitationId" text, "firstName" text, "lastName" text)
    ), people as (
      insert into candidates (id, organization_id, email_key) select candidate, ${organizationId}, token from given
    ), interviews as (
      insert into interviews (id, invitation_id, organization_id, template_id, candidate_id, email, email_key,
        first_name, last_name, token, status, superseded, expires_at, created_at, updated_at)
      select interview, "invitationId", ${organizationId}, ${templateId}, candidate, email, key, "firstName", "lastName", token,
        'COMPLETED', true, at, at, at from given
    ), results as (
      insert into results (id, organization_id, interview_id, template_id, final, token, scoring, overall_score,
        completed_at, created_at)
      select "resultId", ${organizationId}, interview, ${templateId}, true, token, ${JSON.stringify(scoring)}::json, 1, at, at
      from given
    ), attempts as (
      insert into delivery_attempts (delivery_id, round, number, started_at, finished_at, status, error, total_ms)
      select id, 1, 1, at, at, 200, error, milliseconds from given where milliseconds is not null
    )
    insert into deliveries (id, organization_id, result_id, interview_id, status, failure_reason, attempts, last_error,
      created_at, updated_at, delivered_at)
    select id, ${organizationId}, "resultId", interview, status,
      case when status = 'FAILED' then 'RECEIVES_EXHAUSTED' end, 4, error, at, at, case when status = 'DELIVERED' then at end
    from given`)
  return rows.map(({ id, resultId, invitationId, email, firstName, lastName, status, error, at }) => ({
    id,
    resultId,
    invitationId,
    templateId,
    email,
    firstName,
    lastName,
    status,
    error,
    createdAt: at,
  }))
}
