import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import type { Database } from '../../server/database/database.ts'
import { DatabaseUnavailable } from '../../server/database/failures.ts'
import { deliver } from '../../server/deliveries/attempt.ts'
import { createDeliveryRecords } from '../../server/deliveries/deliveries.ts'
import { removeEndpoint, saveEndpoint, setEndpointEnabled } from '../../server/endpoints/endpoint.ts'
import { type Deliveries, startDeliveries } from '../support/deliveries.ts'
import { engines } from '../support/engines.ts'
import type { Respond } from '../support/receiver.ts'
import { watchStatements } from '../support/watched-statements.ts'

for (const engine of engines) {
  describe(`one attempt on ${engine.name}`, () => {
    let deliveries: Deliveries
    before(async () => {
      deliveries = await startDeliveries(engine)
    })
    after(() => deliveries?.close())

    for (const status of [200, 201, 204, 299]) {
      test(`${status} is DELIVERED, and a second job for it sends nothing · DLV-2`, async () => {
        const subscriber = await deliveries.subscriber()
        subscriber.answer({ status })
        const { deliveryId } = await subscriber.complete()
        deliveries.service.time.now = new Date('2026-03-01T12:00:05.250Z')
        assert.equal((await deliveries.attempt(deliveryId)).disposition, 'done')

        const delivered = await deliveries.read(deliveryId)
        assert.partialDeepStrictEqual(delivered, { status: 'DELIVERED', failureReason: null, attempts: 1 })
        assert.equal(delivered.deliveredAt, '2026-03-01T12:00:05.250Z')
        assert.deepEqual(await deliveries.attempt(deliveryId), { disposition: 'done', outcome: null })
        assert.deepEqual(await deliveries.attempt(deliveryId, { last: true }), { disposition: 'done', outcome: null })
        assert.equal(subscriber.requests.length, 1)
        assert.deepEqual(await deliveries.read(deliveryId), delivered)
      })
    }

    for (const status of [400, 401, 404, 408, 410, 413, 429, 499]) {
      test(`${status} is FAILED at once and not retried · DLV-3`, async () => {
        const subscriber = await deliveries.subscriber()
        subscriber.answer({ status })
        const { deliveryId } = await subscriber.complete()
        assert.equal((await deliveries.attempt(deliveryId)).disposition, 'done')

        const failed = await deliveries.read(deliveryId)
        const expected = { status: 'FAILED', failureReason: 'RECEIVER_REJECTED', lastError: 'HTTP_4XX', attempts: 1 }
        assert.partialDeepStrictEqual(failed, expected)
        assert.deepEqual(await deliveries.attempt(deliveryId), { disposition: 'done', outcome: null })
        assert.equal(subscriber.requests.length, 1)
      })
    }

    const breaksOff: Respond = (_request, response) => void response.destroy()
    const comesAgain: [string, Respond, string][] = [
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
      test(`${name} comes again, until the last receive ends it · DLV-4`, async () => {
        const subscriber = await deliveries.subscriber()
        subscriber.answer(respond)
        const { deliveryId } = await subscriber.complete()
        for (const attempts of [1, 2]) {
          assert.equal((await deliveries.attempt(deliveryId)).disposition, 'again')
          const waiting = { status: 'PENDING', failureReason: null, lastError: error, attempts }
          assert.partialDeepStrictEqual(await deliveries.read(deliveryId), waiting)
        }
        assert.equal((await deliveries.attempt(deliveryId, { last: true })).disposition, 'again')
        const ended = { status: 'FAILED', failureReason: 'RECEIVES_EXHAUSTED', lastError: error, attempts: 3 }
        assert.partialDeepStrictEqual(await deliveries.read(deliveryId), ended)
        assert.ok(subscriber.requests.every(({ url }) => url !== '/elsewhere'))
      })
    }

    test('a name that leads to a private address now, or nowhere, gets nothing; it comes again · DST-1', async () => {
      const subscriber = await deliveries.subscriber()
      const { deliveryId } = await subscriber.complete()
      for (const [addresses, error, detail] of [
        [['10.0.0.7'], 'DESTINATION_REFUSED', '10.0.0.7 is private (10.0.0.0/8)'],
        [['127.0.0.1', '169.254.169.254'], 'DESTINATION_REFUSED', '169.254.169.254 is link-local (169.254.0.0/16)'],
        [[], 'DNS', `the name ${new URL(subscriber.url).hostname} has no address`],
      ] as const) {
        subscriber.addresses.now = [...addresses]
        const { disposition, outcome } = await deliveries.attempt(deliveryId)
        assert.deepEqual([disposition, outcome?.error, outcome?.detail], ['again', error, detail])
      }
      subscriber.addresses.now = ['127.0.0.1']
      assert.equal(subscriber.requests.length, 0)
      assert.equal((await deliveries.attempt(deliveryId)).disposition, 'done')
    })

    test('a webhook that was disabled or removed gets no request, and the delivery is FAILED · DLV-6', async () => {
      const { database } = deliveries.service
      const now = new Date('2026-03-01T12:30:00.000Z')
      for (const end of [setEndpointEnabled, removeEndpoint]) {
        const subscriber = await deliveries.subscriber()
        const { deliveryId } = await subscriber.complete()
        await end(database, subscriber.organizationId, false, now)
        assert.deepEqual(await deliveries.attempt(deliveryId), { disposition: 'done', outcome: null })
        const failed = { status: 'FAILED', failureReason: 'WEBHOOK_DISABLED', attempts: 0, history: [] }
        assert.partialDeepStrictEqual(await deliveries.read(deliveryId), failed)
        assert.equal(subscriber.requests.length, 0)
      }
    })

    test('a webhook disabled between two attempts ends the delivery; enabling it again does not revive it · DLV-6', async () => {
      const { database } = deliveries.service
      const subscriber = await deliveries.subscriber()
      subscriber.answer({ status: 503 })
      const { deliveryId } = await subscriber.complete()
      await deliveries.attempt(deliveryId)
      await setEndpointEnabled(database, subscriber.organizationId, false, new Date())
      assert.equal((await deliveries.attempt(deliveryId)).disposition, 'done')
      await setEndpointEnabled(database, subscriber.organizationId, true, new Date())
      assert.equal((await deliveries.attempt(deliveryId)).outcome, null)
      const failed = { status: 'FAILED', failureReason: 'WEBHOOK_DISABLED', attempts: 1 }
      assert.partialDeepStrictEqual(await deliveries.read(deliveryId), failed)
      assert.equal(subscriber.requests.length, 1)
    })

    test('what changed since the last attempt is in the next: address, template and scoring · DLV-10', async () => {
      const { database, time } = deliveries.service
      const subscriber = await deliveries.subscriber()
      const moved = await deliveries.subscriber()
      subscriber.answer({ status: 500 })
      const { deliveryId, invitation, resultId } = await subscriber.complete()
      await deliveries.attempt(deliveryId)

      const title = 'Renamed meanwhile'
      assert.equal((await subscriber.call('PATCH', `/v1/templates/${invitation.templateId}`, { title })).status, 200)
      const endpoint = { ...deliveries.out, database }
      await saveEndpoint(endpoint, subscriber.organizationId, { url: moved.url }, time.now)
      await database.query(sql`
        update results set scoring = (scoring::jsonb || '{"feedback": "Corrected."}')::json where id = ${resultId}`)
      await deliveries.attempt(deliveryId)

      assert.equal(subscriber.requests.length, 1)
      const event = JSON.parse(String(moved.requests[0]?.body))
      assert.equal(event.template.name, title)
      assert.equal(event.result.aiAnalysis.scoring.feedback, 'Corrected.')
      assert.equal(event.resultId, resultId)
    })

    test('an answer that was not written down is asked for again with the same ids · DLV-11', async () => {
      const subscriber = await deliveries.subscriber()
      const { deliveryId } = await subscriber.complete()
      await assert.rejects(attemptFailingAt(/update delivery_attempts/, deliveryId), DatabaseUnavailable)
      assert.partialDeepStrictEqual(await deliveries.read(deliveryId), { status: 'PENDING', attempts: 1 })

      assert.equal((await deliveries.attempt(deliveryId)).disposition, 'done')
      assert.partialDeepStrictEqual(await deliveries.read(deliveryId), { status: 'DELIVERED', attempts: 2 })
      const [first, second, ...more] = subscriber.requests
      assert.ok(first && second && more.length === 0)
      assert.deepEqual(first.body, second.body)
      for (const name of ['x-service-event-id', 'x-service-idempotency-key']) {
        assert.equal(first.headers[name], second.headers[name])
      }
    })

    test('an attempt that could not be counted is not made · DLV-13', async () => {
      const subscriber = await deliveries.subscriber()
      const { deliveryId } = await subscriber.complete()
      await assert.rejects(attemptFailingAt(/insert into delivery_attempts/, deliveryId), DatabaseUnavailable)
      assert.equal(subscriber.requests.length, 0)
      assert.partialDeepStrictEqual(await deliveries.read(deliveryId), { status: 'PENDING', attempts: 0, history: [] })
    })

    test('every attempt is in the history: when, how long, where to, and what came back · DLV-13', async () => {
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

      const { history, attempts, updatedAt } = await deliveries.read(deliveryId)
      assert.deepEqual([attempts, updatedAt], [2, '2026-03-01T13:01:00.000Z'])
      const [first, second] = history
      assert.ok(first && second && history.length === 2)
      const { timing, ...failed } = first
      assert.deepEqual(failed, {
        number: 1,
        startedAt: '2026-03-01T13:00:00.000Z',
        finishedAt: '2026-03-01T13:00:00.040Z',
        address: '127.0.0.1',
        status: 503,
        error: 'HTTP_5XX',
        detail: 'the endpoint answered 503',
        answer: long.slice(0, 512),
      })
      assert.deepEqual(Object.keys(timing), ['dns', 'connect', 'tls', 'firstByte', 'total'])
      for (const value of Object.values(timing)) assert.ok(typeof value === 'number' && value >= 0 && value < 5_000)
      const delivered = { number: 2, status: 202, error: null, detail: null, answer: 'thanks' }
      assert.partialDeepStrictEqual(second, { ...delivered, finishedAt: '2026-03-01T13:01:00.000Z' })
    })

    test('an attempt that was cut short stays in the history without an end · DLV-13', async () => {
      const subscriber = await deliveries.subscriber()
      const { deliveryId } = await subscriber.complete()
      await assert.rejects(attemptFailingAt(/update delivery_attempts/, deliveryId))
      await deliveries.attempt(deliveryId)
      const { history } = await deliveries.read(deliveryId)
      const ends = history.map(({ number, finishedAt, status }) => [number, finishedAt === null, status])
      assert.deepEqual(ends, [
        [1, true, null],
        [2, false, 200],
      ])
    })

    /** An attempt during which the database goes away, once, at the first statement that matches. */
    function attemptFailingAt(statement: RegExp, deliveryId: string) {
      const { database, clock } = deliveries.out
      const records = createDeliveryRecords(failingOnce(database, statement), clock)
      return deliver({ ...deliveries.out, records }, { deliveryId, last: false })
    }
  })
}

function failingOnce(database: Database, statement: RegExp): Database {
  let failed = false
  return watchStatements(database, ({ text }) => {
    if (failed || !statement.test(text)) return
    failed = true
    throw new DatabaseUnavailable('the connection is gone')
  })
}
