import assert from 'node:assert/strict'
import { test } from 'node:test'
import sql, { raw } from 'sql-template-tag'
import type { Database } from '../../server/database/database.ts'
import type { DeliveryQueue } from '../../server/webhooks/queue.ts'
import { createFetch } from '../../server/webhooks/queue-fetch.ts'
import { createPgBossQueue } from '../../server/webhooks/queue-pgboss.ts'
import { type Engine, engines } from '../support/engines.ts'
import { type QueueUnderTest, queueSuite } from './queue-suite.ts'

for (const engine of engines) {
  queueSuite(`pg-boss on ${engine.name}`, () => openPgBoss(engine))

  // What an older PostgreSQL with a compiler would make of it cannot be seen on every server: that it may not, can.
  test(`on ${engine.name}, a fetch is never compiled`, async () => {
    await withFetchOf(engine, async ({ database, settings }) => {
      assert.deepEqual(await database.queryUnder(settings, sql`select current_setting('jit') as jit`), [{ jit: 'off' }])
    })
  })

  test(`on ${engine.name}, a fetch reads no more the more an organization has waiting, at its share or not · DLV-12`, async () => {
    await withFetchOf(engine, async ({ database, queue, settings, text }) => {
      let waiting = 0
      const wait = async (until: number) => {
        const more = Array.from({ length: until - waiting }, (_, index) => `dlv_${waiting + index}`)
        await queue.enqueueAll(more.map((id) => ({ deliveryId: id, deliveryKey: id, organizationId: 'org_a' })))
        waiting = until
      }
      // As a connection keeps it: without knowing how many are asked for, and from when there was nothing.
      const blocksRead = (places: number) =>
        database.transaction(async (transaction) => {
          await transaction.script(`${settings}; prepare look as ${text}`)
          const [row] = await transaction.query<Explained>(
            sql`explain (analyze, buffers, format json) execute look('', ${raw(String(places))}, 64)`,
          )
          await transaction.script('rollback; begin; deallocate look')
          const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = row?.['QUERY PLAN'][0].Plan ?? {}
          return Number(hit) + Number(read)
        })
      const both = async () => [await blocksRead(0), await blocksRead(1)] as const
      await wait(100)
      const few = await both()
      await wait(5_000)
      const many = await both()
      const told = `with 100 waiting ${few} blocks, with 5,000 ${many}`
      for (const [index, blocks] of few.entries()) assert.ok(blocks > 0 && Number(many[index]) <= blocks + 10, told)
      const { jobs, heldBack } = await createFetch(database, { queueName: 'deliveries', perOrganization: 0 })(64)
      assert.deepEqual([jobs, [...heldBack]], [[], ['org_a']])
    })
  })
}

// On the embedded engine nobody fetches beside another: it has one connection.
test('on PostgreSQL, what another process is just taking hides nothing else that waits', async () => {
  for (const engine of engines.filter(({ name }) => name === 'PostgreSQL')) {
    await withFetchOf(engine, async ({ database, queue }) => {
      const ids = Array.from({ length: 60 }, (_, index) => String(index).padStart(2, '0'))
      await queue.enqueueAll(ids.map((id) => ({ deliveryId: id, deliveryKey: id, organizationId: `org_${id}` })))
      const fetch = createFetch(database, { queueName: 'deliveries', perOrganization: 32 })
      const { jobs } = await database.transaction(async (other) => {
        await other.query(sql`select from pgboss.job where data ->> 'deliveryId' < '16' for update`)
        return fetch(16)
      })
      assert.deepEqual(jobs.map(({ deliveryId }) => deliveryId).sort(), ids.slice(16, 32))
    })
  }
})

type Explained = { 'QUERY PLAN': [{ Plan: Record<string, unknown> }] }

/** A queue, and the statement by which it fetches. */
async function withFetchOf(
  engine: Engine,
  work: (fetch: { database: Database; queue: DeliveryQueue; settings: string; text: string }) => Promise<void>,
): Promise<void> {
  const database = await engine.openEmpty()
  const fetched = Promise.withResolvers<{ settings: string; text: string }>()
  const watched: Database = {
    ...database,
    queryUnder(settings, statement) {
      fetched.resolve({ settings, text: statement.text })
      return database.queryUnder(settings, statement)
    },
  }
  const report = (_: string, error: unknown) => fetched.reject(error)
  const kind = engine.name === 'embedded' ? 'embedded' : 'postgres'
  const queue = createPgBossQueue({ database: watched, engine: kind, retryDelaySeconds: 0, report })
  try {
    await queue.start()
    const consumer = queue.consume({ capacity: 1, perOrganization: 1, report, handle: async () => 'done' })
    const fetch = await fetched.promise
    await consumer.stop()
    await work({ database, queue, ...fetch })
  } finally {
    await queue.stop()
    await database.close()
  }
}

async function openPgBoss(engine: Engine): Promise<QueueUnderTest> {
  const database = await engine.openEmpty()
  const opened: DeliveryQueue[] = []
  const open = async ({ retryDelaySeconds = 0 } = {}): Promise<DeliveryQueue> => {
    const queue = createPgBossQueue({
      database,
      engine: engine.name === 'embedded' ? 'embedded' : 'postgres',
      retryDelaySeconds,
      superviseSeconds: 1,
      report() {},
    })
    await queue.start()
    opened.push(queue)
    return queue
  }
  // Two processes may start on the same empty database.
  const [queue] = await Promise.all([open(), open()])
  return {
    queue,
    another: open,
    async vanish(deliveryId) {
      await database.execute(
        `update pgboss.job set started_on = started_on - interval '1 minute'
         where state = 'active' and data ->> 'deliveryId' = $1`,
        [deliveryId],
      )
    },
    async turnClockBack() {
      await database.script(`
        update pgboss.job set start_after = start_after + interval '2 hours', started_on = started_on + interval '2 hours';
        update pgboss.queue set monitor_on = now() + interval '2 hours', monitor_claim_on = now() + interval '2 hours'`)
    },
    async breakDown() {
      await database.script('alter schema pgboss rename to pgboss_away')
      return () => database.script('alter schema pgboss_away rename to pgboss')
    },
    async empty() {
      await database.script('delete from pgboss.job')
    },
    async close() {
      for (const one of opened) await one.stop()
      await database.close()
    },
  }
}
