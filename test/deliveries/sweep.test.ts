import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { sweep } from '../../server/deliveries/sweep.ts'
import { removeJobs } from '../../server/queue/jobs.ts'
import { type Deliveries, type Subscriber, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { insertWaiting } from './waiting-deliveries.ts'

for (const engine of engines) {
  describe(`the sweep on ${engine.name}`, () => {
    let deliveries: Deliveries
    before(async () => {
      deliveries = await startDeliveries(engine)
    })
    after(() => deliveries?.close())

    const sweepNow = () => {
      const { database, queue } = deliveries.service
      return sweep({ database, queue, retryDelaySeconds: 0 })
    }
    /** Sets when the record was last updated. Negative: ahead of the database's clock. */
    const setUpdated = (deliveryId: string, secondsAgo: number) =>
      deliveries.service.database.query(sql`
        update deliveries set updated_at = now() - ${secondsAgo}::float8 * interval '1 second' where id = ${deliveryId}`)

    test('a PENDING record without a job gets one after a minute, with the same keys, and never a second · DLV-8', async () => {
      const subscriber = await deliveries.subscriber()
      const { deliveryId, resultId } = await withoutJob(subscriber)
      await setUpdated(deliveryId, 30)
      await sweepNow()
      assert.equal(await deliveries.job(deliveryId), null)
      await setUpdated(deliveryId, 61)
      assert.deepEqual(await sweepNow(), { enqueued: 1 })
      const { organizationId } = subscriber
      const expected = { deliveryId, organizationId, round: 1, receives: 0, leased: false }
      assert.partialDeepStrictEqual(await deliveries.job(deliveryId), expected)
      await setUpdated(deliveryId, 3_600)
      assert.deepEqual(await sweepNow(), { enqueued: 0 })
      const untouched = { status: 'PENDING', attempts: 0, deliveryKey: `result.completed:${resultId}` }
      assert.partialDeepStrictEqual(await deliveries.read(deliveryId), untouched)
    })

    test("a record updated while the database's clock was hours ahead gets its job now, not hours later · DLV-8", async () => {
      const { deliveryId } = await withoutJob(await deliveries.subscriber())
      await setUpdated(deliveryId, -30)
      await sweepNow()
      assert.equal(await deliveries.job(deliveryId), null)
      await setUpdated(deliveryId, -7_200)
      assert.deepEqual(await sweepNow(), { enqueued: 1 })
      assert.ok(await deliveries.job(deliveryId))
    })

    test('concurrent sweeps add one job · DLV-8', async () => {
      const { deliveryId } = await withoutJob(await deliveries.subscriber())
      await setUpdated(deliveryId, 61)
      await Promise.all([sweepNow(), sweepNow(), sweepNow()])
      assert.partialDeepStrictEqual(await deliveries.job(deliveryId), { round: 1, receives: 0, leased: false })
    })

    test('records with a waiting job and finished records are left alone · DLV-8', async () => {
      const [waiting, delivered, rejected] = [
        await deliveries.subscriber(),
        await deliveries.subscriber(),
        await deliveries.subscriber(),
      ]
      waiting.answer({ status: 503 })
      rejected.answer({ status: 400 })
      const jobs: (number | undefined)[] = []
      for (const subscriber of [waiting, delivered, rejected]) {
        const { deliveryId } = await subscriber.complete()
        await deliveries.attempt(deliveryId)
        await setUpdated(deliveryId, 3_600)
        assert.deepEqual(await sweepNow(), { enqueued: 0 })
        jobs.push((await deliveries.job(deliveryId))?.receives)
      }
      assert.deepEqual(jobs, [1, undefined, undefined])
    })

    test('a record whose enqueue failed gets its job with the same keys, and the event arrives · DLV-7', async () => {
      const subscriber = await deliveries.subscriber()
      const restore = await deliveries.breakQueue()
      const { deliveryId, resultId } = await subscriber.complete()
      await restore()
      const failed = { status: 'FAILED', failureReason: 'ENQUEUE_FAILED', attempts: 0 }
      assert.partialDeepStrictEqual(await deliveries.read(deliveryId), failed)

      assert.deepEqual(await sweepNow(), { enqueued: 1 })
      assert.deepEqual(await sweepNow(), { enqueued: 0 })
      assert.partialDeepStrictEqual(await deliveries.job(deliveryId), { round: 1, receives: 0, leased: false })
      assert.partialDeepStrictEqual(await deliveries.read(deliveryId), failed)

      const worker = deliveries.startWorker()
      const delivered = await deliveries.waitForStatus(deliveryId, 'DELIVERED')
      await worker.stop()
      assert.deepEqual([delivered.attempts, delivered.failureReason], [1, null])
      assert.equal(subscriber.requests[0]?.headers['x-service-idempotency-key'], resultId)
      assert.equal(subscriber.requests.length, 1)
    })

    test('a record whose enqueue failed fails like any other once it has been attempted · DLV-5 DLV-7', async () => {
      const subscriber = await deliveries.subscriber()
      subscriber.answer({ status: 503 })
      const restore = await deliveries.breakQueue()
      const { deliveryId } = await subscriber.complete()
      await restore()
      await sweepNow()
      await deliveries.attempt(deliveryId)
      const waiting = { status: 'PENDING', failureReason: null, attempts: 1 }
      assert.partialDeepStrictEqual(await deliveries.read(deliveryId), waiting)
      for (const _ of [2, 3, 4]) await deliveries.attempt(deliveryId)
      const failed = { status: 'FAILED', failureReason: 'RECEIVES_EXHAUSTED', attempts: 4 }
      assert.partialDeepStrictEqual(await deliveries.read(deliveryId), failed)
      assert.deepEqual(await sweepNow(), { enqueued: 0 })
    })

    test('1,200 waiting records are all found, page by page · DLV-8', async () => {
      const { database } = deliveries.service
      const { organizationId } = await deliveries.subscriber()
      await insertWaiting(database, organizationId, 1_200, new Date('2026-03-01T12:00:00.000Z'))
      assert.deepEqual(await sweepNow(), { enqueued: 1_200 })
      assert.deepEqual(await sweepNow(), { enqueued: 0 })
      const waiting = await database.query<{ id: string }>(sql`
        delete from deliveries where organization_id = ${organizationId} returning id`)
      await removeJobs(
        database,
        waiting.map(({ id }) => id),
      )
    })

    /** As if an external queue had missed the enqueue. */
    async function withoutJob(subscriber: Subscriber): Promise<{ deliveryId: string; resultId: string }> {
      const completed = await subscriber.complete()
      await removeJobs(deliveries.service.database, [completed.deliveryId])
      return completed
    }
  })
}
