import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Database } from '../../server/database/database.ts'
import { eraseDeliveries } from '../../server/deliveries/erase-deliveries.ts'
import { createRetryRunner, retryBatch, startRetryRunner } from '../../server/deliveries/retry-runner.ts'
import {
  countFailed,
  currentRetryRun,
  type FailedFilter,
  findRetryRun,
  startRetryRun,
} from '../../server/deliveries/retry-runs.ts'
import { listActivity } from '../../server/organizations/activity.ts'
import { createOrganization } from '../../server/organizations/organizations.ts'
import { engines } from '../../support/engines.ts'
import { eventually } from '../../support/process.ts'
import { readJobs } from '../../support/queue-hooks.ts'
import { type DeliveryToStore, storeDeliveries } from '../../support/stored-deliveries.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const seconds = (count: number) => new Date(now.getTime() + count * 1000)
const actor = 'ada@example.com'

for (const engine of engines) {
  describe(`retrying all failed deliveries on ${engine.name}`, () => {
    let database: Database
    before(async () => {
      database = await engine.open()
    })
    after(() => database.close())

    const failedRow = (index: number): DeliveryToStore => ({
      email: `person.${index}@example.com`,
      status: 'FAILED',
      error: index % 3 === 0 ? 'TIMEOUT' : 'HTTP_4XX',
      createdAt: seconds(-10_000 + Math.floor(index / 2)),
    })
    const organizationWith = async (count: number, also: DeliveryToStore[] = []) => {
      const { id } = await createOrganization(database, 'Acme', now)
      const rows = [...Array.from({ length: count }, (_, index) => failedRow(index)), ...also]
      return { organizationId: id, rows: await storeDeliveries(database, id, rows) }
    }
    const states = (organizationId: string) =>
      database.query<{ id: string; status: string; attempts: number; round: number }>(sql`
        select id, status, attempts, round from deliveries where organization_id = ${organizationId} order by id`)
    const start = (organizationId: string, filter: FailedFilter = {}) =>
      startRetryRun(database, { organizationId, actor, filter }, now)
    const read = async (organizationId: string, id: string) => {
      const run = await findRetryRun(database, organizationId, id)
      assert.ok(run)
      return run
    }
    const finish = async () => {
      while ((await retryBatch(database, seconds(60))) !== null);
    }

    test('a process that dies halfway loses nothing and retries nothing twice · DLV-9', async () => {
      const delivered: DeliveryToStore = { email: 'x@example.com', status: 'DELIVERED', createdAt: now }
      const { organizationId } = await organizationWith(1_200, [delivered])
      const other = await organizationWith(1)
      const run = await start(organizationId)
      assert.deepEqual(run, {
        id: run.id,
        total: 1_200,
        done: 0,
        startedAt: now.toISOString(),
        finishedAt: null,
        startedBy: actor,
      })
      assert.equal(await retryBatch(database, seconds(1)), run.id)

      // The second batch is done, but the process dies before the commit.
      const dying: Database = {
        ...database,
        transaction: (work) =>
          database.transaction(async (transaction) => {
            await work(transaction)
            throw new Error('killed')
          }),
      }
      await assert.rejects(retryBatch(dying, seconds(2)), /killed/)
      assert.equal((await read(organizationId, run.id)).done, 500)

      // In the meantime one delivery of the first batch has failed again, which is left alone, and a newer one has failed,
      // which is retried too.
      const retried = (await states(organizationId)).filter(({ status }) => status === 'PENDING')
      assert.equal(retried.length, 500)
      const again = retried[0]?.id ?? ''
      await database.query(sql`
        update deliveries set status = 'FAILED', failure_reason = 'RECEIVER_REJECTED', attempts = 1,
          updated_at = ${seconds(30)} where id = ${again}`)
      await storeDeliveries(database, organizationId, [{ ...failedRow(0), createdAt: seconds(30) }])

      const problems: unknown[] = []
      const report = (_: string, error: unknown) => problems.push(error)
      const retrying = startRetryRunner({ database, clock: () => seconds(60), report, intervalSeconds: 0.01 })
      await eventually(async () => (await read(organizationId, run.id)).finishedAt !== null)
      await retrying.stop()
      assert.deepEqual(problems, [])
      assert.partialDeepStrictEqual(await read(organizationId, run.id), {
        total: 1_201,
        done: 1_201,
        finishedAt: seconds(60).toISOString(),
      })
      const after = await states(organizationId)
      const stillFailed = after.filter(({ status }) => status === 'FAILED').map(({ id }) => id)
      assert.deepEqual(stillFailed, [again])
      const pending = after.filter(({ status }) => status === 'PENDING')
      assert.equal(pending.length, 1_200)
      assert.ok(pending.every(({ attempts }) => attempts === 0))
      assert.ok(
        pending.every(({ round }) => round === 2),
        'a delivery was retried twice',
      )
      const waiting = await readJobs(database)
      assert.equal(waiting.filter((job) => job.organizationId === organizationId && job.round === 2).length, 1_201)
      assert.deepEqual(
        (await states(other.organizationId)).map(({ status }) => status),
        ['FAILED'],
      )
    })

    test('a run that finds nothing to retry for long does not hold up another organization’s', async () => {
      const [long, short] = [await organizationWith(2_000), await organizationWith(600)]
      // Each of its batches examines failed deliveries and retries none.
      const nothing = await start(long.organizationId, { search: 'nobody' })
      await database.query(sql`update retry_runs set finished_at = null where id = ${nothing.id}`)
      const run = await start(short.organizationId)
      const served: (string | null)[] = []
      for (let last: string | null = ''; last !== null; served.push(last)) {
        last = await retryBatch(database, seconds(60), last)
      }
      assert.deepEqual(served.slice(0, 4), [nothing.id, run.id, nothing.id, run.id])
      assert.equal((await read(short.organizationId, run.id)).done, 600)
    })

    test('two processes at once share the work', async () => {
      const { organizationId } = await organizationWith(1_100)
      const run = await start(organizationId)
      const report = (problem: string, error: unknown) => assert.fail(`${problem}: ${error}`)
      const [one, two] = [0, 1].map(() => createRetryRunner({ database, clock: () => seconds(60), report }))
      one?.resume()
      two?.resume()
      await eventually(async () => (await read(organizationId, run.id)).finishedAt !== null)
      await Promise.all([one?.stop(), two?.stop()])
      assert.equal((await read(organizationId, run.id)).done, 1_100)
      assert.equal(await countFailed(database, organizationId, {}), 0)
    })

    test('only deliveries that match the filter are counted and retried, and the activity says how many · SET-4 SET-6', async () => {
      const { organizationId, rows } = await organizationWith(30)
      const expected: [FailedFilter, number, string][] = [
        [{ search: 'PERSON.7@' }, 1, 'matching PERSON.7@'],
        [{ search: rows[4]?.resultId ?? '' }, 1, `matching ${rows[4]?.resultId}`],
        [{ error: 'TIMEOUT', from: seconds(-10_000), to: seconds(-9_998) }, 2, 'TIMEOUT, from '],
        [{ search: 'person.2' }, 11, 'matching'],
        [{ error: 'DNS' }, 0, ''],
      ]
      for (const [filter, count, detail] of expected) {
        const before = await countFailed(database, organizationId, {})
        assert.equal(await countFailed(database, organizationId, filter), count, JSON.stringify(filter))
        const run = await start(organizationId, filter)
        assert.equal(run.total, count)
        await finish()
        assert.partialDeepStrictEqual(await read(organizationId, run.id), { done: count })
        assert.ok((await read(organizationId, run.id)).finishedAt)
        assert.equal(await countFailed(database, organizationId, {}), before - count)
        assert.equal(await countFailed(database, organizationId, filter), 0)
        const activity = await listActivity(database, organizationId, { limit: 1 })
        assert.ok(activity !== 'invalid_cursor')
        const subject = count === 1 ? '1 failed delivery' : `${count} failed deliveries`
        if (count === 0) continue
        assert.partialDeepStrictEqual(activity.data[0], { actor, action: 'deliveries.retried', subject })
        assert.ok(activity.data[0]?.detail?.startsWith(detail))
      }
    })

    test('deliveries of erased candidates are neither counted nor retried, also not if erased during the run · SET-4', async () => {
      const { organizationId, rows } = await organizationWith(6)
      const erase = (row: (typeof rows)[number] | undefined) =>
        database.transaction((transaction) => eraseDeliveries(transaction, [row?.resultId ?? ''], now))
      await erase(rows[0])
      const expected: [FailedFilter, number][] = [
        [{}, 5],
        [{ search: 'person' }, 5],
        [{ error: 'TIMEOUT' }, 1],
        [{ search: rows[0]?.id ?? '' }, 0],
      ]
      for (const [filter, count] of expected) {
        assert.equal(await countFailed(database, organizationId, filter), count, JSON.stringify(filter))
      }
      const run = await start(organizationId)
      await erase(rows[1])
      await finish()
      assert.partialDeepStrictEqual(await read(organizationId, run.id), { total: 5, done: 4 })
      const erased = [rows[0]?.id, rows[1]?.id]
      for (const { id, status } of await states(organizationId)) {
        assert.equal(status, erased.includes(id) ? 'FAILED' : 'PENDING')
      }
      assert.equal(await countFailed(database, organizationId, {}), 0)
    })

    test('the current run is the organization’s newest of the last hour', async () => {
      const { organizationId } = await organizationWith(1)
      const other = await createOrganization(database, 'Other', now)
      assert.equal(await currentRetryRun(database, organizationId, now), null)
      const run = await start(organizationId)
      assert.deepEqual(
        await currentRetryRun(database, organizationId, seconds(86_400)),
        run,
        'an unfinished run stays current',
      )
      await finish()
      assert.equal((await currentRetryRun(database, organizationId, seconds(3_599)))?.done, 1)
      assert.equal(await currentRetryRun(database, organizationId, seconds(3_601)), null)
      assert.equal(await currentRetryRun(database, other.id, now), null)
      assert.equal(await findRetryRun(database, other.id, run.id), null)
      assert.equal(await findRetryRun(database, organizationId, 'run_x'), null)
    })

    test('a run requested just as the last one ends is not forgotten', async () => {
      for (let steps = 0; steps < 20; steps++) {
        let looks = 0
        const watched: Database = {
          ...database,
          transaction(work) {
            looks += 1
            return work({ ...database, query: async () => [] })
          },
        }
        const runner = createRetryRunner({ database: watched, clock: () => seconds(60), report: () => {} })
        runner.resume()
        for (let step = 0; step < steps; step++) await null
        const before = looks
        runner.resume()
        await setImmediate()
        assert.ok(looks > before, `after ${steps} steps`)
      }
    })
  })
}
