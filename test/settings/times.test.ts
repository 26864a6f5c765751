import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { inShort } from '../../web/src/parts/times.ts'

describe('times on the page', () => {
  test('59 minutes and 40 seconds are an hour', () => {
    const now = Date.parse('2026-06-15T12:00:00Z')
    const ago = (seconds: number) => inShort(new Date(now - seconds * 1_000).toISOString(), now)
    assert.deepEqual([44, 45, 59 * 60 + 29].map(ago), ['just now', '1 min ago', '59 min ago'])
    assert.deepEqual([59 * 60 + 40, 3_600, 23.4 * 3_600].map(ago), ['1 h ago', '1 h ago', '23 h ago'])
    assert.match(ago(23.6 * 3_600), /^Jun 1\d, /)
  })

  test('yesterday is the day before, also when a day has 23 or 25 hours', () => {
    const justAfterMidnight = '2026-03-09T00:30:00-04:00'
    const lateInTheEvening = '2026-11-01T23:30:00-05:00'
    const names = namesInNewYork([
      ['2026-03-09T00:10:00-04:00', justAfterMidnight],
      ['2026-03-08T12:00:00-04:00', justAfterMidnight],
      ['2026-03-07T12:00:00-05:00', justAfterMidnight],
      ['2026-10-31T12:00:00-04:00', lateInTheEvening],
    ])
    assert.deepEqual(names, ['Today', 'Yesterday', 'Saturday, March 7, 2026', 'Yesterday'])
  })
})

/** In a process of its own, because the time zone of this one is set once for all tests. */
function namesInNewYork(days: [time: string, now: string][]): string[] {
  const script = `
    const { namedDay } = await import('${new URL('../../web/src/parts/times.ts', import.meta.url)}')
    const names = ${JSON.stringify(days)}.map(([time, now]) => namedDay(time, Date.parse(now)))
    console.log(JSON.stringify(names))`
  const env = { ...process.env, TZ: 'America/New_York' }
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' }))
}
