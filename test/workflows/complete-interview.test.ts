import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import type { Database, Statement } from '../../server/database/database.ts'
import { listDeadLetters } from '../../server/deliveries/dead-letters.ts'
import { findDeliveryOfResult } from '../../server/deliveries/delivery-history.ts'
import { removeEndpoint, setEndpointEnabled } from '../../server/endpoints/endpoint.ts'
import { createCompletion } from '../../server/workflows/complete-interview.ts'
import { type Deliveries, scoring, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { raceOnLock } from '../../support/race-on-lock.ts'
import { watchStatements } from '../../support/watch-statements.ts'

const idle = { wake: () => {}, report: () => assert.fail('nothing to report') }

type Reported = { resultId: string; resultUrl: string }

for (const engine of engines) {
  describe(`a reported result on ${engine.name}`, () => {
    let deliveries: Deliveries
    before(async () => {
      deliveries = await startDeliveries(engine)
    })
    after(() => deliveries?.close())

    const report = (interviewId: string, result: object, query = '') =>
      deliveries.engine<Reported>('PUT', `/interviews/${interviewId}/result${query}`, result)
    const deliveryOf = (resultId: string) => findDeliveryOfResult(deliveries.service.database, resultId)

    test('opens one delivery, and its job contains only IDs · EVT-1 DLV-1', async () => {
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
      const { dueInSeconds = 1, ...job } = (await deliveries.job(deliveryId)) ?? {}
      assert.deepEqual(job, { deliveryId, organizationId, round: 1, receives: 0, leased: false })
      assert.ok(dueInSeconds <= 0)
    })

    test('its record and its job are committed together, before a worker of this process is notified · DLV-1', async () => {
      const { database, time } = deliveries.service
      const subscriber = await deliveries.subscriber()
      const { interview } = await subscriber.invite()
      const statements: string[] = []
      const watched = watchStatements(database, ({ text }) => void statements.push(text))
      let statementsBeforeWake = 0
      const wake = () => {
        statementsBeforeWake = statements.length
      }
      const result = { scoring, final: true }
      const stored = await createCompletion({ ...idle, database: watched, wake }).complete(
        interview.id,
        result,
        time.now,
      )
      assert.ok(stored.outcome === 'stored')
      assert.equal(statementsBeforeWake, 1)
      const delivery = await deliveryOf(stored.resultId)
      assert.equal(delivery?.status, 'PENDING')
      assert.ok(await deliveries.job(delivery.id))
    })

    test('that is large is sent to the database as it is', async () => {
      const { database, time } = deliveries.service
      const { interview } = await (await deliveries.subscriber()).invite()
      const analysis = { transcript: '"'.repeat(100_000) }
      let sent = 0
      const watched = watchStatements(database, ({ values = [] }) => {
        sent += values.join().length
      })
      const completion = createCompletion({ ...idle, database: watched })
      const complete = () => completion.complete(interview.id, { scoring, analysis, final: true }, time.now)
      for (const outcome of ['stored', 'same']) {
        sent = 0
        assert.equal((await complete()).outcome, outcome)
        assert.ok(sent < JSON.stringify(analysis).length + 5_000, `${sent} characters`)
      }
    })

    test('costs one statement', async () => {
      const { database, time } = deliveries.service
      const subscriber = await deliveries.subscriber()
      const { interview } = await subscriber.invite()
      const statements: string[] = []
      const watched = watchStatements(database, ({ text }) => statements.push(text))
      const completion = createCompletion({ ...idle, database: watched })
      const complete = (final: boolean) =>
        completion.complete(interview.id, { scoring, final }, time.now).then(({ outcome }) => outcome)
      const counted: [string, number][] = []
      for (const final of [false, false, true, true]) {
        counted.push([await complete(final), statements.splice(0).length])
      }
      assert.deepEqual(counted, [
        ['stored', 1],
        ['same', 2],
        ['stored', 1],
        ['same', 2],
      ])
    })

    test('shares its statement with concurrent ones, but not its errors', async () => {
      const { database, time } = deliveries.service
      const subscriber = await deliveries.subscriber()
      const interviews = await Promise.all(Array.from({ length: 4 }, () => subscriber.invite()))
      const statements: Statement[] = []
      const watched = watchStatements(database, (statement) => {
        statements.push(statement)
        if (JSON.stringify(statement.values).includes('on purpose')) throw new Error('on purpose')
      })
      const completion = createCompletion({ wake: () => {}, report: () => {}, database: watched })
      const complete = (analyses: (object | undefined)[]) =>
        Promise.allSettled(
          interviews.map(({ interview }, index) => {
            const analysis = analyses[index]
            return completion.complete(interview.id, { scoring, final: false, ...(analysis && { analysis }) }, time.now)
          }),
        )
      const stored = await complete([])
      assert.equal(statements.splice(0).length, 1)
      assert.ok(stored.every(({ status }) => status === 'fulfilled'))

      const another = { another: true }
      const again = await complete([another, { error: 'on purpose' }, another, another])
      assert.deepEqual(
        again.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.outcome : outcome.reason.message)),
        ['stored', 'on purpose', 'stored', 'stored'],
      )
    })

    test('does not wait for a lock on another interview', async () => {
      if (engine.name === 'embedded') return // has a single connection
      const { database } = deliveries.service
      const subscriber = await deliveries.subscriber()
      const [held, free] = [await subscriber.invite(), await subscriber.invite()]
      const hold = sql`select from interviews where id = ${held.interview.id} for update`
      let waiting = true
      const responses = await raceOnLock(database, hold, () => [
        report(held.interview.id, { scoring }).finally(() => {
          waiting = false
        }),
        report(free.interview.id, { scoring }).finally(() => assert.ok(waiting)),
      ])
      assert.deepEqual(
        responses.map(({ status }) => status),
        [201, 201],
      )
    })

    test('is stored after all if another one replaced the identical one before that was seen', async () => {
      const { database, time } = deliveries.service
      const subscriber = await deliveries.subscriber()
      const { interview } = await subscriber.invite()
      const result = { scoring, final: false }
      const other = { scoring: { ...scoring, weighted_score: 12 }, final: false }
      const complete = (reported: typeof result, through = database) =>
        createCompletion({ ...idle, database: through }).complete(interview.id, reported, time.now)
      const stored = await complete(result)
      let count = 0
      const interrupted: Database = {
        ...database,
        async query<Row>(statement: Statement) {
          if (++count === 2) await complete(other)
          return database.query<Row>(statement)
        },
      }
      assert.deepEqual(await complete(result, interrupted), stored)
      assert.equal(count, 3)
      assert.equal(await scoreOf(interview.id), scoring.weighted_score)
    })

    for (const [name, one, other, possible] of [
      ['the same', {}, {}, ['201 200', '200 201']],
      ['different', {}, { analysis: {} }, ['201 409', '409 201']],
      ['the same and incomplete', { final: false }, { final: false }, ['201 200', '200 201']],
      ['different and incomplete', { final: false }, { final: false, analysis: {} }, ['201 201']],
      ['one final and one incomplete', {}, { final: false }, ['201 201', '201 409']],
    ] as const) {
      test(`two concurrent reports, ${name}, are one result and at most one delivery · EVT-1`, async () => {
        for (let round = 0; round < 4; round++) {
          const subscriber = await deliveries.subscriber()
          const { interview } = await subscriber.invite()
          const send = ({ final = true, ...fields }: { final?: boolean; analysis?: object }) =>
            report(interview.id, { scoring, ...fields }, `?final=${final}`)
          const responses = await atOnce(interview.id, () =>
            round % 2 === 0 ? [send(one), send(other)] : [send(other), send(one)].reverse(),
          )
          const statuses = responses.map(({ status }) => status).join(' ')
          assert.ok(
            possible.some((pair) => pair === statuses),
            statuses,
          )
          const [stored, ...again] = responses.filter(({ status }) => status < 300)
          for (const { body } of again) assert.deepEqual(body, stored?.body)
          const final = !('final' in one)
          assert.deepEqual(await counts(interview.id), { results: 1, final, deliveries: final ? 1 : 0 })
        }
      })
    }

    test('fifty concurrent reports of all kinds are one final result, one delivery and one job · EVT-1', async () => {
      const subscriber = await deliveries.subscriber()
      const { interview } = await subscriber.invite()
      const responses = await Promise.all(
        Array.from({ length: 50 }, (_, index) => {
          const reported = { scoring: { ...scoring, weighted_score: index % 3 } }
          return report(interview.id, reported, index % 2 === 0 ? '' : '?final=false')
        }),
      )
      const final = responses.filter((_, index) => index % 2 === 0)
      const stored = final.findIndex(({ status }) => status === 201)
      const winner = final[stored]
      assert.ok(winner)
      for (const [index, { status, body }] of final.entries()) {
        const same = (index * 2) % 3 === (stored * 2) % 3
        assert.equal(status, index === stored ? 201 : same ? 200 : 409)
        if (same) assert.deepEqual(body, winner.body)
      }
      for (const { status, body } of responses) {
        assert.ok([200, 201, 409].includes(status))
        if (status < 300) assert.deepEqual(body, winner.body)
      }
      assert.deepEqual(await counts(interview.id), { results: 1, final: true, deliveries: 1 })
      assert.equal(await scoreOf(interview.id), (stored * 2) % 3)
      assert.ok(await deliveries.job((await deliveryOf(winner.body.resultId))?.id ?? ''))
    })

    // On the embedded engine nothing ever waits for a lock: it has one connection.
    if (engine.name === 'PostgreSQL') {
      for (const [status, expected] of [
        ['IN_PROGRESS', 201],
        ['CANCELLED', 409],
      ] as const) {
        test(`that has to wait while its interview becomes ${status} gets ${expected}`, async () => {
          const { database } = deliveries.service
          const subscriber = await deliveries.subscriber()
          const { interview } = await subscriber.invite()
          const move = sql`update interviews set status = ${status} where id = ${interview.id}`
          const [response] = await raceOnLock(database, move, () => [report(interview.id, { scoring })], 'commit')
          assert.equal(response?.status, expected)
          const [row] = await database.query(sql`select status from interviews where id = ${interview.id}`)
          assert.deepEqual(row, { status: expected === 201 ? 'COMPLETED' : 'CANCELLED' })
          const found = await counts(interview.id)
          assert.deepEqual(
            found,
            expected === 201 ? { results: 1, final: true, deliveries: 1 } : { results: 0, final: null, deliveries: 0 },
          )
        })
      }
    }

    test('ten concurrent reports of it are one result, one delivery and one job · EVT-1', async () => {
      const subscriber = await deliveries.subscriber()
      const { interview } = await subscriber.invite()
      const responses = await Promise.all(Array.from({ length: 10 }, () => report(interview.id, { scoring })))
      const statuses = responses.map(({ status }) => status).sort()
      assert.deepEqual(
        statuses,
        [200, 200, 200, 200, 200, 200, 200, 200, 200, 201],
        responses.map((one) => one.text).join(),
      )
      const [first] = responses
      assert.ok(first)
      for (const { body } of responses) assert.deepEqual(body, first.body)
      const delivery = await deliveryOf(first.body.resultId)
      assert.ok(delivery)
      assert.ok(await deliveries.job(delivery.id))
      const polled = await subscriber.call<{ data: unknown[] }>('GET', '/v1/interview-results')
      assert.equal(polled.body.data.length, 1)
    })

    test('of different concurrent ones the first counts and the others are rejected · EVT-1', async () => {
      const subscriber = await deliveries.subscriber()
      const { interview } = await subscriber.invite()
      const scores = [10, 20, 30, 40, 50]
      const responses = await Promise.all(
        scores.map((weighted_score) => report(interview.id, { scoring: { ...scoring, weighted_score } })),
      )
      const stored = responses.findIndex(({ status }) => status === 201)
      const statuses = responses.map(({ status }) => status).sort()
      assert.deepEqual(statuses, [201, 409, 409, 409, 409], responses.map((one) => one.text).join())
      const polled = await subscriber.call<{ data: { overallScore: number }[] }>('GET', '/v1/interview-results')
      assert.deepEqual(
        polled.body.data.map(({ overallScore }) => overallScore),
        [scores[stored]],
      )
    })

    test('opens nothing and is hidden from polling while incomplete; the final one has the same ID · EVT-2 RES-2', async () => {
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

    test('opens nothing if no webhook is enabled, even if one is enabled later · EVT-2', async () => {
      const { database, time } = deliveries.service
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
      assert.deepEqual((await listDeadLetters(database, {}, { limit: 10 })).data, [])
    })

    test('is returned by polling, oldest completion first, without the candidate or the scoring · RES-1 RES-3', async () => {
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

    test('is stored with 201 even if the queue is broken, and the record says so · DLV-7', async () => {
      const subscriber = await deliveries.subscriber()
      const { interview } = await subscriber.invite()
      const restore = await deliveries.breakQueue()
      const reported = await report(interview.id, { scoring })
      await restore()
      assert.equal(reported.status, 201)
      const delivery = await deliveryOf(reported.body.resultId)
      const expected = { status: 'FAILED', failureReason: 'ENQUEUE_FAILED', attempts: 0, lastError: null }
      assert.partialDeepStrictEqual(delivery, expected)
      const deliveryId = delivery?.id ?? ''
      assert.equal(await deliveries.job(deliveryId), null)
      assert.ok(deliveries.logged().includes(`the delivery of interview ${interview.id} could not be enqueued`))
      assert.equal((await report(interview.id, { scoring })).status, 200)
    })

    test('is never stored without its delivery, or the delivery without it', async () => {
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

    async function atOnce<Sent>(interviewId: string, requests: () => Promise<Sent>[]): Promise<Sent[]> {
      const hold = sql`select from interviews where id = ${interviewId} for update`
      return engine.name === 'PostgreSQL'
        ? raceOnLock(deliveries.service.database, hold, requests)
        : Promise.all(requests())
    }

    async function counts(interviewId: string) {
      const [row] = await deliveries.service.database.query(sql`
        select count(r.id) as results, bool_and(r.final) as final, count(d.id) as deliveries
        from interviews i left join results r on r.interview_id = i.id left join deliveries d on d.result_id = r.id
        where i.id = ${interviewId}`)
      return row
    }

    async function scoreOf(interviewId: string): Promise<number | undefined> {
      const [row] = await deliveries.service.database.query<{ score: number }>(sql`
        select overall_score as score from results where interview_id = ${interviewId}`)
      return row?.score
    }
  })
}
