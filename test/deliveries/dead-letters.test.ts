import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { redrive } from '../../server/deliveries/dead-letters.ts'
import { retryDelivery } from '../../server/deliveries/delivery-history.ts'
import { sweep } from '../../server/deliveries/sweep.ts'
import { listActivity } from '../../server/organizations/activity.ts'
import type { DeliveryQueue } from '../../server/queue/queue.ts'
import { type Deliveries, type Subscriber, startDeliveries } from '../support/deliveries.ts'
import { engines } from '../support/engines.ts'
import { eventually } from '../support/process.ts'

const actor = 'ops@example.com'

for (const engine of engines) {
  describe(`a dead letter on ${engine.name}`, () => {
    let deliveries: Deliveries
    before(async () => {
      deliveries = await startDeliveries(engine)
    })
    after(() => deliveries?.close())

    const lettersOf = (deliveryId: string) =>
      deliveries.service.queue.deadLetters({ deliveryIds: [deliveryId], limit: 10 })
    const redriveNow = async (id: string, queue: DeliveryQueue = deliveries.service.queue) => {
      const redriven = await redrive(
        { database: deliveries.service.database, queue },
        { ids: [id], actor },
        deliveries.service.time.now,
      )
      return redriven.map(({ letter, outcome }) => ({ outcome, deliveryId: letter.deliveryId }))
    }

    test('that is redriven is in the activity of its organization, with those redriven with it', async () => {
      const { database, queue, time } = deliveries.service
      const [one, other] = [await deliveries.subscriber(), await deliveries.subscriber()]
      const letters = [await dead(one), await dead(one), await dead(other)]
      const ids = letters.map(({ letterId }) => letterId)
      await redrive({ database, queue }, { ids, actor }, time.now)

      const activityOf = async ({ organizationId }: Subscriber) => {
        const page = await listActivity(database, organizationId, { limit: 1 })
        assert.ok(page !== 'invalid_cursor')
        return page.data.map(({ id: _, at: __, ...told }) => told)
      }
      const told = { actor, detail: 'from the dead letters' }
      assert.deepEqual(await activityOf(one), [{ ...told, action: 'deliveries.retried', subject: '2 deliveries' }])
      assert.deepEqual(await activityOf(other), [
        { ...told, action: 'delivery.retried', subject: letters[2]?.deliveryId },
      ])
    })

    test('is redriven at once with the same keys, and its delivery arrives · DLV-5', async () => {
      const subscriber = await deliveries.subscriber()
      const { deliveryId, resultId, letterId } = await dead(subscriber)
      assert.deepEqual(await redriveNow(letterId), [{ outcome: 'redriven', deliveryId }])
      assert.partialDeepStrictEqual(await deliveries.read(deliveryId), {
        status: 'PENDING',
        failureReason: null,
        attempts: 0,
        deliveryKey: `result.completed:${resultId}`,
      })
      assert.deepEqual(await lettersOf(deliveryId), [])
      const [, job] = await deliveries.jobs(deliveryId)
      assert.deepEqual([job?.key, job?.state], [`result.completed:${resultId}`, 'created'])

      subscriber.answer({ status: 200 })
      const worker = deliveries.startWorker()
      assert.equal((await deliveries.reaches(deliveryId, 'DELIVERED')).attempts, 1)
      await worker.stop()
      assert.equal(subscriber.requests.length, 5)
    })

    test('can be redriven once; what is none is not found', async () => {
      const { letterId } = await dead(await deliveries.subscriber())
      assert.equal((await redriveNow(letterId))[0]?.outcome, 'redriven')
      for (const id of [letterId, '', 'x', "' or true --", '00000000-0000-7000-8000-000000000000']) {
        assert.deepEqual(await redriveNow(id), [])
      }
    })

    test('of a delivery that has arrived meanwhile is only removed · DLV-2', async () => {
      const { database, time } = deliveries.service
      const subscriber = await deliveries.subscriber()
      const { deliveryId, letterId } = await dead(subscriber)
      await retryDelivery(database, deliveryId, time.now)
      subscriber.answer({ status: 200 })
      await deliveries.attempt(deliveryId)
      assert.deepEqual(await redriveNow(letterId), [{ outcome: 'delivered', deliveryId }])
      assert.equal((await deliveries.read(deliveryId)).status, 'DELIVERED')
      assert.deepEqual(await lettersOf(deliveryId), [])
      assert.deepEqual(
        (await deliveries.jobs(deliveryId)).filter(({ state }) => state === 'created'),
        [],
      )
    })

    test('of a delivery that has a job again makes no second one · DLV-8', async () => {
      const { database, queue, time } = deliveries.service
      const { deliveryId, letterId } = await dead(await deliveries.subscriber())
      await retryDelivery(database, deliveryId, time.now)
      await sweep({ database, queue }, new Date(time.now.getTime() + 60_000))
      assert.equal((await redriveNow(letterId))[0]?.outcome, 'redriven')
      const open = (await deliveries.jobs(deliveryId)).filter(({ state }) => state === 'created')
      assert.equal(open.length, 1)
    })

    test('is not lost when its job cannot be put back: the sweep does it · DLV-7', async () => {
      const { database, queue, time } = deliveries.service
      const { deliveryId, letterId } = await dead(await deliveries.subscriber())
      const broken = { ...queue, enqueueAll: () => Promise.reject(new Error('the queue is away')) }
      await assert.rejects(redriveNow(letterId, broken))
      assert.equal((await deliveries.read(deliveryId)).status, 'PENDING')
      const later = new Date(time.now.getTime() + 60_000)
      assert.ok((await sweep({ database, queue }, later)).enqueued >= 1)
      const open = (await deliveries.jobs(deliveryId)).filter(({ state }) => state === 'created')
      assert.equal(open.length, 1)
    })

    async function dead(subscriber: Subscriber) {
      subscriber.answer({ status: 500 })
      const completed = await subscriber.complete()
      const worker = deliveries.startWorker()
      assert.ok(await eventually(async () => (await lettersOf(completed.deliveryId)).length === 1))
      await worker.stop()
      assert.equal((await deliveries.read(completed.deliveryId)).failureReason, 'RECEIVES_EXHAUSTED')
      const [letter] = await lettersOf(completed.deliveryId)
      return { ...completed, letterId: letter?.id ?? '' }
    }
  })
}
