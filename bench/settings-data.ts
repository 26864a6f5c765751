import sql, { raw, type Sql } from 'sql-template-tag'
import type { Database } from '../server/database/database.ts'
import { createOrReuseTemplate } from '../server/interviews/templates.ts'
import { createOrganization } from '../server/organizations/organizations.ts'
import { scoring } from './results.ts'

export type Filling = {
  /** Keeps the IDs of several data sets apart. */
  series: number
  count: number
  hours: number
  until: Date
  /** How many of a hundred failed; one more is pending. */
  failed: number
}

const chunk = 100_000

/** Creates an organization with this many deliveries, spread evenly over the hours, with one attempt each. Returns its ID. */
export async function fillDeliveries(database: Database, filling: Filling): Promise<string> {
  const { count, until } = filling
  const { id: organizationId } = await createOrganization(database, `Bench ${filling.series}`, until)
  const fields = { title: 'Backend engineer', description: 'Services, queues and databases.' }
  const { template } = await createOrReuseTemplate(database, organizationId, fields, until)
  for (let first = 0; first < count; first += chunk) {
    const last = Math.min(first + chunk, count) - 1
    await fillChunk(database, { ...filling, organizationId, templateId: template.id, first, last })
  }
  return organizationId
}

type Chunk = Filling & { organizationId: string; templateId: string; first: number; last: number }

async function fillChunk(database: Database, filling: Chunk): Promise<void> {
  const { organizationId, templateId, first, last } = filling
  const since = new Date(filling.until.getTime() - filling.hours * 3_600_000)
  const step = (filling.hours * 3_600) / filling.count
  await database.transaction(async (transaction) => {
    // Skips foreign key checks: the generated rows are consistent.
    await transaction.script('set local session_replication_role = replica')
    // The database generates the IDs from hexadecimal digits, which are valid in any ID.
    await transaction.query(sql`
      create temporary table made on commit drop as
      select n, ${`0${filling.series}`}::text || lpad(to_hex(n), 24, '0') as suffix, at, status,
        case when status = 'FAILED' then
          case when ${drawn('n + 2', 1_000)} = 0 then 'DNS'
            else (array['TIMEOUT', 'HTTP_4XX', 'HTTP_5XX'])[1 + ${drawn('n + 3', 3)}] end
        end as error,
        (array['ada', 'alan', 'barbara', 'claude', 'donald', 'edsger', 'frances', 'grace', 'hedy', 'john', 'katherine',
          'leslie', 'margaret', 'niklaus', 'radia', 'shafi', 'tim', 'ursula', 'whitfield', 'yukihiro'])
          [1 + ${drawn('n + 4', 20)}] || '.' || left(md5(n::text), 16) || '@example.com' as email
      from (
        select n, ${since}::timestamptz + (n * ${step}::float8) * interval '1 second' as at,
          case when ${drawn('n', 100)} < ${filling.failed}::int then 'FAILED'
            when ${drawn('n', 100)} = 99 then 'PENDING' else 'DELIVERED' end as status
        from generate_series(${first}::int, ${last}::int) as n
      ) drawn`)
    await transaction.query(sql`
      insert into candidates (id, organization_id, email_key) select 'cand_' || suffix, ${organizationId}, suffix from made`)
    await transaction.query(sql`
      insert into interviews (id, invitation_id, organization_id, template_id, candidate_id, email, email_key, first_name,
        last_name, token, status, expires_at, created_at, updated_at)
      select 'int_' || suffix, 'inv_' || suffix, ${organizationId}, ${templateId}, 'cand_' || suffix, email, email, 'Ada',
        'Lovelace', suffix, 'COMPLETED', at, at, at
      from made`)
    await transaction.query(sql`
      insert into results (id, organization_id, interview_id, template_id, final, token, scoring, overall_score,
        completed_at, created_at)
      select 'res_' || suffix, ${organizationId}, 'int_' || suffix, ${templateId}, true, suffix,
        ${JSON.stringify(scoring)}::json, 82.4, at, at
      from made`)
    await transaction.query(sql`
      insert into deliveries (id, organization_id, result_id, interview_id, status, failure_reason, attempts, last_error,
        created_at, updated_at, delivered_at)
      select 'dlv_' || suffix, ${organizationId}, 'res_' || suffix, 'int_' || suffix, status,
        case when status = 'FAILED' then 'RECEIVES_EXHAUSTED' end, 1, error, at, at,
        case when status = 'DELIVERED' then at end
      from made`)
    await transaction.query(sql`
      insert into delivery_attempts (delivery_id, round, number, started_at, finished_at, address, status, error, dns_ms,
        connect_ms, tls_ms, first_byte_ms, total_ms)
      select 'dlv_' || suffix, 1, 1, at, at + interval '100 milliseconds', '192.0.2.1', 200, error, 1, 10, 20, n % 400,
        31 + n % 400
      from made where status <> 'PENDING'`)
  })
}

/** A pseudorandom number below `limit`, the same in every run. */
function drawn(seed: string, limit: number): Sql {
  return raw(`((hashint4((${seed})::int) & 1073741823) % ${limit})`)
}
