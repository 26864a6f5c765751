import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { attempt } from '../../server/deliveries/attempt.ts'
import { retryDelivery } from '../../server/deliveries/delivery-history.ts'
import { removeEndpoint, setEndpointEnabled } from '../../server/endpoints/endpoint.ts'
import { setOrganizationActive } from '../../server/organizations/organizations.ts'
import { saveWebhook } from '../../server/workflows/administer.ts'
import { type Deliveries, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { claimJob, expireLease } from '../../support/queue-hooks.ts'
import type { Responder } from '../../support/receiver.ts'

for (const engine of engines) {
  describe(`one attempt on ${engine.name}`, () => {
    let deliveries: Deliveries
    before(async () => {
      deliveries = await startDeliveries(engine)
    })
    after(() => deliveries?.close())

    for (const status of [200, 201, 204, 299]) {
      test(`${status} is DELIVERED, and a second job for it sends nothing · DLV-2`, async () => {
        const { queue } = deliveries.service
        const subscriber = await deliveries.subscriber()
        subscriber.answer({ status })
        const { deliveryId } = await subscriber.complete()
        assert.equal((await deliveries.attempt(deliveryId)).outcome, 'delivered')
        const delivered = await deliveries.read(deliveryId)
        assert.partialDeepStrictEqual(delivered, { status: 'DELIVERED', failureReason: null, attempts: 1 })
        assert.equal(delivered.deliveredAt, delivered.updatedAt)

        for (const receive of [1, 4, 5]) {
          await queue.enqueue([{ deliveryId, organizationId: subscriber.organizationId, round: 1 }])
          assert.equal((await deliveries.attempt(deliveryId, { receive })).outcome, 'dropped')
          assert.equal(await deliveries.job(deliveryId), null)
        }
        assert.equal(subscriber.requests.length, 1)
        assert.deepEqual(await deliveries.read(deliveryId), delivered)
      })
    }

    for (const status of [400, 401, 404, 408, 410, 413, 429, 499]) {
      test(`${status} is FAILED immediately and not retried · DLV-3`, async () => {
        const subscriber = await deliveries.subscriber()
        subscriber.answer({ status })
        const { deliveryId } = await subscriber.complete()
        assert.equal((await deliveries.attempt(deliveryId)).outcome, 'rejected')
        const expected = { status: 'FAILED', failureReason: 'RECEIVER_REJECTED', lastError: 'HTTP_4XX', attempts: 1 }
        assert.partialDeepStrictEqual(await deliveries.read(deliveryId), expected)
        assert.equal(await deliveries.job(deliveryId), null)
        assert.equal(subscriber.requests.length, 1)
      })
    }

    const breaksOff: Responder = (_request, response) => void response.destroy()
    const comesAgain: [string, Responder, string][] = [
      ['300', () => ({ status: 300 }), 'HTTP_3XX'],
      ['a redirect', () => ({ status: 302, headers: { location: '/elsewhere' } }), 'HTTP_3XX'],
      ['304', () => ({ status: 304 }), 'HTTP_3XX'],
      ['308', () => ({ status: 308, headers: { location: '/elsewhere' } }), 'HTTP_3XX'],
      ['500', () => ({ status: 500 }), 'HTTP_5XX'],
      ['503 with Retry-After', () => ({ status: 503, headers: { 'retry-after': '86400' } }), 'HTTP_5XX'],
      ['599', () => ({ status: 599 }), 'HTTP_5XX'],
      ['a connection that breaks', breaksOff, 'NETWORK'],
    ]
    for (const [name, respond, error] of comesAgain) {
      test(`${name} is retried up to the fourth receive · DLV-4`, async () => {
        const subscriber = await deliveries.subscriber()
        subscriber.answer(respond)
        const { deliveryId } = await subscriber.complete()
        for (const attempts of [1, 2, 3]) {
          assert.equal((await deliveries.attempt(deliveryId)).outcome, 'postponed')
          const waiting = { status: 'PENDING', failureReason: null, lastError: error, attempts }
          assert.partialDeepStrictEqual(await deliveries.read(deliveryId), waiting)
          assert.partialDeepStrictEqual(await deliveries.job(deliveryId), { receives: attempts, leased: false })
        }
        assert.equal((await deliveries.attempt(deliveryId)).outcome, 'exhausted')
        const ended = { status: 'FAILED', failureReason: 'RECEIVES_EXHAUSTED', lastError: error, attempts: 4 }
        assert.partialDeepStrictEqual(await deliveries.read(deliveryId), ended)
        assert.equal(await deliveries.job(deliveryId), null)
        assert.ok(subscriber.requests.every(({ url }) => url !== '/elsewhere'))
      })
    }

    test('each retry waits twice as long as the previous one, give or take 10% · DLV-4', async () => {
      const subscriber = await deliveries.subscriber()
      subscriber.answer({ status: 503 })
      const { deliveryId } = await subscriber.complete()
      for (const seconds of [60, 120, 240]) {
        await deliveries.attempt(deliveryId, { with: { retryDelaySeconds: 60 } })
        const { dueInSeconds = 0 } = (await deliveries.job(deliveryId)) ?? {}
        assert.ok(
          dueInSeconds > seconds * 0.85 && dueInSeconds < seconds * 1.1,
          `${dueInSeconds} of ${seconds} seconds`,
        )
      }
    })

    test('a host name that now resolves to a private address, or to nothing, gets no request and is retried · DST-1', async () => {
      const subscriber = await deliveries.subscriber()
      const { deliveryId } = await subscriber.complete()
      for (const [addresses, error, detail] of [
        [['10.0.0.7'], 'DESTINATION_REFUSED', '10.0.0.7 is private (10.0.0.0/8)'],
        [['127.0.0.1', '169.254.169.254'], 'DESTINATION_REFUSED', '169.254.169.254 is link-local (169.254.0.0/16)'],
        [[], 'DNS', `the name ${new URL(subscriber.url).hostname} has no address`],
      ] as const) {
        subscriber.addresses.now = [...addresses]
        const { outcome, attempt } = await deliveries.attempt(deliveryId)
        assert.deepEqual([outcome, attempt?.error, attempt?.detail], ['postponed', error, detail])
      }
      subscriber.addresses.now = ['127.0.0.1']
      assert.equal(subscriber.requests.length, 0)
      assert.equal((await deliveries.attempt(deliveryId)).outcome, 'delivered')
    })

    test('a disabled or removed webhook gets no request, and the delivery is FAILED · DLV-6', async () => {
      const { database, time } = deliveries.service
      for (const end of [setEndpointEnabled, removeEndpoint]) {
        const subscriber = await deliveries.subscriber()
        const { deliveryId } = await subscriber.complete()
        await end(database, subscriber.organizationId, false, time.now)
        assert.equal((await deliveries.attempt(deliveryId)).outcome, 'canceled')
        const failed = { status: 'FAILED', failureReason: 'WEBHOOK_DISABLED', attempts: 0, history: [] }
        assert.partialDeepStrictEqual(await deliveries.read(deliveryId), failed)
        assert.equal(await deliveries.job(deliveryId), null)
        assert.equal(subscriber.requests.length, 0)
      }
    })

    test('a webhook disabled between two attempts ends the delivery; enabling it again does not revive it · DLV-6', async () => {
      const { database, time } = deliveries.service
      const subscriber = await deliveries.subscriber()
      subscriber.answer({ status: 503 })
      const { deliveryId } = await subscriber.complete()
      await deliveries.attempt(deliveryId)
      await setEndpointEnabled(database, subscriber.organizationId, false, time.now)
      assert.equal((await deliveries.attempt(deliveryId)).outcome, 'canceled')
      await setEndpointEnabled(database, subscriber.organizationId, true, time.now)
      const failed = { status: 'FAILED', failureReason: 'WEBHOOK_DISABLED', attempts: 1 }
      assert.partialDeepStrictEqual(await deliveries.read(deliveryId), failed)
      assert.equal(await deliveries.job(deliveryId), null)
      assert.equal(subscriber.requests.length, 1)
    })

    test('an inactive organization gets no request, and Retry works once it is active again · DLV-18', async () => {
      const { database, time } = deliveries.service
      const subscriber = await deliveries.subscriber()
      const { organizationId } = subscriber
      const { deliveryId: id } = await subscriber.complete()
      const retry = () => retryDelivery(database, { id, organizationId, by: 'admin' }, time.now)
      await setOrganizationActive(database, organizationId, false)
      for (const _ of ['the first time', 'after a Retry while it is still inactive']) {
        assert.equal((await deliveries.attempt(id)).outcome, 'canceled')
        const failed = { status: 'FAILED', failureReason: 'ORGANIZATION_INACTIVE', attempts: 0, history: [] }
        assert.partialDeepStrictEqual(await deliveries.read(id), failed)
        assert.partialDeepStrictEqual(await retry(), { status: 'PENDING' })
      }
      assert.equal(subscriber.requests.length, 0)
      await setOrganizationActive(database, organizationId, true)
      assert.equal((await deliveries.attempt(id)).outcome, 'delivered')
      assert.equal(subscriber.requests.length, 1)
    })

    test('an organization that becomes inactive between two attempts keeps the first attempt in the history · DLV-18', async () => {
      const subscriber = await deliveries.subscriber()
      subscriber.answer({ status: 503 })
      const { deliveryId } = await subscriber.complete()
      await deliveries.attempt(deliveryId)
      await setOrganizationActive(deliveries.service.database, subscriber.organizationId, false)
      await deliveries.attempt(deliveryId)
      const { failureReason, attempts, lastError, history } = await deliveries.read(deliveryId)
      assert.deepEqual([failureReason, attempts, lastError], ['ORGANIZATION_INACTIVE', 1, 'HTTP_5XX'])
      assert.deepEqual([history.length, subscriber.requests.length], [1, 1])
    })

    test('the next attempt uses the current URL, template and scoring · DLV-10', async () => {
      const { database, time } = deliveries.service
      const subscriber = await deliveries.subscriber()
      const moved = await deliveries.subscriber()
      subscriber.answer({ status: 500 })
      const { deliveryId, invitation, resultId } = await subscriber.complete()
      await deliveries.attempt(deliveryId)

      const title = 'Renamed'
      assert.equal((await subscriber.call('PATCH', `/v1/templates/${invitation.templateId}`, { title })).status, 200)
      await saveWebhook(
        deliveries.out,
        { organizationId: subscriber.organizationId, actor: 'test' },
        { url: moved.url },
        time.now,
      )
      await database.query(sql`
        update results set scoring = (scoring::jsonb || '{"feedback": "Corrected."}')::json where id = ${resultId}`)
      await deliveries.attempt(deliveryId)

      assert.equal(subscriber.requests.length, 1)
      const event = JSON.parse(String(moved.requests[0]?.body))
      assert.equal(event.template.name, title)
      assert.equal(event.result.aiAnalysis.scoring.feedback, 'Corrected.')
      assert.equal(event.resultId, resultId)
    })

    test('a worker killed before it records the response leaves an unfinished attempt, and the event is sent again with the same IDs · DLV-11 DLV-13', async () => {
      const { database } = deliveries.service
      const subscriber = await deliveries.subscriber()
      const { deliveryId } = await subscriber.complete()
      await attempt(deliveries.out, await claimJob(database, deliveryId))
      assert.partialDeepStrictEqual(await deliveries.read(deliveryId), { status: 'PENDING', attempts: 1, history: [] })

      await expireLease(database, deliveryId)
      const worker = deliveries.startWorker()
      const { attempts, history } = await deliveries.waitForStatus(deliveryId, 'DELIVERED')
      await worker.stop()
      assert.equal(attempts, 2)
      assert.deepEqual(
        history.map(({ number, finishedAt, status }) => [number, finishedAt === null, status]),
        [
          [1, true, null],
          [2, false, 200],
        ],
      )
      const [first, second, ...more] = subscriber.requests
      assert.ok(first && second && more.length === 0)
      assert.deepEqual(first.body, second.body)
      for (const name of ['x-service-event-id', 'x-service-idempotency-key']) {
        assert.equal(first.headers[name], second.headers[name])
      }
    })

    test('receives 2 to 4 are due one, two and four delays after the one before, give or take a tenth · DLV-4', async () => {
      const subscriber = await deliveries.subscriber()
      subscriber.answer({ status: 503 })
      const { deliveryId } = await subscriber.complete()
      for (const minutes of [1, 2, 4]) {
        await deliveries.attempt(deliveryId, { with: { retryDelaySeconds: 60 } })
        const { nextAttemptAt, updatedAt } = await deliveries.read(deliveryId)
        const delay = (Date.parse(nextAttemptAt ?? '') - Date.parse(updatedAt)) / 60_000
        assert.ok(delay >= minutes * 0.9 && delay <= minutes * 1.1, `${delay} minutes after ${minutes}`)
      }
    })

    test('an attempt is counted before its request is sent · DLV-13', async () => {
      const subscriber = await deliveries.subscriber()
      const { deliveryId } = await subscriber.complete()
      const seen: number[] = []
      subscriber.answer(async () => {
        seen.push((await deliveries.read(deliveryId)).attempts)
        return { status: seen.length < 3 ? 503 : 200 }
      })
      const worker = deliveries.startWorker()
      await deliveries.waitForStatus(deliveryId, 'DELIVERED')
      await worker.stop()
      assert.deepEqual(seen, [1, 2, 3])
    })

    test('the history has every attempt: when, how long, to which address, and the response · DLV-13', async () => {
      const { time } = deliveries.service
      const subscriber = await deliveries.subscriber()
      const { deliveryId } = await subscriber.complete()
      const long = 'é'.repeat(2_000)
      subscriber.answer(() => {
        time.now = new Date(time.now.getTime() + 40)
        return { status: 503, body: long }
      })
      time.now = new Date('2026-03-01T13:00:00.000Z')
      await deliveries.attempt(deliveryId)
      subscriber.answer({ status: 202, body: 'thanks' })
      time.now = new Date('2026-03-01T13:01:00.000Z')
      await deliveries.attempt(deliveryId)

      const { history, attempts } = await deliveries.read(deliveryId)
      const [first, second] = history
      assert.ok(first && second && history.length === 2 && attempts === 2)
      const { timing, headers, ...failed } = first
      assert.ok(headers.some(([name]) => name === 'date'))
      assert.deepEqual(failed, {
        number: 1,
        round: 1,
        roundBegunBy: null,
        startedAt: '2026-03-01T13:00:00.000Z',
        finishedAt: '2026-03-01T13:00:00.040Z',
        url: subscriber.url,
        address: '127.0.0.1',
        status: 503,
        error: 'HTTP_5XX',
        code: null,
        phase: null,
        detail: null,
        answer: long.slice(0, 512),
      })
      assert.deepEqual(Object.keys(timing), ['dns', 'connect', 'tls', 'firstByte', 'total'])
      for (const value of Object.values(timing)) assert.ok(value === null || (value >= 0 && value < 5_000))
      const delivered = { number: 2, round: 1, status: 202, error: null, detail: null, answer: 'thanks' }
      assert.partialDeepStrictEqual(second, { ...delivered, finishedAt: '2026-03-01T13:01:00.000Z' })
    })
  })
}
