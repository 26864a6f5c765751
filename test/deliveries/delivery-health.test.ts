import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Database } from '../../server/database/database.ts'
import { deliveryHealth } from '../../server/deliveries/delivery-health.ts'
import { retryDelivery } from '../../server/deliveries/delivery-history.ts'
import { updateEndpointHealth } from '../../server/endpoints/endpoint-health.ts'
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

    const lastDay = (at: Date) => {
      const to = new Date(Math.ceil(at.getTime() / 1_800_000) * 1_800_000)
      return { from: new Date(to.getTime() - 86_400_000), to }
    }
    const healthAt = (id: string, at: Date, range = lastDay(at)) => deliveryHealth(database, id, range, at)

    test('is empty if nothing was ever delivered', async () => {
      const { id } = await createOrganization(database, 'New', now)
      const { buckets, ...health } = await healthAt(id, now)
      assert.deepEqual(health, {
        since: '2026-03-01T12:30:00.000Z',
        until: '2026-03-02T12:30:00.000Z',
        delivered: 0,
        pending: 0,
        retrying: 0,
        failed: 0,
        successRate: null,
        answerMilliseconds: null,
        intervalMinutes: 30,
      })
      assert.equal(buckets.length, 48)
      assert.deepEqual(buckets.at(-1), { at: '2026-03-02T12:00:00.000Z', delivered: 0, failed: 0 })
    })

    test('counts deliveries by status and attempts by outcome, and Retry changes no attempt · DLV-13 SET-4', async () => {
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
      const attempts = [{ at: '2026-03-02T02:00:00.000Z', delivered: 2, failed: 1 }]
      // The second call reuses the finished half hours from the first, the third what the endpoint watch added up.
      for (const call of ['first', 'second', 'third']) {
        if (call === 'third') await updateEndpointHealth(database, new Date(now.getTime() + 60_000))
        const { buckets, ...health } = await healthAt(id, now)
        const { delivered, pending, failed, successRate, answerMilliseconds } = health
        assert.deepEqual([delivered, pending, failed, successRate], [2, 1, 1, 2 / 3], call)
        assert.deepEqual(answerMilliseconds, { p50: 200, p95: 290 })
        assert.deepEqual(buckets.filter(isFilled), attempts, call)
      }

      await retryDelivery(database, { id: failed.id, organizationId: id, by: 'admin' }, now)
      await storeDeliveries(database, id, [{ email, status: 'DELIVERED', createdAt: now }])
      const later = new Date(now.getTime() + 3_600_000)
      const { buckets, ...health } = await healthAt(id, later)
      assert.deepEqual([health.delivered, health.pending, health.retrying, health.failed], [3, 2, 1, 0])
      assert.equal(health.successRate, 2 / 3, 'what was tried stays as it was')
      assert.deepEqual(buckets.filter(isFilled), attempts)
      const aDayLater = await healthAt(id, new Date(now.getTime() + 25 * 3_600_000))
      assert.deepEqual([aDayLater.delivered, aDayLater.pending, aDayLater.failed], [0, 0, 0])
    })

    test('a week, a month and any range have some fifty intervals · SET-4', async () => {
      const { id } = await createOrganization(database, 'Longer', now)
      const email = 'ada@example.com'
      await storeDeliveries(database, id, [
        { email, status: 'DELIVERED', createdAt: hoursAgo(20 * 24), milliseconds: 100 },
        { email, status: 'DELIVERED', createdAt: hoursAgo(6 * 24), milliseconds: 100 },
        { email, status: 'FAILED', error: 'TIMEOUT', createdAt: hoursAgo(1), milliseconds: 100 },
      ])
      const midnight = new Date('2026-03-03T00:00:00.000Z')
      const daysAgo = (days: number) => new Date(midnight.getTime() - days * 86_400_000)
      for (const [days, interval, buckets, delivered] of [
        [1, 30, 48, 0],
        [7, 240, 42, 1],
        [30, 720, 60, 2],
      ] as const) {
        const health = await healthAt(id, now, { from: daysAgo(days), to: midnight })
        assert.deepEqual([health.intervalMinutes, health.buckets.length], [interval, buckets], `${days}`)
        assert.deepEqual([health.delivered, health.failed], [delivered, 1])
        assert.equal(health.successRate, delivered / (delivered + 1))
      }
      const range = await healthAt(id, now, { from: hoursAgo(7 * 24), to: hoursAgo(5 * 24) })
      assert.deepEqual([range.delivered, range.failed, range.successRate], [1, 0, 1])
    })

    test('a range is made of the whole intervals that cover it, and no others · SET-4', async () => {
      const { id } = await createOrganization(database, 'Exact', now)
      const at = (time: string) => new Date(`2026-03-02T${time}Z`)
      const times = ['09:59:59.999', '10:00:00.000', '10:20:00.000', '11:59:59.999', '12:00:00.000', '12:30:00.000']
      await storeDeliveries(
        database,
        id,
        times.map((time) => ({
          email: 'ada@example.com',
          status: 'DELIVERED',
          createdAt: at(time),
          milliseconds: 100,
        })),
      )
      for (const [from, to, since, until, delivered] of [
        ['10:00', '12:00', '10:00', '12:00', 3],
        ['10:20', '12:10', '10:00', '12:30', 4],
        ['10:00', '10:01', '10:00', '10:30', 2],
        ['09:59', '12:00', '09:30', '12:00', 4],
      ] as const) {
        const health = await healthAt(id, at('13:00'), { from: at(from), to: at(to) })
        assert.deepEqual([health.since, health.until], [at(since).toISOString(), at(until).toISOString()], from)
        assert.equal(health.delivered, delivered, from)
        assert.equal(health.buckets[0]?.at, health.since)
        const attempts = health.buckets.reduce((sum, bucket) => sum + bucket.delivered, 0)
        assert.equal(attempts, delivered, from)
      }
    })
  })
}

function isFilled({ delivered, failed }: { delivered: number; failed: number }): boolean {
  return delivered + failed > 0
}
