import assert from 'node:assert/strict'
import { test } from 'node:test'
import sql from 'sql-template-tag'
import type { Database } from '../../server/database/database.ts'
import { type Settlement, settle } from '../../server/deliveries/transitions.ts'
import { claimJobs, resetFutureTimes } from '../../server/queue/jobs.ts'
import { createPostgresQueue } from '../../server/queue/postgres-queue.ts'
import type { DeliveryQueue, Job } from '../../server/queue/queue.ts'
import { type Engine, engines } from '../../support/engines.ts'
import { breakQueue, elapse, readJobs, removeAllJobs } from '../../support/queue-hooks.ts'
import { type QueueUnderTest, queueSuite } from './queue-suite.ts'
import type { Disposition } from './queue-watch.ts'

for (const engine of engines) {
  queueSuite(engine.name, () => openQueue(engine))

  test(`on ${engine.name}, one organization’s backlog of 400,000 costs another nothing · DLV-12`, async () => {
    const database = await engine.open({ connections: 1 })
    try {
      // Plan and cache the statement while the table is almost empty, as in a process that has run for a while.
      await insertJobs(database, { organization: 'org_b', count: 3 })
      await database.script('analyze')
      const claim = (full: string[]) => {
        const slots = { free: 16, perOrganization: 32, freeByOrganization: new Map(full.map((id) => [id, 0])) }
        return claimJobs(database, { after: '', slots, leaseSeconds: 10 })
      }
      const blocks = async () => {
        const before = await blocksRead(database)
        const { jobs } = await claim(['org_a'])
        assert.deepEqual(new Set(jobs.map(({ organizationId }) => organizationId)), new Set(['org_b']))
        const read = (await blocksRead(database)) - before
        await removeAllJobs(database)
        return read
      }
      for (let count = 0; count < 8; count += 1) await claim([])
      await removeAllJobs(database)
      await insertJobs(database, { organization: 'org_b', count: 3 })
      const alone = await blocks()
      await insertJobs(database, { organization: 'org_a', count: 400_000 })
      await insertJobs(database, { organization: 'org_b', count: 3 })
      const beside = await blocks()
      assert.ok(beside <= alone + 100, `alone ${alone} blocks, beside the backlog ${beside}`)
    } finally {
      await database.close()
    }
  })
}

/** How many blocks of the queue's table and its indexes this session has read so far. */
async function blocksRead(database: Database): Promise<number> {
  await database.query(sql`select pg_stat_force_next_flush()`)
  const [row] = await database.query<{ blocks: number }>(sql`
    select heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read as blocks
    from pg_statio_user_tables where relname = 'delivery_jobs'`)
  return row?.blocks ?? 0
}

async function insertJobs(
  database: Database,
  { organization, count }: { organization: string; count: number },
): Promise<void> {
  await database.query(sql`
    insert into delivery_jobs (delivery_id, organization_id, round)
    select ${organization} || lpad(number::text, 9, '0'), ${organization}, 1 from generate_series(1, ${count}::int) number`)
}

async function openQueue(engine: Engine): Promise<QueueUnderTest> {
  const database = await engine.open()
  const opened: DeliveryQueue[] = []
  const another = async (options: { pollMilliseconds?: number } = {}) => {
    const queue = createPostgresQueue({ database, ...options })
    opened.push(queue)
    return queue
  }
  const queue = await another()
  await database.script(`
    insert into organizations (id, name, created_at) values ('org_suite', 'Suite', now());
    insert into templates (id, organization_id, title, description, whiteboard_enabled, created_at, updated_at)
    values ('tpl_suite', 'org_suite', 'Suite', 'Suite', false, now(), now());
    insert into candidates (id, organization_id, email_key) values ('cand_suite', 'org_suite', 'suite')`)
  return {
    queue,
    another,
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
    async close() {
      for (const one of opened) await one.stop()
      await database.close()
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
