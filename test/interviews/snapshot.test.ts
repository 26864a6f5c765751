import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import type { Database } from '../../server/database/database.ts'
import { endSnapshotAfter, isSnapshot, truncateSnapshot } from '../../server/interviews/snapshot.ts'
import { engines } from '../../support/engines.ts'

const noSnapshots: unknown[] = [
  ...[undefined, null, 7, [], ''],
  ...['1', '1:2', '1:2:3:4', 'a:b:', ' 1:2:', '1:2: ', '1:2:\n', '+1:2:', '-1:2:', '01:2:', '0x1:2:', '1.5:2:'],
  ...['0:9:', '5:3:', '3:9:5,4', '3:9:4,4', '3:9:9', '3:9:2', '3:9:,', '3:9:4,', '3:9:,4', '3:9:4;5'],
  // The lower 32 bits of a transaction ID are never 0, and no server has reached the sign bit.
  ...['3:4294967296:', '4294967296:4294967299:', '3:9223372036854775808:', '3:18446744073709551616:'],
  `3:99:${range(4, 36)}`,
]

describe('snapshots', () => {
  for (const value of noSnapshots) {
    test(`${JSON.stringify(value)} is not a snapshot`, () => assert.equal(isSnapshot(value), false))
  }

  for (const snapshot of ['3:3:', '752:752:', '10:20:10,14,19', '3:9223372036854775807:', `3:99:${range(4, 35)}`]) {
    test(`${snapshot} is a snapshot`, () => assert.equal(isSnapshot(snapshot), true))
  }
})

for (const engine of engines) {
  describe(`snapshots on ${engine.name}`, () => {
    let database: Database
    before(async () => {
      database = await engine.openEmpty()
    })
    after(() => database.close())

    async function shorten(snapshot: string) {
      const [row] = await database.query<{ text: string }>(
        sql`select ${truncateSnapshot(sql`${snapshot}::pg_snapshot`)}::text as text`,
      )
      return row?.text
    }

    test('the current snapshot of a statement is a snapshot', async () => {
      const [row] = await database.query<{ text: string }>(
        sql`select ${truncateSnapshot(sql`pg_current_snapshot()`)}::text as text`,
      )
      assert.ok(isSnapshot(row?.text), JSON.stringify(row))
    })

    for (const [snapshot, last, expected] of [
      ['10:20:10,14,19', '15', '10:16:10,14'],
      ['10:20:10,14,19', '19', '10:20:10,14,19'],
      ['10:20:10,14,19', '25', '10:20:10,14,19'],
      ['10:20:10,14,19', '5', '6:6:'],
      ['10:20:', null, '3:3:'],
      ['10:8589934592001:', '4294967295', '10:4294967299:'],
    ] as const) {
      test(`the snapshot ${snapshot} ends after ${last} as ${expected}`, async () => {
        const [row] = await database.query<{ text: string }>(
          sql`select ${endSnapshotAfter(sql`${snapshot}::pg_snapshot`, sql`${last}::xid8`)}::text as text`,
        )
        assert.equal(row?.text, expected)
        assert.ok(isSnapshot(row?.text))
      })
    }

    test('a snapshot with more than 32 open transactions ends at the 33rd', async () => {
      assert.equal(await shorten(`4:99:${range(4, 35)}`), `4:99:${range(4, 35)}`)
      assert.equal(await shorten(`4:99:${range(4, 36)}`), `4:36:${range(4, 35)}`)
      assert.equal(await shorten(`4:99:${range(4, 98)}`), `4:36:${range(4, 35)}`)
      assert.equal(await shorten('4:99:'), '4:99:')
    })

    test('PostgreSQL can parse everything that we accept as a snapshot', async () => {
      const id = fc.oneof(fc.nat({ max: 9 }), fc.bigInt({ min: 2n ** 32n - 3n, max: 2n ** 32n + 3n }), fc.nat())
      const parts = fc.tuple(id, id, fc.array(id, { maxLength: 5 }), fc.boolean())
      await fc.assert(
        fc.asyncProperty(parts, async ([xmin, xmax, inProgress, sorted]) => {
          const ids = sorted ? inProgress.sort((one, other) => (one < other ? -1 : 1)) : inProgress
          const text = `${xmin}:${xmax}:${ids}`
          if (isSnapshot(text)) assert.equal(await shorten(text), text)
        }),
        { numRuns: 500 },
      )
    })
  })
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
