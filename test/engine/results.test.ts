import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { type Deliveries, type Subscriber, scoring, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { engineToken, send } from '../../support/service.ts'

const nobody = 'int_01m7efx4xwfztrm1s20bva7r58'
const authorization = `Bearer ${engineToken}`
const text = 'must be text without NUL characters or unpaired surrogates'

// Invalid scoring fields and their errors.
const invalidFields: [object, string][] = [
  [{ technical_score: '82' }, 'scoring.technical_score must be a number between 0 and 100'],
  [{ technical_score: null }, 'scoring.technical_score must be a number between 0 and 100'],
  [{ soft_skills_score: -0.5 }, 'scoring.soft_skills_score must be a number between 0 and 100'],
  [{ language_proficiency: 100.1 }, 'scoring.language_proficiency must be a number between 0 and 100'],
  [{ weighted_score: 101 }, 'scoring.weighted_score must be a number between 0 and 100'],
  [{ duration: 12.5 }, 'scoring.duration must be an integer between 0 and 1000000'],
  [{ duration: -1 }, 'scoring.duration must be an integer between 0 and 1000000'],
  [{ feedback: 7 }, 'scoring.feedback must be a string'],
  [{ feedback: 'x'.repeat(10_001) }, 'scoring.feedback must be at most 10000 characters'],
  [{ technical_feedback: 'a\u0000b' }, `scoring.technical_feedback ${text}`],
  [{ soft_skills_feedback: '\ud800' }, `scoring.soft_skills_feedback ${text}`],
  [{ highlights: 'one' }, 'scoring.highlights must be a list'],
  [{ highlights: ['one', 2] }, 'scoring.highlights.1 must be a string'],
  [{ suggestions: ['\udc00'] }, `scoring.suggestions.0 ${text}`],
  [{ suggestions: Array(51).fill('x') }, 'scoring.suggestions must have at most 50 entries'],
]

for (const engine of engines) {
  describe(`the engine API for results on ${engine.name}`, () => {
    let deliveries: Deliveries
    let subscriber: Subscriber
    before(async () => {
      deliveries = await startDeliveries(engine)
      subscriber = await deliveries.subscriber()
    })
    after(() => deliveries?.close())

    const report = (id: string, result: object, query = '') =>
      deliveries.engine<{ resultId: string; resultUrl: string }>('PUT', `/interviews/${id}/result${query}`, result)
    const begin = async () => (await subscriber.invite()).interview.id

    test('a new result is 201; the same again, with keys in any order, is 200 with the same IDs; a different one is 409', async () => {
      const id = await begin()
      const result = { completedAt: '2026-02-01T00:00:00Z', scoring, analysis: { a: 1, b: { c: [1, 2], d: null } } }
      const stored = await report(id, result)
      assert.equal(stored.status, 201)
      assert.deepEqual(Object.keys(stored.body), ['resultId', 'resultUrl'])
      const turned = { analysis: { b: { d: null, c: [1, 2] }, a: 1 }, scoring: reversed(scoring) }
      for (const same of [result, { ...turned, completedAt: '2026-02-01T01:00:00+01:00' }]) {
        const again = await report(id, same)
        assert.deepEqual([again.status, again.body], [200, stored.body])
      }
      for (const other of [
        { ...result, scoring: { ...scoring, feedback: 'Other.' } },
        { ...result, scoring: { ...scoring, debug: 1 } },
        { ...result, analysis: { a: 1, b: { c: [2, 1], d: null } } },
        { ...result, completedAt: '2026-02-01T00:00:00.001Z' },
        { scoring },
      ]) {
        assertRefused(await report(id, other), 409, 'A different result is already stored')
      }
      assertRefused(await report(id, result, '?final=false'), 409, 'A different result is already stored')
    })

    test('an incomplete result can be replaced until the final one, and keeps its IDs', async () => {
      const id = await begin()
      const first = await report(id, { scoring }, '?final=false')
      assert.equal(first.status, 201)
      assert.deepEqual(await scoreOf(id), { score: 81.25, final: false, status: 'SCHEDULED' })
      assert.equal((await report(id, { scoring }, '?final=false')).status, 200)
      const better = { scoring: { ...scoring, weighted_score: 90 } }
      const second = await report(id, better, '?final=false')
      assert.deepEqual([second.status, second.body], [201, first.body])
      assert.deepEqual(await scoreOf(id), { score: 90, final: false, status: 'SCHEDULED' })
      const final = await report(id, better, '?final=true')
      assert.deepEqual([final.status, final.body], [201, first.body])
      assert.deepEqual(await scoreOf(id), { score: 90, final: true, status: 'COMPLETED' })
      assert.equal((await report(id, better)).status, 200)
    })

    test('an expired, failed or canceled interview accepts no result; any other does, and becomes COMPLETED', async () => {
      const { database, time } = deliveries.service
      for (const status of ['FAILED', 'CANCELLED', 'EXPIRED']) {
        const id = await begin()
        await database.query(sql`update interviews set status = ${status} where id = ${id}`)
        for (const query of ['', '?final=false']) {
          assertRefused(await report(id, { scoring }, query), 409, `Interview is ${status} and takes no result`)
        }
        assert.equal(await scoreOf(id), undefined)
      }
      for (const status of ['SCHEDULED', 'IN_PROGRESS', 'PAUSED', 'PROCESSING', 'COMPLETED']) {
        const id = await begin()
        await database.query(sql`update interviews set status = ${status} where id = ${id}`)
        assert.equal((await report(id, { scoring })).status, 201)
        assert.deepEqual(await scoreOf(id), { score: 81.25, final: true, status: 'COMPLETED' })
      }
      const late = await begin()
      const before = time.now
      time.now = new Date(before.getTime() + 30 * 86_400_000)
      assertRefused(await report(late, { scoring }), 409, 'Interview is EXPIRED and takes no result')
      time.now = before
    })

    test('a result for an unknown interview is 404', async () => {
      for (const id of [nobody, 'int_x', '%00', 'res_01m7efx4xwfztrm1s20bva7r58']) {
        assertRefused(await report(id, { scoring }), 404, 'Interview not found')
      }
    })

    test('an invalid scoring is 400 and names each field, and nothing is stored', async () => {
      const id = await begin()
      for (const [change, error] of invalidFields) {
        assertRefused(await report(id, { scoring: { ...scoring, ...change } }), 400, error)
      }
      for (const name of Object.keys(scoring)) {
        const { [name]: _left, ...rest } = Object.fromEntries(Object.entries(scoring))
        assertRefused(await report(id, { scoring: rest }), 400, `scoring.${name} is required`)
      }
      const two = { ...scoring, duration: 'long', feedback: null }
      const both = 'scoring.feedback must be a string; scoring.duration must be an integer between 0 and 1000000'
      assertRefused(await report(id, { scoring: two }), 400, both)
      assert.equal(await scoreOf(id), undefined)
    })

    test('any other invalid field is 400', async () => {
      const id = await begin()
      for (const [body, query, error] of [
        [{}, '', 'scoring is required'],
        [{ scoring: [] }, '', 'scoring must be an object'],
        [{ scoring, analysis: 'text' }, '', 'analysis must be an object'],
        [
          { scoring, completedAt: 'yesterday' },
          '',
          'completedAt must be an ISO 8601 time such as 2026-01-02T03:04:05.678Z',
        ],
        [{ scoring, transcript: [] }, '', 'Unknown field: transcript'],
        [{ scoring }, '?final=maybe', 'final must be one of true, false'],
        [{ scoring }, '?draft=true', 'Unknown query parameter: draft'],
      ] as const) {
        assertRefused(await report(id, body, query), 400, error)
      }
      const headers = { authorization, 'content-type': 'application/json' }
      const path = `/internal/v1/interviews/${id}/result`
      for (const broken of ['{"scoring":', '', 'null', new Uint8Array([0x7b, 0xff, 0x7d])]) {
        const response = await send(deliveries.service.url, 'PUT', path, headers, broken)
        assert.equal(response.status, 400, response.text)
      }
    })

    test('completedAt must be between 2000-01-01 and a day from now', async () => {
      const { now } = deliveries.service.time
      const inADay = (more: number) => new Date(now.getTime() + 86_400_000 + more).toISOString()
      const id = await begin()
      const refused = ['0000-01-01T00:00:00Z', '1999-12-31T23:59:59.999Z', inADay(1), '9999-12-31T23:59:59Z']
      for (const completedAt of refused) {
        const response = await report(id, { scoring, completedAt })
        assertRefused(response, 400, 'completedAt must be between 2000-01-01 and a day from now')
      }
      assert.equal(await scoreOf(id), undefined)
      for (const completedAt of ['2000-01-01T00:00:00Z', inADay(0)]) {
        assert.equal((await report(await begin(), { scoring, completedAt })).status, 201)
      }
    })

    async function scoreOf(interviewId: string) {
      const [row] = await deliveries.service.database.query<{ score: number; final: boolean; status: string }>(sql`
        select overall_score as score, final, i.status
        from results r join interviews i on i.id = r.interview_id where interview_id = ${interviewId}`)
      return row
    }
  })
}

function reversed(object: object): object {
  return Object.fromEntries(Object.entries(object).reverse())
}
