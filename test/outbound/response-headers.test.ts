import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepHeaders, notStored, retryAfterSeconds } from '../../server/outbound/response-headers.ts'

const now = new Date('2026-03-01T12:00:00.000Z')

test('Retry-After is a number of seconds or a date, by the receiver’s clock if it tells · DLV-19', () => {
  const cases: [headers: Record<string, string | string[]>, seconds: number | null][] = [
    [{}, null],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': ' 120 ' }, 120],
    [{ 'retry-after': ['7', '9'] }, 7],
    [{ 'retry-after': 'Sun, 01 Mar 2026 12:01:30 GMT' }, 90],
    [{ 'retry-after': 'Sun, 01 Mar 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after': 'Sun, 01 Mar 2026 13:00:10 GMT', date: 'Sun, 01 Mar 2026 13:00:00 GMT' }, 10],
    [{ 'retry-after': 'Sun, 01 Mar 2026 12:00:10 GMT', date: 'now' }, 10],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': '-5' }, null],
    [{ 'retry-after': '1.5' }, null],
    [{ 'retry-after': '99999999999999999999' }, null],
    [{ 'retry-after': '' }, null],
  ]
  for (const [headers, seconds] of cases) {
    assert.equal(retryAfterSeconds(headers, now), seconds, JSON.stringify(headers))
  }
})

test('kept headers are bounded in number and size, and hold no secrets', () => {
  const kept = keepHeaders({
    server: 'nginx',
    'set-cookie': ['a=1', 'b=2'],
    authorization: 'Bearer x',
    'x-api-key': 'x',
    'x-csrf-token': 'x',
    via: ['1.1 a', '1.1 b'],
    nul: 'a\0b',
    gone: undefined,
  })
  assert.deepEqual(kept, [
    ['server', 'nginx'],
    ['set-cookie', notStored],
    ['set-cookie', notStored],
    ['authorization', notStored],
    ['x-api-key', notStored],
    ['x-csrf-token', notStored],
    ['via', '1.1 a'],
    ['via', '1.1 b'],
    ['nul', 'ab'],
  ])
  // A character cut in half could not be stored.
  const [[, cut = ''] = []] = keepHeaders({ x: `${'a'.repeat(499)}👍b` })
  assert.ok(cut.isWellFormed() && cut.endsWith('\ufffd…'), JSON.stringify(cut.slice(-5)))
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x-${index}`, 'y']))
  assert.equal(keepHeaders(many).length, 50)
  const long = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`x-${index}`, 'y'.repeat(10_000)]))
  assert.ok(JSON.stringify(keepHeaders(long)).length < 5_000)
})
