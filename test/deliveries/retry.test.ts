import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Statement } from '../../server/database/database.ts'
import { DatabaseUnavailable } from '../../server/database/failures.ts'
import { listDeadLetters, redrive } from '../../server/deliveries/dead-letters.ts'
import { retryDelivery } from '../../server/deliveries/delivery-history.ts'
import { sweep } from '../../server/deliveries/sweep.ts'
import { type Deliveries, type Subscriber, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { eventually } from '../../support/process.ts'
import { elapse } from '../../support/queue-hooks.ts'

for (const engine of engines) {
  describe(`Retry on ${engine.name}`, () => {
    let deliveries: Deliveries
    before(async () => {
      deliveries = await startDeliveries(engine)
    })
    after(() => deliveries?.close())
    afterEach(() => deliveries.stopWorkers())
    const retry = (id: string, by = 'admin') =>
      retryDelivery(deliveries.service.database, { id, organizationId: null, by }, deliveries.service.time.now)
    const minutePasses = () => elapse(deliveries.service.database, 60)
    const sweepNow = () => {
      const { database, queue } = deliveries.service
      return sweep({ database, queue, retryDelaySeconds: 0 })
    }

    test('works only from FAILED, sends a minute later, and works again after another failure · DLV-9', async () => {
      const subscriber = await deliveries.subscriber()
      subscriber.answer({ status: 503 })
      const { deliveryId, resultId } = await subscriber.complete()
      assert.equal(await retry(deliveryId), 'not_failed')
      deliveries.startWorker()
      for (const round of [1, 2, 3]) {
        const failed = await deliveries.waitForStatus(deliveryId, 'FAILED')
        assert.deepEqual([failed.failureReason, failed.attempts], ['RECEIVES_EXHAUSTED', 4])
        assert.equal((await lettersOf(subscriber)).length, round)
        if (round === 3) subscriber.answer({ status: 200 })
        const retried = await retry(deliveryId)
        const reset = { status: 'PENDING', failureReason: null, attempts: 0, idempotencyKey: resultId }
        assert.partialDeepStrictEqual(retried, { ...reset, deliveryKey: `result.completed:${resultId}` })
        assert.equal(await retry(deliveryId), 'not_failed')
        const { dueInSeconds = 0 } = (await deliveries.job(deliveryId)) ?? {}
        assert.ok(dueInSeconds > 30 && dueInSeconds <= 60, `due in ${dueInSeconds} seconds`)
        assert.deepEqual(await sweepNow(), { enqueued: 0 })
        assert.equal(subscriber.requests.length, 4 * round)
        await minutePasses()
      }
      const delivered = await deliveries.waitForStatus(deliveryId, 'DELIVERED')
      assert.deepEqual([delivered.attempts, delivered.history.length], [1, 13])
      assert.equal(await retry(deliveryId), 'not_failed')
      const ids = new Set(subscriber.requests.map(({ headers }) => headers['x-service-event-id']))
      assert.deepEqual([...ids], [`external_result_completed_${resultId}`])
    })

    test('clicked many times at once starts one round · DLV-9 DLV-17', async () => {
      const { database, time } = deliveries.service
      const { deliveryId: id } = await rejected(await deliveries.subscriber())
      const press = () =>
        database.transaction((transaction) =>
          retryDelivery(transaction, { id, organizationId: null, by: 'admin' }, time.now),
        )
      const answers = await Promise.all(Array.from({ length: 8 }, press))
      assert.equal(answers.filter((answer) => answer === 'not_failed').length, 7)
      assert.partialDeepStrictEqual(await deliveries.job(id), { round: 2, receives: 0 })
    })

    test('affects only the organization’s own deliveries · DLV-9', async () => {
      const { database, time } = deliveries.service
      const { deliveryId: id } = await rejected(await deliveries.subscriber())
      const { organizationId } = await deliveries.subscriber()
      assert.equal(await retryDelivery(database, { id, organizationId, by: 'admin' }, time.now), 'not_found')
      assert.equal((await deliveries.read(id)).status, 'FAILED')
    })

    test('numbers attempts across rounds and records who started each, while the record counts within its round · DLV-9 DLV-13', async () => {
      const { database, queue, time } = deliveries.service
      const subscriber = await deliveries.subscriber()
      subscriber.answer({ status: 500 })
      const { deliveryId } = await subscriber.complete()
      for (const _ of [1, 2, 3, 4]) await deliveries.attempt(deliveryId)
      const [letter] = await lettersOf(subscriber)
      await redrive({ database, wake: queue.wake }, { ids: [letter?.id ?? ''], actor: 'operator' }, time.now)
      await deliveries.attempt(deliveryId)
      subscriber.answer({ status: 404 })
      await deliveries.attempt(deliveryId)
      await retry(deliveryId, 'ada@example.com')
      assert.equal((await deliveries.read(deliveryId)).attempts, 0)
      subscriber.answer({ status: 200 })
      await deliveries.attempt(deliveryId)

      const { attempts, history } = await deliveries.read(deliveryId)
      assert.equal(attempts, 1)
      assert.deepEqual(
        history.map(({ number, round, roundBegunBy, status }) => [number, round, roundBegunBy, status]),
        [
          [1, 1, null, 500],
          [2, 1, null, 500],
          [3, 1, null, 500],
          [4, 1, null, 500],
          [5, 2, 'operator', 500],
          [6, 2, 'operator', 404],
          [7, 3, 'ada@example.com', 200],
        ],
      )
    })

    for (const [name, comesBack] of [
      ['dies at that moment', false],
      ['does not see its commit and records the failure again', true],
    ] as const) {
      test(`right after the fourth failure leads to a request even if the worker ${name} · DLV-17`, async () => {
        const { database } = deliveries.service
        const subscriber = await deliveries.subscriber()
        subscriber.answer({ status: 503 })
        const { deliveryId } = await subscriber.complete()
        const recorded = Promise.withResolvers<void>()
        const retried = Promise.withResolvers<void>()
        let records = 0
        deliveries.startWorker({
          database: {
            ...database,
            async query<Row>(statement: Statement) {
              const rows = await database.query<Row>(statement)
              if (!statement.text.includes('with settled as')) return rows
              records += 1
              if (records !== 4) return rows
              recorded.resolve()
              await retried.promise
              throw comesBack ? new DatabaseUnavailable('the response was lost') : new Error('killed')
            },
          },
        })
        await recorded.promise
        assert.partialDeepStrictEqual(await retry(deliveryId), { status: 'PENDING', attempts: 0 })
        subscriber.answer({ status: 200 })
        retried.resolve()
        if (comesBack) assert.ok(await eventually(async () => records === 5))
        await deliveries.stopWorkers()
        await sweepNow()
        assert.partialDeepStrictEqual(await deliveries.read(deliveryId), { status: 'PENDING', attempts: 0 })
        assert.equal(subscriber.requests.length, 4)

        await minutePasses()
        deliveries.startWorker()
        const delivered = await deliveries.waitForStatus(deliveryId, 'DELIVERED')
        assert.deepEqual([delivered.attempts, subscriber.requests.length], [1, 5])
        assert.deepEqual(
          delivered.history.map(({ number, round }) => [number, round]),
          [1, 2, 3, 4, 5].map((number) => [number, number < 5 ? 1 : 2]),
        )
      })
    }

    for (const hours of [2, -2]) {
      test(`and deliveries are not affected when the server's clock jumps ${hours} hours · DLV-5 DLV-8 DLV-9`, async () => {
        const { time } = deliveries.service
        const start = time.now
        const jump = (times: number) => {
          time.now = new Date(start.getTime() + times * hours * 3_600_000)
        }
        const subscriber = await deliveries.subscriber()
        subscriber.answer(() => {
          jump(subscriber.requests.length % 2)
          return { status: 503 }
        })
        const { deliveryId, resultId } = await subscriber.complete()
        try {
          deliveries.startWorker()
          const failed = await deliveries.waitForStatus(deliveryId, 'FAILED')
          assert.deepEqual([failed.failureReason, failed.attempts], ['RECEIVES_EXHAUSTED', 4])
          jump(1)
          await retry(deliveryId)
          for (const times of [0, 1, 0]) {
            jump(times)
            assert.deepEqual(await sweepNow(), { enqueued: 0 })
          }
          const { dueInSeconds = 0 } = (await deliveries.job(deliveryId)) ?? {}
          assert.ok(dueInSeconds > 30 && dueInSeconds <= 60, `due in ${dueInSeconds} seconds`)
          assert.equal(subscriber.requests.length, 4)
          subscriber.answer({ status: 200 })
          await minutePasses()
          const { history } = await deliveries.waitForStatus(deliveryId, 'DELIVERED')
          assert.deepEqual([history.length, subscriber.requests.length], [5, 5])
          const [first] = subscriber.requests
          for (const { headers, body } of subscriber.requests) {
            assert.deepEqual([headers['x-service-idempotency-key'], body], [resultId, first?.body])
          }
        } finally {
          time.now = start
        }
      })
    }

    async function rejected(subscriber: Subscriber): Promise<{ deliveryId: string }> {
      subscriber.answer({ status: 410 })
      const { deliveryId } = await subscriber.complete()
      await deliveries.attempt(deliveryId)
      return { deliveryId }
    }

    const lettersOf = async ({ organizationId }: Subscriber) =>
      (await listDeadLetters(deliveries.service.database, { organizationId }, { limit: 10 })).data
  })
}
