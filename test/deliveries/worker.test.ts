import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { listDeadLetters } from '../../server/deliveries/dead-letters.ts'
import { setEndpointEnabled } from '../../server/endpoints/endpoint.ts'
import { createPoster } from '../../server/outbound/post.ts'
import { type Deliveries, image, type Subscriber, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { padded } from '../../support/jpeg.ts'
import { eventually } from '../../support/process.ts'
import type { Responder } from '../../support/receiver.ts'

// Long enough that a hanging receiver never times out by accident on a busy machine.
const whileOthersHang = { deadlineMilliseconds: 10 * 60_000 }

for (const engine of engines) {
  describe(`the worker on ${engine.name}`, () => {
    let deliveries: Deliveries
    before(async () => {
      deliveries = await startDeliveries(engine)
    })
    after(() => deliveries?.close())
    afterEach(() => deliveries.stopWorkers())
    const lettersOf = async ({ organizationId }: Subscriber) =>
      (await listDeadLetters(deliveries.service.database, { organizationId }, { limit: 10 })).data

    test('a delivery that fails four times is FAILED with a dead letter, and is not sent a fifth time · DLV-4 DLV-5 THU-4', async () => {
      const breaksOff: Responder = (_request, response) => void response.destroy()
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
      deliveries.startWorker()
      for (const { deliveryId, subscriber, expected } of begun) {
        const failed = await deliveries.waitForStatus(deliveryId, 'FAILED')
        const { error, requests } = expected
        const end = { failureReason: 'RECEIVES_EXHAUSTED', attempts: 4, lastError: error }
        assert.partialDeepStrictEqual(failed, end)
        assert.deepEqual(
          failed.history.map((past) => [past.number, past.error]),
          [1, 2, 3, 4].map((number) => [number, error]),
        )
        const [letter, ...more] = await lettersOf(subscriber)
        assert.deepEqual([letter?.deliveryId, letter?.lastError, more.length], [deliveryId, error, 0])
        assert.equal(subscriber.requests.length, requests)
      }
    })

    test('a delivery that fails and then succeeds is DELIVERED; a 4xx or a disabled webhook ends it immediately · DLV-3 DLV-4 DLV-6', async () => {
      const { database, time } = deliveries.service
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
      deliveries.startWorker()
      const [lateId = '', rejectedId = '', disabledId = ''] = ids
      assert.equal((await deliveries.waitForStatus(lateId, 'DELIVERED')).attempts, 3)
      const failed = await deliveries.waitForStatus(rejectedId, 'FAILED')
      assert.deepEqual([failed.failureReason, failed.attempts], ['RECEIVER_REJECTED', 1])
      const off = await deliveries.waitForStatus(disabledId, 'FAILED')
      assert.deepEqual([off.failureReason, off.attempts], ['WEBHOOK_DISABLED', 0])
      await deliveries.stopWorkers()
      assert.deepEqual(
        [late, rejected, disabled].map(({ requests }) => requests.length),
        [3, 1, 0],
      )
      for (const subscriber of [late, rejected, disabled]) assert.deepEqual(await lettersOf(subscriber), [])
      for (const id of ids) assert.equal(await deliveries.job(id), null)
    })

    test('a hanging receiver times out and is retried, and uses no more than its share of the slots · DLV-4 DLV-12', async () => {
      // A full share of 32 would take more handshakes than a busy machine can do in five seconds.
      const share = 4
      const { queue } = deliveries.service
      const shares: number[] = []
      const narrow: typeof queue = {
        ...queue,
        consume(options) {
          shares.push(options.perOrganization / options.capacity)
          return queue.consume({ ...options, perOrganization: share })
        },
      }
      const [hanging, quick] = [await deliveries.subscriber(), await deliveries.subscriber()]
      let inFlight = 0
      let maxInFlight = 0
      hanging.answer((_request, response) => {
        inFlight += 1
        maxInFlight = Math.max(maxInFlight, inFlight)
        response.once('close', () => {
          inFlight -= 1
        })
        return hanging.requests.length <= share ? undefined : { status: 200 }
      })
      const slow: string[] = []
      for (let count = 0; count < share + 2; count += 1) slow.push((await hanging.complete()).deliveryId)
      deliveries.startWorker({ queue: narrow })
      assert.deepEqual(shares, [1 / 4])
      assert.ok(await eventually(async () => inFlight === share))
      for (let count = 0; count < 3; count += 1) {
        const { deliveryId } = await quick.complete()
        assert.equal((await deliveries.waitForStatus(deliveryId, 'DELIVERED')).attempts, 1)
      }

      const ended = await Promise.all(slow.map((id) => deliveries.waitForStatus(id, 'DELIVERED')))
      const stories = ended.map(({ history }) => history.map(({ error }) => error ?? 'delivered').join()).sort()
      assert.deepEqual(stories, [...Array(share).fill('TIMEOUT,delivered'), 'delivered', 'delivered'].sort())
      for (const { timing, error } of ended.flatMap(({ history }) => history)) {
        if (error === 'TIMEOUT') assert.ok(timing.total !== null && timing.total >= 4_900, String(timing.total))
      }
      assert.equal(maxInFlight, share)
    })

    test('organizations that share a receiver do not wait for one whose requests hang · DLV-12', async () => {
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
      deliveries.startWorker(whileOthersHang)
      // Behind a hanging request it would never be: that one is released only afterwards.
      assert.equal((await deliveries.waitForStatus(deliveryId, 'DELIVERED')).attempts, 1)
      release()
      for (const id of ids) await deliveries.waitForStatus(id, 'DELIVERED')
    })

    test('only a few events with large images are in flight at once, and neither small ones nor other organizations wait for them · DLV-12', async () => {
      const maxOfOne = 2
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
        for (let count = 0; count < maxOfOne + 1; count += 1) {
          ids.push((await subscriber.complete({ image: large })).deliveryId)
        }
      }
      deliveries.startWorker(whileOthersHang)
      assert.ok(await eventually(async () => slow.requests.length + slowToo.requests.length >= 2 * maxOfOne))
      await deliveries.waitForStatus((await quick.complete()).deliveryId, 'DELIVERED')
      assert.deepEqual([slow.requests.length, slowToo.requests.length], [maxOfOne, maxOfOne])
      release()
      for (const id of ids) assert.equal((await deliveries.waitForStatus(id, 'DELIVERED')).attempts, 1)
    })

    test('the status counts even if the body stalls or breaks off, and the history says so · DLV-14', async () => {
      const stall: Responder = (_request, response) => void response.write('part')
      const reset: Responder = (_request, response) => {
        response.write('part', () => response.destroy())
      }
      const cases = [200, 403].flatMap((status) =>
        [stall, reset].map((send) => ({
          status,
          respond: (...[request, response]: Parameters<Responder>) => {
            response.writeHead(status, { 'content-length': '1000' })
            return send(request, response)
          },
          detail: send === stall ? 'the response body did not end in time' : 'the connection was closed',
        })),
      )
      const begun = await Promise.all(
        cases.map(async ({ respond, ...expected }) => {
          const subscriber = await deliveries.subscriber()
          subscriber.answer(respond)
          return { subscriber, expected, deliveryId: (await subscriber.complete()).deliveryId }
        }),
      )
      deliveries.startWorker()
      for (const { subscriber, expected, deliveryId } of begun) {
        const { status, detail } = expected
        const ended = await deliveries.waitForStatus(deliveryId, status === 200 ? 'DELIVERED' : 'FAILED')
        const failureReason = status === 200 ? null : 'RECEIVER_REJECTED'
        assert.deepEqual([ended.failureReason, ended.attempts], [failureReason, 1])
        assert.partialDeepStrictEqual(ended.history, [{ status, phase: 'body', detail, answer: 'part' }])
        assert.equal(subscriber.requests.length, 1)
      }
    })

    test('a kept-alive connection that breaks before the response costs an attempt: there are as many requests as attempts · DLV-15', async () => {
      // Long, so that connection reuse doesn't depend on how busy the machine is.
      const poster = createPoster({ extraCa: deliveries.ca, idleTimeoutMilliseconds: 60_000 })
      const subscriber = await deliveries.subscriber()
      deliveries.startWorker({ poster })
      const first = await deliveries.waitForStatus((await subscriber.complete()).deliveryId, 'DELIVERED')
      subscriber.answer((_request, response) => {
        if (subscriber.requests.length > 2) return { status: 200 }
        response.destroy()
        return undefined
      })
      const second = await deliveries.waitForStatus((await subscriber.complete()).deliveryId, 'DELIVERED')
      await deliveries.stopWorkers()
      await poster.close()
      assert.deepEqual(
        [...first.history, ...second.history].map(({ error }) => error),
        [null, 'NETWORK', null],
      )
      const [before, broken] = subscriber.requests
      assert.equal(broken?.connection, before?.connection, 'the connection was reused')
      assert.equal(subscriber.requests.length, 3)
    })

    test('stopping finishes in-flight work', async () => {
      const subscriber = await deliveries.subscriber()
      const answered = Promise.withResolvers<void>()
      subscriber.answer(async () => {
        await answered.promise
        return { status: 200 }
      })
      const { deliveryId } = await subscriber.complete()
      deliveries.startWorker()
      assert.ok(await eventually(async () => subscriber.requests.length === 1))
      const stopping = deliveries.stopWorkers()
      answered.resolve()
      await stopping
      assert.equal((await deliveries.read(deliveryId)).status, 'DELIVERED')
      assert.equal(await deliveries.job(deliveryId), null)
    })
  })
}
