import assert from 'node:assert/strict'
import { test } from 'node:test'
import sql from 'sql-template-tag'
import type { Database } from '../../server/database/database.ts'
import { claimJobs, removeJobs, renewLeases } from '../../server/queue/jobs.ts'
import { createPostgresQueue } from '../../server/queue/postgres-queue.ts'
import type { DeliveryQueue } from '../../server/queue/queue.ts'
import { type Engine, engines } from '../../support/engines.ts'
import { elapse, readJobs, removeAllJobs } from '../../support/queue-hooks.ts'
import { paceSuite } from './pace-suite.ts'
import { openQueueRecords, type QueueRecords } from './queue-records.ts'
import { type QueueUnderTest, queueSuite } from './queue-suite.ts'

for (const engine of engines) {
  queueSuite(engine.name, () => openQueue(engine))
  paceSuite(engine.name, () => openQueue(engine))

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

test('on PostgreSQL, renewing leases does not wait for a job that is being settled', async () => {
  const [engine] = engines.filter(({ name }) => name === 'PostgreSQL')
  if (!engine) return
  const database = await engine.open()
  try {
    await insertJobs(database, { organization: 'org_a', count: 2 })
    const slots = { free: 2, perOrganization: 32, freeByOrganization: new Map() }
    const { jobs } = await claimJobs(database, { after: '', slots, leaseSeconds: 10 })
    const [settled, held] = jobs
    await database.transaction(async (transaction) => {
      await removeJobs(transaction, [settled?.deliveryId ?? ''])
      await renewLeases(database, jobs, 3_600)
    })
    await elapse(database, 60)
    assert.deepEqual(
      (await readJobs(database)).map(({ deliveryId, leased }) => ({ deliveryId, leased })),
      [{ deliveryId: held?.deliveryId, leased: true }],
    )
    const again = await claimJobs(database, { after: '', slots, leaseSeconds: 10 })
    assert.deepEqual(again.jobs, [], 'the lease of the other job is renewed')
  } finally {
    await database.close()
  }
})

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

async function openQueue(engine: Engine): Promise<QueueUnderTest & QueueRecords> {
  const records = await openQueueRecords(engine)
  const { database } = records
  const opened: DeliveryQueue[] = []
  const another = async (options: { pollMilliseconds?: number } = {}) => {
    const queue = createPostgresQueue({ database, ...options })
    opened.push(queue)
    return queue
  }
  return {
    ...records,
    queue: await another(),
    another,
    reports: [],
    async close() {
      for (const one of opened) await one.stop()
      await database.close()
    },
  }
}
