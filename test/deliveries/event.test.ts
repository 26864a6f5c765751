import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { buildEvent, type EventSource, eventHeaders, resultCompleted } from '../../server/deliveries/event.ts'
import { sampleScoring as scoring } from '../../server/workflows/sandbox.ts'
import { fieldsOf, hostile, markerText, theFields } from './event-fields.ts'

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('"', '\\', '\n\r\t', '\u2028\u2029', '</script>', '","thumbnail":{', '👩‍🚀', '\u0000', ''),
)
const points = fc.array(text, { maxLength: 5 })
const score = fc.double({ min: 0, max: 100, noNaN: true }).map((value) => value + 0)

const sources: fc.Arbitrary<EventSource> = fc.record({
  resultId: fc.constant('res_01m7efx4xwfztrm1s20bva7r58'),
  occurredAt: fc.constant('2026-01-02T03:04:05.678Z'),
  resultUrl: fc.constant('https://interviews.example/shared/interview-details/token'),
  completedAt: fc.constant('2026-01-02T03:04:05.000Z'),
  interviewId: fc.constant('int_01m7efx4xwfztrm1s20bva7r58'),
  template: fc.record({ id: text, name: text }),
  candidate: fc.record({ id: text, email: text, firstName: text, lastName: text }),
  scoring: fc.record({
    technical_score: score,
    technical_feedback: text,
    soft_skills_score: score,
    soft_skills_feedback: text,
    language_proficiency: score,
    language_proficiency_feedback: text,
    weighted_score: score,
    feedback: text,
    highlights: points,
    suggestions: points,
    duration: fc.nat(),
  }),
})

test('the body is JSON with exactly the fields of the contract, whatever the texts contain · EVT-3', () => {
  const property = fc.property(sources, fc.uint8Array({ maxLength: 300 }), (source, bytes) => {
    const dataBase64 = Buffer.from(bytes).toString('base64')
    const event = JSON.parse(buildEvent(source, dataBase64).toString('utf8'))
    assert.deepEqual(fieldsOf(event), theFields)
    assert.deepEqual(event.template, { ...source.template })
    assert.deepEqual(event.candidate, { ...source.candidate })
    assert.deepEqual(event.result.aiAnalysis.scoring, { ...source.scoring })
    assert.equal(event.thumbnail.dataBase64, dataBase64)
  })
  fc.assert(property)
})

test('the body matches the OpenAPI document · EVT-3', () => {
  const described = Compile(resultCompleted)
  const event = JSON.parse(String(buildEvent(sample(scoring), 'AAAA')))
  assert.deepEqual([...described.Errors(event)], [])
  assert.deepEqual(fieldsOf(described.Clean(structuredClone(event))), theFields)
})

test('the body contains only the eleven fields of a stored scoring · EVT-7', () => {
  const property = fc.property(hostile, (extra) => {
    const stored = JSON.parse(JSON.stringify({ ...extra, ...scoring }))
    const body = String(buildEvent(sample(stored), 'AAAA'))
    assert.doesNotMatch(body, markerText)
    assert.deepEqual(fieldsOf(JSON.parse(body)), theFields)
  })
  fc.assert(property)
})

test('the headers · EVT-8', () => {
  assert.deepEqual(eventHeaders('res_1', 't=1,v1=ab'), {
    'content-type': 'application/json',
    'x-service-event': 'result.completed',
    'x-service-event-id': 'external_result_completed_res_1',
    'x-service-idempotency-key': 'res_1',
    'x-service-signature': 't=1,v1=ab',
  })
})

function sample(stored: EventSource['scoring']): EventSource {
  return {
    resultId: 'res_01m7efx4xwfztrm1s20bva7r58',
    occurredAt: '2026-01-02T03:04:05.678Z',
    resultUrl: 'https://interviews.example/shared/interview-details/token',
    completedAt: '2026-01-02T03:04:05.000Z',
    interviewId: 'int_01m7efx4xwfztrm1s20bva7r58',
    template: { id: 'tpl_1', name: 'Backend engineer' },
    candidate: { id: 'cand_1', email: 'ada@example.com', firstName: 'Ada', lastName: '' },
    scoring: stored,
  }
}
