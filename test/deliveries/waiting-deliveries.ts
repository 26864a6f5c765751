import sql from 'sql-template-tag'
import type { Queryable } from '../../server/database/database.ts'
import { newId } from '../../server/database/ids.ts'

/** Inserts many records that wait for a job, without making the calls that lead there. */
export async function insertWaiting(
  database: Queryable,
  organizationId: string,
  count: number,
  now: Date,
): Promise<void> {
  const templateId = newId('tpl')
  await database.query(sql`
    insert into templates (id, organization_id, title, description, whiteboard_enabled, created_at, updated_at)
    values (${templateId}, ${organizationId}, 'Many', 'Many', false, ${now}, ${now})`)
  const rows = Array.from({ length: count }, (_, index) => ({
    candidate: newId('cand'),
    interview: newId('int'),
    result: newId('res'),
    delivery: newId('dlv'),
    name: `many-${index}`,
  }))
  await database.query(sql`
    with given as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json)
        as given (candidate text, interview text, result text, delivery text, name text)
    ), people as (
      insert into candidates (id, organization_id, email_key) select candidate, ${organizationId}, name from given
    ), interviews as (
      insert into interviews (id, invitation_id, organization_id, template_id, candidate_id, email, email_key,
        first_name, last_name, token, status, expires_at, created_at, updated_at)
      select interview, 'inv' || name, ${organizationId}, ${templateId}, candidate, name, name, '', '', name,
        'COMPLETED', ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz from given
    ), results as (
      insert into results (id, organization_id, interview_id, template_id, final, token, scoring, overall_score,
        completed_at, created_at)
      select result, ${organizationId}, interview, ${templateId}, true, name, '{}', 1, ${now}::timestamptz,
        ${now}::timestamptz from given
    )
    insert into deliveries (id, organization_id, result_id, interview_id, status, created_at, updated_at)
    select delivery, ${organizationId}, result, interview, 'PENDING', ${now}::timestamptz, ${now}::timestamptz
    from given`)
}
