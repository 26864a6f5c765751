import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import type { Database } from '../../server/database/database.ts'
import { claimRun, startScheduled } from '../../server/operations/scheduler.ts'
import { engines } from '../../support/engines.ts'
import { eventually } from '../../support/process.ts'

for (const engine of engines) {
  describe(`scheduled work on ${engine.name}`, () => {
    let database: Database
    before(async () => {
      database = await engine.open()
    })
    after(() => database?.close())

    const elapse = (seconds: number) =>
      database.query(sql`update turns set taken_at = taken_at - ${seconds}::float8 * interval '1 second'`)

    test('one of many processes runs in each interval', async () => {
      const due = async () => {
        const asked = Array.from({ length: 8 }, () => claimRun(database, 'test', 60))
        return (await Promise.all(asked)).filter(Boolean).length
      }
      const after = async (seconds: number) => {
        await elapse(seconds)
        return due()
      }
      assert.deepEqual([await due(), await after(30), await after(20), await after(10)], [1, 0, 0, 1])
      assert.deepEqual([await after(1), await after(400)], [0, 1])
      assert.equal(await claimRun(database, 'other', 60), true)
    })

    test('a run before the clock was set back does not block later ones', async () => {
      assert.equal(await claimRun(database, 'ahead', 60), true)
      await elapse(-7_200)
      assert.deepEqual([await claimRun(database, 'ahead', 60), await claimRun(database, 'ahead', 60)], [true, false])
    })

    test('work that takes longer than its interval runs in no other process meanwhile', async () => {
      let running = 0
      let most = 0
      let ended = 0
      let holds = 0
      const watched: Database = {
        ...database,
        async query(statement, use) {
          const rows = await database.query<never>(statement, use)
          if (running > 0 && statement.text.startsWith('update turns')) holds += 1
          return rows
        },
      }
      const work = async () => {
        running += 1
        most = Math.max(most, running)
        const before = holds
        await eventually(async () => holds >= before + 10)
        running -= 1
        ended += 1
      }
      const report = (problem: string, error: unknown) => assert.fail(`${problem}: ${error}`)
      const processes = [1, 2].map(() =>
        startScheduled({ database: watched, name: 'long work', intervalSeconds: 0.2, work, report }),
      )
      try {
        assert.ok(await eventually(async () => ended >= 2))
      } finally {
        for (const one of processes) await one.stop()
      }
      assert.equal(most, 1)
    })

    test('work runs in one process at a time, and continues after a failure', async () => {
      let runs = 0
      let attempts = 0
      const errors: string[] = []
      const watched: Database = {
        ...database,
        query(statement) {
          attempts += 1
          return database.query(statement)
        },
      }
      const work = async () => {
        runs += 1
        if (runs === 2) throw new Error('the queue is unavailable')
      }
      const report = (error: string) => void errors.push(error)
      const processes = [1, 2].map(() =>
        startScheduled({ database: watched, name: 'work', intervalSeconds: 0.02, work, report }),
      )
      try {
        assert.ok(await eventually(async () => runs >= 4))
      } finally {
        for (const one of processes) await one.stop()
      }
      assert.ok(attempts >= runs)
      assert.deepEqual(errors, ['work failed; retrying at the next interval'])
    })
  })
}
