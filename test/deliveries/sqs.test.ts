import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { listDeadLetters, redrive } from '../../server/deliveries/dead-letters.ts'
import { retryDelivery } from '../../server/deliveries/delivery-history.ts'
import { endPause, pauseOrganization } from '../../server/queue/pauses.ts'
import { createSqsClient } from '../../server/queue/sqs-client.ts'
import { claimReceived } from '../../server/queue/sqs-jobs.ts'
import { createSqsQueue } from '../../server/queue/sqs-queue.ts'
import { type Deliveries, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { eventually } from '../../support/process.ts'
import { elapse } from '../../support/queue-hooks.ts'
import { type SqsServer, startSqs } from '../../support/sqs.ts'

for (const engine of engines) {
  describe(`a delivery through SQS with ${engine.name}`, () => {
    let sqs: SqsServer
    let deliveries: Deliveries
    before(async () => {
      sqs = await startSqs()
      const report = () => {}
      deliveries = await startDeliveries(engine, {
        openQueue: (database) =>
          createSqsQueue({ database, report, sqs: createSqsClient({ name: 'deliveries', report }) }),
      })
      deliveries.startWorker()
    })
    after(async () => {
      await deliveries?.close()
      await sqs?.close()
    })

    const isEmpty = () =>
      eventually(async () => {
        const { waiting, received } = sqs.count('deliveries.fifo')
        return waiting + received === 0
      })

    test('arrives once, and leaves neither a job nor a message behind · DLV-1 DLV-2', async () => {
      const subscriber = await deliveries.subscriber()
      const { deliveryId } = await subscriber.complete()
      const { attempts } = await deliveries.waitForStatus(deliveryId, 'DELIVERED')
      assert.equal(attempts, 1)
      assert.ok(await isEmpty())
      assert.deepEqual([subscriber.requests.length, await deliveries.job(deliveryId)], [1, null])
    })

    test('is received four times, becomes a dead letter, and arrives when it is redriven · DLV-4 DLV-5', async () => {
      const { database, queue, time } = deliveries.service
      const subscriber = await deliveries.subscriber()
      subscriber.answer({ status: 500 })
      const { deliveryId } = await subscriber.complete()
      const failed = await deliveries.waitForStatus(deliveryId, 'FAILED')
      assert.deepEqual([failed.attempts, failed.failureReason], [4, 'RECEIVES_EXHAUSTED'])
      assert.ok(await isEmpty())
      const { organizationId } = subscriber
      const [letter] = (await listDeadLetters(database, { organizationId }, { limit: 10 })).data
      assert.ok(letter)
      subscriber.answer({ status: 200 })
      await redrive({ database, wake: queue.wake }, { ids: [letter.id], actor: 'operator' }, time.now)
      const delivered = await deliveries.waitForStatus(deliveryId, 'DELIVERED')
      assert.deepEqual([delivered.attempts, delivered.history.length, subscriber.requests.length], [1, 5, 5])
    })

    test('waits out the pause of its receiver, at no cost to its receives or to others · DLV-19', async () => {
      const { database } = deliveries.service
      const [paused, other] = [await deliveries.subscriber(), await deliveries.subscriber()]
      await pauseOrganization(database, paused.organizationId, 600)
      const { deliveryId } = await paused.complete()
      await deliveries.waitForStatus((await other.complete()).deliveryId, 'DELIVERED')
      // As if its message had been in SQS when the pause began.
      const received = { deliveryId, round: 1, dead: false, organizationId: paused.organizationId }
      const [verdict] = await claimReceived(database, [{ ...received, receipt: '', dueAt: 0 }], 30)
      assert.deepEqual(verdict, { verdict: 'wait', seconds: 30 })
      assert.equal(paused.requests.length, 0)
      await endPause(database, paused.organizationId)
      await elapse(database, 60)
      const { attempts } = await deliveries.waitForStatus(deliveryId, 'DELIVERED')
      assert.deepEqual([attempts, paused.requests.length], [1, 1])
    })

    test('that the receiver rejected is sent again a minute after Retry, with the same keys · DLV-3 DLV-9', async () => {
      const { database, time } = deliveries.service
      const subscriber = await deliveries.subscriber()
      subscriber.answer({ status: 410 })
      const { deliveryId } = await subscriber.complete()
      await deliveries.waitForStatus(deliveryId, 'FAILED')
      subscriber.answer({ status: 200 })
      await retryDelivery(database, { id: deliveryId, organizationId: subscriber.organizationId, by: 'ada' }, time.now)
      assert.ok(((await deliveries.job(deliveryId))?.dueInSeconds ?? 0) > 0)
      await elapse(database, 60)
      await deliveries.waitForStatus(deliveryId, 'DELIVERED')
      const ids = new Set(subscriber.requests.map(({ headers }) => headers['x-service-event-id']))
      assert.deepEqual([subscriber.requests.length, ids.size], [2, 1])
    })
  })
}
