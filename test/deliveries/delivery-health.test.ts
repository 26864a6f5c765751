import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Database } from '../../server/database/database.ts'
import { deliveryHealth } from '../../server/deliveries/delivery-health.ts'
import { retryDelivery } from '../../server/deliveries/delivery-history.ts'
import { createOrganization } from '../../server/organizations/organizations.ts'
import { engines } from '../../support/engines.ts'
import { storeDeliveries } from '../../support/stored-deliveries.ts'

const now = new Date('2026-03-02T12:10:00.000Z')
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)

for (const engine of engines) {
  describe(`the health of deliveries on ${engine.name}`, () => {
    let database: Database
    before(async () => {
      database = await engine.open()
    })
    after(() => database.close())

    test('is empty if nothing was ever delivered', async () => {
      const { id } = await createOrganization(database, 'New', now)
      const { buckets, ...health } = await deliveryHealth(database, id, now)
      assert.deepEqual(health, {
        since: '2026-03-01T12:30:00.000Z',
        until: '2026-03-02T12:30:00.000Z',
        delivered: 0,
        pending: 0,
        failed: 0,
        successRate: null,
        answerMilliseconds: null,
      })
      assert.equal(buckets.length, 48)
      assert.deepEqual(buckets.at(-1), { at: '2026-03-02T12:00:00.000Z', delivered: 0, pending: 0, failed: 0 })
    })

    test('counts delivered, pending and failed by half hour, with response times · DLV-13 SET-4', async () => {
      const { id } = await createOrganization(database, 'Acme', now)
      const email = 'ada@example.com'
      const [, , , failed] = await storeDeliveries(database, id, [
        { email, status: 'DELIVERED', createdAt: hoursAgo(25), milliseconds: 4_000 },
        { email, status: 'DELIVERED', createdAt: hoursAgo(10), milliseconds: 100 },
        { email, status: 'DELIVERED', createdAt: hoursAgo(10), milliseconds: 200 },
        { email, status: 'FAILED', error: 'HTTP_4XX', createdAt: hoursAgo(10), milliseconds: 300 },
        { email, status: 'PENDING', createdAt: hoursAgo(0) },
      ])
      assert.ok(failed)
      const tenHoursAgo = (counts: object) => ({ at: '2026-03-02T02:00:00.000Z', ...counts })
      // The second call reuses the finished half hours from the first.
      for (const call of ['first', 'second']) {
        const { buckets, ...health } = await deliveryHealth(database, id, now)
        const { delivered, pending, failed, successRate, answerMilliseconds } = health
        assert.deepEqual([delivered, pending, failed, successRate], [2, 1, 1, 2 / 3], call)
        assert.deepEqual(answerMilliseconds, { p50: 200, p95: 290 })
        const filled = buckets.filter((bucket) => bucket.delivered + bucket.pending + bucket.failed > 0)
        assert.deepEqual(filled, [
          tenHoursAgo({ delivered: 2, pending: 0, failed: 1 }),
          { at: '2026-03-02T12:00:00.000Z', delivered: 0, pending: 1, failed: 0 },
        ])
      }

      await retryDelivery(database, { id: failed.id, organizationId: id, by: 'admin' }, now)
      await storeDeliveries(database, id, [{ email, status: 'DELIVERED', createdAt: now }])
      const later = new Date(now.getTime() + 3_600_000)
      const { buckets, ...health } = await deliveryHealth(database, id, later)
      assert.deepEqual([health.delivered, health.pending, health.failed, health.successRate], [3, 2, 0, 1])
      assert.deepEqual(
        buckets.find(({ at }) => at === '2026-03-02T02:00:00.000Z'),
        tenHoursAgo({ delivered: 2, pending: 1, failed: 0 }),
      )
      const aDayLater = await deliveryHealth(database, id, new Date(now.getTime() + 25 * 3_600_000))
      assert.deepEqual([aDayLater.delivered, aDayLater.pending, aDayLater.failed], [0, 0, 0])
    })
  })
}
