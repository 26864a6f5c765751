import sql from 'sql-template-tag'
import type { Database } from '../../server/database/database.ts'
import { type Settlement, settle } from '../../server/deliveries/transitions.ts'
import { resetFutureTimes } from '../../server/queue/jobs.ts'
import type { Job } from '../../server/queue/queue.ts'
import type { Engine } from '../../support/engines.ts'
import { breakQueue, elapse, readJobs, removeAllJobs } from '../../support/queue-hooks.ts'
import type { QueueUnderTest } from './queue-suite.ts'
import type { Disposition } from './queue-watch.ts'

export type QueueRecords = Omit<QueueUnderTest, 'queue' | 'another' | 'reports' | 'close'> & { database: Database }

/** A database with delivery records, and the suite's hooks into it. Every engine keeps its jobs there. */
export async function openQueueRecords(engine: Engine): Promise<QueueRecords> {
  const database = await engine.open()
  await database.script(`
    insert into organizations (id, name, created_at) values ('org_suite', 'Suite', now());
    insert into templates (id, organization_id, title, description, whiteboard_enabled, created_at, updated_at)
    values ('tpl_suite', 'org_suite', 'Suite', 'Suite', false, now(), now());
    insert into candidates (id, organization_id, email_key) values ('cand_suite', 'org_suite', 'suite')`)
  return {
    database,
    async open(names, organization) {
      await storeRecords(database, names)
      return names.map((name): Job => ({ deliveryId: name, organizationId: organization, round: 1 }))
    },
    async settle(job, disposition, delaySeconds = 0) {
      if (disposition === 'vanished') return
      const outcome = outcomes[disposition]
      const settlement: Settlement = { job, outcome, delaySeconds, attempt: null }
      await settle(database, [settlement])
    },
    queued: async () => (await readJobs(database)).map(({ deliveryId }) => deliveryId),
    async dead() {
      const rows = await database.query<{ id: string }>(
        sql`select delivery_id as id from dead_letters order by dead_at`,
      )
      return rows.map(({ id }) => id)
    },
    elapse: (seconds) => elapse(database, seconds),
    turnClockBack: () => elapse(database, -7_200),
    resetFutureTimes: () => resetFutureTimes(database, 600),
    breakDown: () => breakQueue(database),
    async empty() {
      await removeAllJobs(database)
      await database.script(
        `delete from dead_letters; delete from deliveries; delete from results; delete from interviews`,
      )
    },
  }
}

const outcomes = { done: 'delivered', again: 'postponed', exhausted: 'exhausted' } as const satisfies Partial<
  Record<Disposition, Settlement['outcome']>
>

async function storeRecords(database: Database, names: readonly string[]): Promise<void> {
  await database.query(sql`
    with names as (select unnest(${names}::text[]) as name), interviews as (
      insert into interviews (id, invitation_id, organization_id, template_id, candidate_id, email, email_key,
        first_name, last_name, token, status, superseded, expires_at, created_at, updated_at)
      select name, name, 'org_suite', 'tpl_suite', 'cand_suite', name, name, '', '', name, 'COMPLETED', true, now(),
        now(), now() from names
    ), results as (
      insert into results (id, organization_id, interview_id, template_id, final, token, scoring, overall_score,
        completed_at, created_at)
      select name, 'org_suite', name, 'tpl_suite', true, name, '{}', 1, now(), now() from names
    )
    insert into deliveries (id, organization_id, result_id, interview_id, status, created_at, updated_at)
    select name, 'org_suite', name, name, 'PENDING', now(), now() from names`)
}
