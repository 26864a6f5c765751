import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseUnavailable } from '../../server/database/failures.ts'
import { waitOutOutage } from '../../server/database/outage.ts'

/** Work that takes some seconds and fails until the database is back. */
function outage({ tryTakes, lasts }: { tryTakes: number; lasts: number }) {
  let now = 1_000
  const start = now
  const reported: unknown[] = []
  const failure = new DatabaseUnavailable('away')
  async function work() {
    now += tryTakes
    if (now - start < lasts) throw failure
    return 'done'
  }
  const time = {
    seconds: () => now,
    async pause(milliseconds: number) {
      now += milliseconds / 1_000
    },
  }
  const result = waitOutOutage(work, (error) => reported.push(error), time)
  return { result, reported, failure, passed: () => now - start }
}

test('an outage is waited out, and reported once', async () => {
  const { result, reported, failure } = outage({ tryTakes: 0, lasts: 25 })
  assert.equal(await result, 'done')
  assert.deepEqual(reported, [failure])
})

test('after half a minute it is given up, however long each try takes', async () => {
  for (const tryTakes of [0, 5, 20]) {
    const { result, failure, passed } = outage({ tryTakes, lasts: 3_600 })
    await assert.rejects(result, failure)
    assert.ok(passed() >= 30 && passed() <= 31 + tryTakes, `${tryTakes}: ${passed()}`)
  }
})

test('other failures are not repeated', async () => {
  const broken = new Error('broken')
  let tries = 0
  const work = async () => {
    tries += 1
    throw broken
  }
  await assert.rejects(
    waitOutOutage(work, () => assert.fail('reported')),
    broken,
  )
  assert.equal(tries, 1)
})
