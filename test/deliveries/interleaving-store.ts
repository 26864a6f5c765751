import sql from 'sql-template-tag'
import type { Database, Queryable } from '../../server/database/database.ts'
import type { DeliveryStatus, FailureReason } from '../../server/deliveries/outcome.ts'
import { elapse, removeAllJobs } from '../../support/queue-hooks.ts'
import type { Start } from './interleaving-operations.ts'

export type StoredNames = { organizationId: string; resultId: string; interviewId: string; deliveryId: string }

/** Stores one organization with one final result. Its delivery is reset for every order. */
export async function storeResult(database: Database, now: Date): Promise<StoredNames> {
  const id = (prefix: string) => `${prefix}_01m7efx4xwfztrm1s20bva7r58`
  const names = { organizationId: id('org'), resultId: id('res'), interviewId: id('int'), deliveryId: id('dlv') }
  const { organizationId, resultId, interviewId } = names
  await database.query(sql`insert into organizations (id, name, created_at) values (${organizationId}, 'Acme', ${now})`)
  await database.query(sql`
    insert into webhook_endpoints (organization_id, url, enabled, sealed_secret, created_at, updated_at)
    values (${organizationId}, 'https://receiver.example/', true, ''::bytea, ${now}, ${now})`)
  await database.query(sql`
    insert into templates (id, organization_id, title, description, whiteboard_enabled, created_at, updated_at)
    values ('tpl_1', ${organizationId}, 'Engineer', 'Services', false, ${now}, ${now})`)
  await database.query(sql`
    insert into candidates (id, organization_id, email_key) values ('cand_1', ${organizationId}, 'ada@example.com')`)
  await database.query(sql`
    insert into interviews (id, invitation_id, organization_id, template_id, candidate_id, email, email_key, first_name,
      last_name, token, status, expires_at, created_at, updated_at)
    values (${interviewId}, 'inv_1', ${organizationId}, 'tpl_1', 'cand_1', 'ada@example.com', 'ada@example.com', 'Ada',
      'Lovelace', 'token', 'COMPLETED', ${now}, ${now}, ${now})`)
  await database.query(sql`
    insert into results (id, organization_id, interview_id, template_id, final, token, scoring, overall_score,
      completed_at, created_at)
    values (${resultId}, ${organizationId}, ${interviewId}, 'tpl_1', true, 'token',
      '{"highlights": [], "suggestions": []}', 1, ${now}, ${now})`)
  return names
}

/** Resets the delivery to a starting state. */
export async function resetDelivery(database: Database, names: StoredNames, start: Start): Promise<void> {
  const { organizationId, resultId, interviewId, deliveryId } = names
  await removeAllJobs(database)
  await database.script(`
    delete from dead_letters; delete from delivery_attempts; delete from delivery_rounds; delete from deliveries;
    update webhook_endpoints set enabled = true`)
  const { status, reason, round, attempts, earlier, receives, letter } = beginnings[start]
  await database.query(sql`
    insert into deliveries (id, organization_id, result_id, interview_id, status, failure_reason, round, attempts,
      earlier_attempts, created_at, updated_at)
    values (${deliveryId}, ${organizationId}, ${resultId}, ${interviewId}, ${status}, ${reason}, ${round}, ${attempts},
      ${earlier}, now(), now())`)
  if (letter) {
    await database.query(sql`
      insert into dead_letters (delivery_id, organization_id, round) values (${deliveryId}, ${organizationId}, 1)`)
  }
  if (receives !== null) {
    await database.query(sql`
      insert into delivery_jobs (delivery_id, organization_id, round, receives)
      values (${deliveryId}, ${organizationId}, ${round}, ${receives})`)
  }
}

type StartingState = {
  status: DeliveryStatus
  reason: FailureReason | null
  round: number
  attempts: number
  earlier: number
  receives: number | null
  letter: boolean
}

const pending = {
  status: 'PENDING',
  reason: null,
  round: 1,
  attempts: 0,
  earlier: 0,
  receives: 0,
  letter: false,
} as const

const beginnings: Record<Start, StartingState> = {
  fresh: pending,
  'before the last receive': { ...pending, attempts: 3, receives: 3 },
  exhausted: { ...pending, status: 'FAILED', reason: 'RECEIVES_EXHAUSTED', attempts: 4, receives: null, letter: true },
  'retried after exhaustion': { ...pending, round: 2, earlier: 4, letter: true },
}

export async function readRecord(
  database: Queryable,
  deliveryId: string,
): Promise<{ status: DeliveryStatus; reason: FailureReason | null; round: number; attempts: number }> {
  const [record] = await database.query<Awaited<ReturnType<typeof readRecord>>>(sql`
    select status, failure_reason as reason, round, attempts from deliveries where id = ${deliveryId}`)
  if (!record) throw new Error('The delivery is gone')
  return record
}

/** Hours pass: every lease has expired, every waiting job is due, and every record is stale. */
export async function passTime(database: Queryable): Promise<void> {
  await elapse(database, 7_200)
  await database.query(sql`update deliveries set updated_at = updated_at - interval '2 hours'`)
}
