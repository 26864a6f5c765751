import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { createBacklogReader } from '../../server/operations/metrics/backlog.ts'
import { pauseOrganization, setMaxPerSecond } from '../../server/queue/pauses.ts'
import { type Deliveries, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { elapse } from '../../support/queue-hooks.ts'

for (const engine of engines) {
  describe(`the backlog on ${engine.name}`, () => {
    let deliveries: Deliveries
    before(async () => {
      deliveries = await startDeliveries(engine)
    })
    after(() => deliveries?.close())

    test('pending deliveries are counted, and the age of the oldest counts from the start of its round', async () => {
      const { database } = deliveries.service
      assert.deepEqual(await createBacklogReader(deliveries.service.database)(), {
        pending: 0,
        oldestSeconds: 0,
        deadLetters: 0,
        failingEndpoints: 0,
        pausedEndpoints: 0,
        messages: 0,
      })

      const subscriber = await deliveries.subscriber()
      const { deliveryId } = await subscriber.complete()
      await subscriber.complete()
      await database.query(sql`
        update deliveries set created_at = now() - interval '1 week' where id = ${deliveryId}`)
      await elapse(database, 3_600)
      await pauseOrganization(database, subscriber.organizationId, 600)
      await setMaxPerSecond(database, 'another', 5)
      const read = createBacklogReader(database)
      const backlog = await read()
      assert.deepEqual([backlog?.pending, backlog?.pausedEndpoints], [2, 1])
      assert.ok(backlog && backlog.oldestSeconds >= 3600 && backlog.oldestSeconds < 3700)

      await subscriber.complete()
      assert.equal((await read())?.pending, 2, 'the value is cached')
    })

    test('a failed read is null, not zero', async () => {
      const repair = await deliveries.breakQueue()
      assert.equal(await createBacklogReader(deliveries.service.database)(), null)
      await repair()
    })
  })
}
