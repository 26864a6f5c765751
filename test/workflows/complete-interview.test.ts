import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { findDelivery, findDeliveryOfResult } from '../../server/deliveries/delivery-history.ts'
import { removeEndpoint, setEndpointEnabled } from '../../server/endpoints/endpoint.ts'
import type { QueuedDelivery } from '../../server/queue/queue.ts'
import { completeInterview } from '../../server/workflows/complete-interview.ts'
import { type Deliveries, scoring, startDeliveries } from '../support/deliveries.ts'
import { engines } from '../support/engines.ts'

type Reported = { resultId: string; resultUrl: string }

for (const engine of engines) {
  describe(`a result that comes in, on ${engine.name}`, () => {
    let deliveries: Deliveries
    before(async () => {
      deliveries = await startDeliveries(engine)
    })
    after(() => deliveries?.close())

    const report = (interviewId: string, result: object, query = '') =>
      deliveries.engine<Reported>('PUT', `/interviews/${interviewId}/result${query}`, result)
    const deliveryOf = (resultId: string) => findDeliveryOfResult(deliveries.service.database, resultId)

    test('opens one delivery, and its job holds the id of that and nothing else · EVT-1 DLV-1', async () => {
      const subscriber = await deliveries.subscriber()
      const { interview } = await subscriber.invite()
      const reported = await report(interview.id, { scoring, analysis: { transcript: 'secret' } })
      assert.equal(reported.status, 201)
      const { resultId } = reported.body
      const delivery = await deliveryOf(resultId)
      assert.partialDeepStrictEqual(delivery, {
        organizationId: subscriber.organizationId,
        deliveryKey: `result.completed:${resultId}`,
        idempotencyKey: resultId,
        status: 'PENDING',
        attempts: 0,
      })
      const deliveryId = delivery?.id ?? ''
      assert.match(deliveryId, /^dlv_/)
      const { organizationId } = subscriber
      const job = { data: { deliveryId }, key: `result.completed:${resultId}`, organizationId, state: 'created' }
      assert.deepEqual(await deliveries.jobs(deliveryId), [job])
    })

    test('its record is there for all to see before the job is · DLV-1', async () => {
      const { database, queue, time } = deliveries.service
      const subscriber = await deliveries.subscriber()
      const { interview } = await subscriber.invite()
      const seen: unknown[] = []
      const watched = {
        async enqueue(delivery: QueuedDelivery) {
          seen.push((await findDelivery(database, delivery.deliveryId))?.status)
          return queue.enqueue(delivery)
        },
      }
      const report = () => assert.fail('nothing to report')
      await completeInterview({ database, queue: watched, report }, interview.id, { scoring, final: true }, time.now)
      assert.deepEqual(seen, ['PENDING'])
    })

    test('ten reports of it at once are one result, one delivery and one job · EVT-1', async () => {
      const subscriber = await deliveries.subscriber()
      const { interview } = await subscriber.invite()
      const answers = await Promise.all(Array.from({ length: 10 }, () => report(interview.id, { scoring })))
      const statuses = answers.map(({ status }) => status).sort()
      assert.deepEqual(
        statuses,
        [200, 200, 200, 200, 200, 200, 200, 200, 200, 201],
        answers.map((one) => one.text).join(),
      )
      const [first] = answers
      assert.ok(first)
      for (const { body } of answers) assert.deepEqual(body, first.body)
      const delivery = await deliveryOf(first.body.resultId)
      assert.ok(delivery)
      assert.equal((await deliveries.jobs(delivery.id)).length, 1)
      const polled = await subscriber.call<{ data: unknown[] }>('GET', '/v1/interview-results')
      assert.equal(polled.body.data.length, 1)
    })

    test('of different ones at once the first counts and the others are refused · EVT-1', async () => {
      const subscriber = await deliveries.subscriber()
      const { interview } = await subscriber.invite()
      const scores = [10, 20, 30, 40, 50]
      const answers = await Promise.all(
        scores.map((weighted_score) => report(interview.id, { scoring: { ...scoring, weighted_score } })),
      )
      const stored = answers.findIndex(({ status }) => status === 201)
      const statuses = answers.map(({ status }) => status).sort()
      assert.deepEqual(statuses, [201, 409, 409, 409, 409], answers.map((one) => one.text).join())
      const polled = await subscriber.call<{ data: { overallScore: number }[] }>('GET', '/v1/interview-results')
      assert.deepEqual(
        polled.body.data.map(({ overallScore }) => overallScore),
        [scores[stored]],
      )
    })

    test('incomplete, it opens nothing and polling does not see it; the final one does, under the same id · EVT-2 RES-2', async () => {
      const subscriber = await deliveries.subscriber()
      const { id, interview } = await subscriber.invite()
      const poll = () => subscriber.call('GET', `/v1/interview-results?invitationId=${id}`)
      const incomplete = await report(interview.id, { scoring }, '?final=false')
      assert.equal(incomplete.status, 201)
      const { resultId, resultUrl } = incomplete.body
      assert.equal(await deliveryOf(resultId), null)
      assert.deepEqual((await poll()).body, { data: [], nextCursor: null })

      const final = await report(interview.id, { scoring })
      assert.deepEqual([final.status, final.body], [201, incomplete.body])
      assert.equal((await deliveryOf(resultId))?.status, 'PENDING')
      const data = [{ resultId, invitationId: id, resultUrl, overallScore: scoring.weighted_score }]
      assert.deepEqual((await poll()).body, { data, nextCursor: null })
    })

    test('opens nothing where no webhook is enabled, not even when it is enabled later · EVT-2', async () => {
      const { database, queue, time } = deliveries.service
      for (const end of [setEndpointEnabled, removeEndpoint]) {
        const subscriber = await deliveries.subscriber()
        await end(database, subscriber.organizationId, false, time.now)
        const { interview } = await subscriber.invite()
        const reported = await report(interview.id, { scoring })
        assert.equal(reported.status, 201)
        await setEndpointEnabled(database, subscriber.organizationId, true, time.now)
        assert.equal((await report(interview.id, { scoring })).status, 200)
        assert.equal(await deliveryOf(reported.body.resultId), null)
      }
      assert.deepEqual(await queue.deadLetters({ limit: 10 }), [])
    })

    test('is seen by polling, oldest completion first, with nothing of the candidate or the scoring · RES-1 RES-3', async () => {
      const subscriber = await deliveries.subscriber()
      const times = ['2026-02-03T00:00:00.000Z', '2026-02-01T00:00:00.000Z', '2026-02-02T00:00:00.000Z']
      const expected: [string, object][] = []
      for (const [index, completedAt] of times.entries()) {
        const weighted_score = 50.5 + index
        const { resultId, resultUrl, invitation } = await subscriber.complete({
          completedAt,
          scoring: { ...scoring, weighted_score },
          analysis: { transcript: 'secret' },
        })
        expected.push([completedAt, { resultId, invitationId: invitation.id, resultUrl, overallScore: weighted_score }])
      }
      const polled = await subscriber.call('GET', '/v1/interview-results')
      const data = expected.sort().map(([, summary]) => summary)
      assert.deepEqual(polled.body, { data, nextCursor: null })
    })

    test('is stored and answered with 201 also when the queue is broken; the record says so · DLV-7', async () => {
      const subscriber = await deliveries.subscriber()
      const { interview } = await subscriber.invite()
      const mend = await deliveries.breakQueue()
      const reported = await report(interview.id, { scoring })
      await mend()
      assert.equal(reported.status, 201)
      const delivery = await deliveryOf(reported.body.resultId)
      const expected = { status: 'FAILED', failureReason: 'ENQUEUE_FAILED', attempts: 0, lastError: null }
      assert.partialDeepStrictEqual(delivery, expected)
      const deliveryId = delivery?.id ?? ''
      assert.deepEqual(await deliveries.jobs(deliveryId), [])
      assert.ok(deliveries.logged().includes(`delivery ${deliveryId} could not be enqueued`))
      assert.equal((await report(interview.id, { scoring })).status, 200)
    })

    test('is not stored without its delivery, nor the delivery without it', async () => {
      const { database } = deliveries.service
      const subscriber = await deliveries.subscriber()
      const { interview } = await subscriber.invite()
      await database.script('alter table deliveries rename to deliveries_away')
      const refused = await report(interview.id, { scoring })
      await database.script('alter table deliveries_away rename to deliveries')
      assert.equal(refused.status, 500)
      const results = await database.query(sql`select id from results where interview_id = ${interview.id}`)
      assert.deepEqual(results, [])
      assert.equal((await report(interview.id, { scoring })).status, 201)
    })
  })
}
