import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { DatabaseUnavailable } from '../../server/database/failures.ts'
import { sweep } from '../../server/deliveries/sweep.ts'
import { setEndpointEnabled } from '../../server/endpoints/endpoint.ts'
import type { Consumer } from '../../server/queue/queue.ts'
import { createPgBossQueue } from '../../server/queue/queue-pgboss.ts'
import { type Deliveries, image, startDeliveries } from '../support/deliveries.ts'
import { engines } from '../support/engines.ts'
import { padded } from '../support/jpeg.ts'
import { eventually } from '../support/process.ts'
import type { Respond } from '../support/receiver.ts'

for (const engine of engines) {
  describe(`the worker on ${engine.name}`, () => {
    let deliveries: Deliveries
    let worker: Consumer | null = null
    before(async () => {
      deliveries = await startDeliveries(engine)
    })
    after(() => deliveries?.close())
    afterEach(() => rest())
    const work = (instead?: Parameters<Deliveries['startWorker']>[0]) => {
      worker = deliveries.startWorker(instead)
    }
    const rest = async () => {
      await worker?.stop()
      worker = null
    }

    test('what fails four times is FAILED, and its job a dead letter; nothing is sent a fifth time · DLV-4 DLV-5 THU-4', async () => {
      const breaksOff: Respond = (_request, response) => void response.destroy()
      const cases = [
        { respond: () => ({ status: 503 }), error: 'HTTP_5XX', requests: 4 },
        { respond: () => ({ status: 302, headers: { location: '/elsewhere' } }), error: 'HTTP_3XX', requests: 4 },
        { respond: breaksOff, error: 'NETWORK', requests: 4 },
        { respond: () => ({}), image: null, error: 'THUMBNAIL_MISSING', requests: 0 },
        { respond: () => ({}), image: Buffer.from('no image'), error: 'THUMBNAIL_MALFORMED', requests: 0 },
      ]
      const begun = await Promise.all(
        cases.map(async ({ respond, image, ...expected }) => {
          const subscriber = await deliveries.subscriber()
          subscriber.answer(respond)
          const completed = await subscriber.complete(image === undefined ? {} : { image })
          return { ...completed, subscriber, expected }
        }),
      )
      work()
      for (const { deliveryId, subscriber, expected } of begun) {
        const failed = await deliveries.reaches(deliveryId, 'FAILED')
        const { error, requests } = expected
        const end = { failureReason: 'RECEIVES_EXHAUSTED', attempts: 4, lastError: error }
        assert.partialDeepStrictEqual(failed, end)
        assert.deepEqual(
          failed.history.map((past) => [past.number, past.error]),
          [1, 2, 3, 4].map((number) => [number, error]),
        )
        const letters = () => deliveries.service.queue.deadLetters({ deliveryIds: [deliveryId], limit: 10 })
        assert.ok(await eventually(async () => (await letters()).length === 1))
        assert.equal((await letters())[0]?.organizationId, subscriber.organizationId)
        assert.equal(subscriber.requests.length, requests)
      }
      await rest()
    })

    test('what fails at first and then succeeds is DELIVERED; a 4xx or a disabled webhook ends it at once · DLV-3 DLV-4 DLV-6', async () => {
      const { database, queue, time } = deliveries.service
      const [late, rejected, disabled] = [
        await deliveries.subscriber(),
        await deliveries.subscriber(),
        await deliveries.subscriber(),
      ]
      late.answer(() => ({ status: late.requests.length < 3 ? 500 : 200 }))
      rejected.answer({ status: 410 })
      const ids = [await late.complete(), await rejected.complete(), await disabled.complete()].map(
        (one) => one.deliveryId,
      )
      await setEndpointEnabled(database, disabled.organizationId, false, time.now)
      work()
      const [lateId = '', rejectedId = '', disabledId = ''] = ids
      assert.equal((await deliveries.reaches(lateId, 'DELIVERED')).attempts, 3)
      const failed = await deliveries.reaches(rejectedId, 'FAILED')
      assert.deepEqual([failed.failureReason, failed.attempts], ['RECEIVER_REJECTED', 1])
      const off = await deliveries.reaches(disabledId, 'FAILED')
      assert.deepEqual([off.failureReason, off.attempts], ['WEBHOOK_DISABLED', 0])
      await rest()
      assert.deepEqual(
        [late, rejected, disabled].map(({ requests }) => requests.length),
        [3, 1, 0],
      )
      assert.deepEqual(await queue.deadLetters({ deliveryIds: ids, limit: 10 }), [])
      for (const id of ids) assert.deepEqual(await deliveries.jobs(id), [])
    })

    test('a receiver that hangs times out and is asked again; it holds its own share of the places and no more · DLV-4 DLV-12', async () => {
      const share = 32
      const [hanging, quick] = [await deliveries.subscriber(), await deliveries.subscriber()]
      hanging.answer(() => (hanging.requests.length <= share ? new Promise(() => {}) : { status: 200 }))
      const slow: string[] = []
      for (let count = 0; count < share + 2; count += 1) slow.push((await hanging.complete()).deliveryId)
      work()
      assert.ok(await eventually(async () => hanging.requests.length >= share))
      for (let count = 0; count < 3; count += 1) {
        const { deliveryId } = await quick.complete()
        assert.equal((await deliveries.reaches(deliveryId, 'DELIVERED')).attempts, 1)
      }
      const unfinished = await Promise.all(slow.map((id) => deliveries.read(id)))
      assert.deepEqual(
        [hanging.requests.length, unfinished.filter(({ attempts }) => attempts > 0).length],
        [share, share],
      )

      const ended = await Promise.all(slow.map((id) => deliveries.reaches(id, 'DELIVERED')))
      const stories = ended.map(({ history }) => history.map(({ error }) => error ?? 'delivered').join()).sort()
      assert.deepEqual(stories, [...Array(share).fill('TIMEOUT,delivered'), 'delivered', 'delivered'].sort())
      for (const { timing, error } of ended.flatMap(({ history }) => history)) {
        if (error === 'TIMEOUT') assert.ok(timing.total !== null && timing.total >= 4_900, String(timing.total))
      }
      await rest()
    })

    test('organizations that share a receiver do not wait for those whose part of it hangs · DLV-12', async () => {
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      const shared = () => deliveries.subscriber({ host: 'shared' })
      const hanging = await Promise.all([shared(), shared(), shared()])
      const quick = await shared()
      const ids: string[] = []
      for (const subscriber of hanging) {
        subscriber.answer(async () => {
          await released
          return { status: 200 }
        })
        for (let count = 0; count < 32; count += 1) ids.push((await subscriber.complete()).deliveryId)
      }
      const { deliveryId } = await quick.complete()
      work()
      const { attempts, history } = await deliveries.reaches(deliveryId, 'DELIVERED')
      // Behind one that hangs it would have had to wait for that one's five seconds to be over.
      const total = history[0]?.timing.total ?? Number.NaN
      assert.ok(attempts === 1 && total < 4_000, `${attempts} attempts, ${total} ms`)
      release()
      for (const id of ids) await deliveries.reaches(id, 'DELIVERED')
      await rest()
    })

    test('few events with large images are under way at once, and neither small ones nor those of others wait for them · DLV-12', async () => {
      const mostOfOne = 2
      const [slow, slowToo, quick] = [
        await deliveries.subscriber(),
        await deliveries.subscriber(),
        await deliveries.subscriber(),
      ]
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      const large = padded(image, 70_000)
      const ids: string[] = []
      for (const subscriber of [slow, slowToo]) {
        subscriber.answer(async () => {
          await released
          return { status: 200 }
        })
        for (let count = 0; count < mostOfOne + 1; count += 1) {
          ids.push((await subscriber.complete({ image: large })).deliveryId)
        }
      }
      work()
      assert.ok(await eventually(async () => slow.requests.length + slowToo.requests.length >= 2 * mostOfOne))
      await deliveries.reaches((await quick.complete()).deliveryId, 'DELIVERED')
      assert.deepEqual([slow.requests.length, slowToo.requests.length], [mostOfOne, mostOfOne])
      release()
      for (const id of ids) assert.equal((await deliveries.reaches(id, 'DELIVERED')).attempts, 1)
      await rest()
    })

    test('an attempt that breaks off without a word comes again · DLV-11', async () => {
      const subscriber = await deliveries.subscriber()
      const { deliveryId } = await subscriber.complete()
      const { records } = deliveries.out
      let failures = 2
      work({
        records: {
          begin: async (id) => {
            failures -= 1
            if (failures === 1) throw new DatabaseUnavailable('gone before')
            return records.begin(id)
          },
          record: async (record) => {
            if (failures === 0) throw new DatabaseUnavailable('gone after')
            return records.record(record)
          },
        },
      })
      const { attempts, history } = await deliveries.reaches(deliveryId, 'DELIVERED')
      assert.deepEqual([attempts, history.map(({ finishedAt }) => finishedAt === null)], [2, [true, false]])
      assert.equal(subscriber.requests.length, 2)
      assert.ok(deliveries.logged().includes(`the job of delivery ${deliveryId} broke off`))
      await rest()
    })

    test('a worker that dies in the fourth receive: the job is a dead letter, and the sweep ends the record · DLV-5', async () => {
      const { database, time } = deliveries.service
      const watchful = createPgBossQueue({
        database,
        engine: engine.name === 'embedded' ? 'embedded' : 'postgres',
        retryDelaySeconds: 0,
        superviseSeconds: 1,
        report() {},
      })
      await watchful.start()
      const subscriber = await deliveries.subscriber()
      subscriber.answer({ status: 503 })
      const { deliveryId } = await subscriber.complete()
      const { records } = deliveries.out
      const revived = Promise.withResolvers<void>()
      work({
        queue: watchful,
        records: {
          ...records,
          async record(record) {
            if (record.verdict.status === 'FAILED') await revived.promise
            return records.record(record)
          },
        },
      })
      try {
        assert.ok(await eventually(async () => subscriber.requests.length === 4))
        await database.execute(
          `update pgboss.job set started_on = started_on - interval '1 minute' where data ->> 'deliveryId' = $1`,
          [deliveryId],
        )
        const letters = () => watchful.deadLetters({ deliveryIds: [deliveryId], limit: 10 })
        assert.ok(await eventually(async () => (await letters()).length === 1))
        assert.partialDeepStrictEqual(await deliveries.read(deliveryId), { status: 'PENDING', attempts: 4 })

        const later = new Date(time.now.getTime() + 60_000)
        assert.ok((await sweep({ database, queue: watchful }, later)).exhausted >= 1)
        const ended = { status: 'FAILED', failureReason: 'RECEIVES_EXHAUSTED', attempts: 4 }
        assert.partialDeepStrictEqual(await deliveries.read(deliveryId), ended)
      } finally {
        revived.resolve()
      }
      await rest()
      await watchful.stop()
      assert.equal(subscriber.requests.length, 4)
    })

    test('stopping finishes what is under way', async () => {
      const subscriber = await deliveries.subscriber()
      const answered = Promise.withResolvers<void>()
      subscriber.answer(async () => {
        await answered.promise
        return { status: 200 }
      })
      const { deliveryId } = await subscriber.complete()
      work()
      assert.ok(await eventually(async () => subscriber.requests.length === 1))
      const stopping = rest()
      answered.resolve()
      await stopping
      assert.equal((await deliveries.read(deliveryId)).status, 'DELIVERED')
      assert.deepEqual(await deliveries.jobs(deliveryId), [])
    })
  })
}
