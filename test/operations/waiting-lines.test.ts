import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createWaitingLines } from '../../server/operations/waiting-lines.ts'

function open(t: TestContext) {
  t.mock.timers.enable({ apis: ['Date', 'setTimeout'], now: Date.parse('2026-03-01T10:00:00Z') })
  const written: string[] = []
  const destination = { write: (text: string) => written.push(text), flush: () => {}, flushSync: () => {} }
  const lines = createWaitingLines(destination, { base: null })
  return { lines, written, parsed: () => written.map((text): Record<string, unknown> => JSON.parse(text)) }
}

test('lines wait a tenth of a second for others, and have the time at which they were logged', (t) => {
  const { lines, written, parsed } = open(t)
  lines.add({ number: 1 }, 'one')
  t.mock.timers.tick(70)
  lines.add({ number: 2 }, 'two')
  t.mock.timers.tick(29)
  assert.deepEqual(written, [])
  t.mock.timers.tick(1)
  assert.deepEqual(parsed(), [
    { level: 'info', time: '2026-03-01T10:00:00.000Z', number: 1, msg: 'one' },
    { level: 'info', time: '2026-03-01T10:00:00.070Z', number: 2, msg: 'two' },
  ])
})

test('enough lines do not wait', (t) => {
  const { lines, written } = open(t)
  for (let number = 1; number <= 64; number++) lines.add({ number }, 'line')
  assert.equal(written.length, 64)
  t.mock.timers.tick(100)
  assert.equal(written.length, 64)
})
