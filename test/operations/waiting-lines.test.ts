import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createWaitingLines } from '../../server/operations/waiting-lines.ts'

function open(t: TestContext, { maxBytes = 65_536 } = {}) {
  t.mock.timers.enable({ apis: ['Date', 'setTimeout'], now: Date.parse('2026-03-01T10:00:00Z') })
  const written: string[] = []
  const destination = { write: (text: string) => written.push(text), flush: () => {}, flushSync: () => {} }
  const lines = createWaitingLines(destination, { base: null, maxBytes })
  const texts = () => written.join('').split('\n').slice(0, -1)
  return { lines, written, texts, parsed: () => texts().map((text): Record<string, unknown> => JSON.parse(text)) }
}

test('lines wait a tenth of a second for others, and have the time at which they were logged', (t) => {
  const { lines, written, parsed } = open(t)
  lines.add({ number: 1 }, 'one')
  t.mock.timers.tick(70)
  lines.add({ number: 2 }, 'two')
  t.mock.timers.tick(29)
  assert.deepEqual(written, [])
  t.mock.timers.tick(1)
  assert.equal(written.length, 1)
  assert.deepEqual(parsed(), [
    { level: 'info', time: '2026-03-01T10:00:00.000Z', number: 1, msg: 'one' },
    { level: 'info', time: '2026-03-01T10:00:00.070Z', number: 2, msg: 'two' },
  ])
})

test('enough lines do not wait, and are written at once', (t) => {
  const { lines, written, texts } = open(t)
  for (let number = 1; number <= 64; number++) lines.add({ number }, 'line')
  assert.equal(written.length, 1)
  assert.equal(texts().length, 64)
  t.mock.timers.tick(100)
  assert.equal(written.length, 1)
})

test('no more is written at once than asked for, counted in bytes', (t) => {
  const { lines, written, texts } = open(t, { maxBytes: 4_096 })
  for (let number = 1; number <= 64; number++) lines.add({ text: 'ü'.repeat(400) }, 'line')
  assert.equal(texts().length, 64)
  assert.ok(Math.max(...written.map((chunk) => Buffer.byteLength(chunk))) <= 4_096)
  assert.ok(written.length < 32)
})

test('a line that is longer than that is written alone', (t) => {
  const { lines, written } = open(t, { maxBytes: 4_096 })
  for (const length of [10_000, 10, 10]) lines.add({ text: 'x'.repeat(length) }, 'line')
  t.mock.timers.tick(100)
  assert.deepEqual(
    written.map((chunk) => chunk.split('\n').length - 1),
    [1, 2],
  )
})
