import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { type Deliveries, type Subscriber, scoring, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { assertErrorShape, assertRefused } from '../../support/error-responses.ts'
import { engineToken, send } from '../../support/service.ts'
import { hostile } from '../deliveries/event-fields.ts'

const mebibyte = 1024 * 1024

for (const engine of engines) {
  describe(`odd, huge and hostile reports on ${engine.name}`, () => {
    let deliveries: Deliveries
    let subscriber: Subscriber
    before(async () => {
      deliveries = await startDeliveries(engine)
      subscriber = await deliveries.subscriber()
    })
    after(() => deliveries?.close())

    const begin = async () => (await subscriber.invite()).interview.id
    const reportText = (id: string, body: string, headers: Record<string, string> = {}) =>
      send(
        deliveries.service.url,
        'PUT',
        `/internal/v1/interviews/${id}/result`,
        { authorization: `Bearer ${engineToken}`, 'content-type': 'application/json', ...headers },
        body,
      )
    const withAnalysis = (analysis: string) => `{"scoring":${JSON.stringify(scoring)},"analysis":${analysis}}`

    for (const [name, analysis] of [
      ['no fields', '{}'],
      ['NUL characters', '{"text":"a\\u0000b","\\u0000":1}'],
      ['unpaired surrogates', '{"text":"\\ud800","\\udfff":"\\udc00\\ud800"}'],
      [
        'names with a meaning in JavaScript',
        '{"__proto__":{"polluted":true},"constructor":{"prototype":1},"toJSON":"x"}',
      ],
      ['the same name twice', '{"a":1,"a":2}'],
      ['extreme numbers', '{"a":1e400,"b":-0,"c":123456789012345678901234567890,"d":1e-400}'],
      ['names the service uses itself', '{"transcript":[],"chapters":{},"whiteboard":null,"scoring":{"feedback":1}}'],
      ['a hundred levels', `{"a":${'['.repeat(99)}${']'.repeat(99)}}`],
    ] as const) {
      test(`an analysis with ${name} is stored unchanged`, async () => {
        const id = await begin()
        assert.equal((await reportText(id, withAnalysis(analysis))).status, 201)
        assert.equal((await reportText(id, withAnalysis(analysis))).status, 200)
        const [stored] = await deliveries.service.database.query<{ analysis: unknown }>(
          sql`select analysis::text from results where interview_id = ${id}`,
        )
        assert.equal(stored?.analysis, JSON.stringify(JSON.parse(analysis)))
        assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false)
      })
    }

    test('deep nesting is 400, however deep', async () => {
      const id = await begin()
      for (const levels of [101, 5_000, 500_000]) {
        const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`
        assertRefused(await reportText(id, withAnalysis(`{"a":${deep}}`)), 400, 'Request body is nested too deeply')
        const scored = `{"scoring":{"x":${deep},${JSON.stringify(scoring).slice(1)}}`
        assertRefused(await reportText(id, scored), 400, 'Request body is nested too deeply')
      }
    })

    test('8 MiB are accepted, one byte more is 413', async () => {
      const filled = (length: number) => {
        const empty = withAnalysis('{"transcript":""}')
        return empty.replace('""', `"${'x'.repeat(length - Buffer.byteLength(empty))}"`)
      }
      const id = await begin()
      assertRefused(await reportText(id, filled(8 * mebibyte + 1)), 413, 'Request body is too large')
      assert.equal((await reportText(id, filled(8 * mebibyte))).status, 201)
    })

    test('a report with thousands of errors is rejected like one with a few', async () => {
      const id = await begin()
      const zeros = Array(20_000).fill(0).join()
      const scored = JSON.stringify({ ...scoring, highlights: [] }).replace(
        '"highlights":[]',
        `"highlights":[${zeros}]`,
      )
      const response = await reportText(id, `{"scoring":${scored}}`)
      assert.equal(response.status, 400)
      assertErrorShape(response)
      const names = Array.from({ length: 20_000 }, (_, index) => `"n${index}":0`).join()
      const unknown = await reportText(id, `{${names}}`)
      assert.equal(unknown.status, 400)
      assertErrorShape(unknown)
      assert.equal((await reportText(id, withAnalysis('{}'))).status, 201)
    })

    test('no report causes a 5xx', async () => {
      const id = await begin()
      const ids = fc.oneof(
        fc.constantFrom(
          id,
          'int_01m7efx4xwfztrm1s20bva7r58',
          'int_',
          '..',
          '%2e%2e',
          '%00',
          '%ff',
          '%zz',
          ' ',
          'A'.repeat(43),
        ),
        fc.string({ maxLength: 60 }).map(encodeURIComponent),
      )
      const paths = fc.oneof(
        fc
          .tuple(ids, fc.constantFrom('status', 'thumbnail', 'result', ''))
          .map(([one, what]) => `/interviews/${one}/${what}`),
        ids.map((one) => `/invitations/${one}`),
        fc.webPath(),
      )
      const queries = fc.oneof(
        fc.constantFrom('', '?final=false', '?final=true', '?final=false&final=true', '?%00'),
        fc.webQueryParameters().map((text) => `?${text}`),
      )
      const types = fc.constantFrom(
        'application/json',
        'application/json; charset=utf-16',
        'image/jpeg',
        'text/plain',
        '',
      )
      const results = fc.tuple(fc.option(hostile), fc.option(hostile)).map(([analysis, extra]) => ({
        scoring: { ...scoring, ...extra },
        ...(analysis && { analysis }),
      }))
      const bodies = fc.oneof(
        fc
          .oneof(results, fc.jsonValue(), fc.record({ status: fc.string() }), hostile)
          .map((value) => Buffer.from(JSON.stringify(value))),
        fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      )
      const methods = fc.constantFrom('GET', 'POST', 'PUT', 'PUT', 'PATCH', 'DELETE')
      const property = fc.asyncProperty(
        methods,
        paths,
        queries,
        types,
        bodies,
        async (method, path, query, type, body) => {
          const headers = { authorization: `Bearer ${engineToken}`, ...(type !== '' && { 'content-type': type }) }
          const sent = method === 'GET' ? undefined : new Uint8Array(body)
          const response = await send(deliveries.service.url, method, `/internal/v1${path}${query}`, headers, sent)
          assert.ok(response.status < 500, `${response.status} ${response.text}`)
          if (response.status >= 400) assertErrorShape(response)
        },
      )
      await fc.assert(property, { numRuns: 200 })
      assert.equal((await fetch(`${deliveries.service.url}/readyz`)).status, 200)
    })
  })
}
