import assert from 'node:assert/strict'
import { test } from 'node:test'
import sql from 'sql-template-tag'
import type { Database } from '../../server/database/database.ts'
import type { DeliveryQueue } from '../../server/webhooks/queue.ts'
import { createPgBossQueue } from '../../server/webhooks/queue-pgboss.ts'
import { type Engine, engines } from '../support/engines.ts'
import { type QueueUnderTest, queueSuite } from './queue-suite.ts'

for (const engine of engines) {
  queueSuite(`pg-boss on ${engine.name}`, () => openPgBoss(engine))

  // What an older PostgreSQL with a compiler would make of it cannot be seen on every server: that it may not, can.
  test(`on ${engine.name}, a fetch is never compiled`, async () => {
    const database = await engine.openEmpty()
    const fetched = Promise.withResolvers<string>()
    const watched: Database = {
      ...database,
      queryUnder(settings, statement) {
        fetched.resolve(settings)
        return database.queryUnder(settings, statement)
      },
    }
    const report = (_: string, error: unknown) => fetched.reject(error)
    const kind = engine.name === 'embedded' ? 'embedded' : 'postgres'
    const queue = createPgBossQueue({ database: watched, engine: kind, retryDelaySeconds: 0, report })
    try {
      await queue.start()
      const consumer = queue.consume({ capacity: 1, perOrganization: 1, report, handle: async () => 'done' })
      const jit = sql`select current_setting('jit') as jit`
      assert.deepEqual(await database.queryUnder(await fetched.promise, jit), [{ jit: 'off' }])
      await consumer.stop()
    } finally {
      await queue.stop()
      await database.close()
    }
  })
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
