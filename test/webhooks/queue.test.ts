import type { DeliveryQueue } from '../../server/webhooks/queue.ts'
import { createPgBossQueue } from '../../server/webhooks/queue-pgboss.ts'
import { type Engine, engines } from '../support/engines.ts'
import { type QueueUnderTest, queueSuite } from './queue-suite.ts'

for (const engine of engines) queueSuite(`pg-boss on ${engine.name}`, () => openPgBoss(engine))

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
