import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Queryable } from '../../server/database/database.ts'
import { requestsPerWindow } from '../../server/organizations/authenticate.ts'
import { readKeyUsage } from '../../server/organizations/key-usage.ts'
import { listRequests, type RequestFilter, type RequestToLog } from '../../server/organizations/request-log.ts'
import { createRequestRecorder } from '../../server/organizations/request-recorder.ts'
import { engines } from '../../support/engines.ts'
import { type Service, startService } from '../../support/service.ts'

for (const engine of engines) {
  describe(`the request recorder on ${engine.name}`, () => {
    let service: Service
    before(async () => {
      service = await startService(engine)
    })
    after(() => service.close())

    test('requests are counted by key and status, added up over batches and processes', async () => {
      const { database } = service
      const report = () => assert.fail('nothing failed')
      const [one, other] = [createRequestRecorder({ database, report }), createRequestRecorder({ database, report })]
      for (const recorder of [one, other]) {
        for (const status of [200, 200, 429]) recorder.record(answered('key_a', status))
        recorder.record(answered('key_b', 500))
      }
      await Promise.all([one.stop(), other.stop()])
      const usage = await readKeyUsage(database, ['key_a', 'key_b', 'key_c'])
      assert.deepEqual(
        ['key_a', 'key_b', 'key_c'].map((id) => usage.get(id)?.lastDay),
        [
          [
            { status: 200, requests: 4 },
            { status: 429, requests: 2 },
          ],
          [{ status: 500, requests: 2 }],
          [],
        ],
      )
    })

    test('requests are listed newest first, found by request ID, and filtered by key and error', async () => {
      const { database } = service
      const recorder = createRequestRecorder({ database, report: () => assert.fail('nothing failed') })
      const of = { organizationId: 'org_log' }
      for (let number = 1; number <= 5; number++) {
        recorder.record({ ...answered(`key_${number % 2}`, number === 3 ? 404 : 200), ...of, requestId: `r${number}` })
      }
      recorder.record({ ...answered('key_1', 200), requestId: 'r1' })
      await recorder.stop()
      const list = async (filter: RequestFilter & { cursor?: string }, limit = 10) => {
        const page = await listRequests(database, 'org_log', { limit, ...filter })
        assert.ok(page !== 'invalid_cursor')
        return page
      }
      const ids = async (filter: RequestFilter) => (await list(filter)).data.map(({ requestId }) => requestId)
      assert.deepEqual(await ids({}), ['r5', 'r4', 'r3', 'r2', 'r1'])
      assert.deepEqual(await ids({ requestId: 'r1' }), ['r1'], 'of this organization only')
      assert.deepEqual(await ids({ keyId: 'key_0' }), ['r4', 'r2'])
      assert.deepEqual(await ids({ onlyErrors: true }), ['r3'])
      const first = await list({}, 2)
      const second = await list({ cursor: first.nextCursor ?? '' }, 3)
      assert.deepEqual(
        second.data.map(({ requestId }) => requestId),
        ['r3', 'r2', 'r1'],
      )
      assert.equal(second.nextCursor, null)
      assert.equal(await listRequests(database, 'org_log', { limit: 1, cursor: 'x' }), 'invalid_cursor')
    })

    test('of the requests over the limit, one per key and minute is logged · ROB-4', async () => {
      const { database } = service
      const recorder = createRequestRecorder({ database, report: () => assert.fail('nothing failed') })
      for (let count = 0; count < 50; count++) {
        recorder.record({ ...answered('key_busy', 429), organizationId: 'org_busy', requestId: `r${count}` })
      }
      await recorder.stop()
      const page = await listRequests(database, 'org_busy', { limit: 100 })
      assert.ok(page !== 'invalid_cursor')
      assert.deepEqual(
        page.data.map(({ requestId }) => requestId),
        ['r0'],
      )
      const usage = await readKeyUsage(database, ['key_busy'])
      assert.deepEqual(usage.get('key_busy')?.lastDay, [{ status: 429, requests: 50 }])
    })

    test('requests that began a minute earlier do not reset what is counted in this one · ROB-4', async () => {
      const { database } = service
      const recorder = createRequestRecorder({ database, report: () => assert.fail('nothing failed') })
      const of = { organizationId: 'org_slow' }
      const slow = { at: new Date(at.getTime() - 20_000), milliseconds: 20_500 }
      for (let count = 0; count < 3; count++) {
        recorder.record({ ...answered('key_slow', 429), ...of })
        recorder.record({ ...answered('key_slow', 200), ...of, ...slow })
      }
      await recorder.stop()
      const page = await listRequests(database, 'org_slow', { limit: 100 })
      assert.ok(page !== 'invalid_cursor')
      assert.equal(page.data.filter(({ status }) => status === 429).length, 1)
    })

    test('an inactive organization, whose requests have no limit, logs as many per key and minute as others · ROB-4', async () => {
      const { database } = service
      const recorder = createRequestRecorder({ database, report: () => assert.fail('nothing failed') })
      const of = { organizationId: 'org_inactive', at: new Date('2026-01-02T03:04:05Z') }
      for (let count = 0; count < 300; count++) recorder.record({ ...answered('key_inactive', 403), ...of })
      recorder.record({ ...answered('key_inactive', 403), ...of, at: new Date('2026-01-02T03:05:00Z') })
      await recorder.stop()
      const page = await listRequests(database, 'org_inactive', { limit: 1_000 })
      assert.ok(page !== 'invalid_cursor')
      assert.equal(page.data.length, requestsPerWindow + 1)
    })

    test('of more requests than a batch may log, all are counted and errors are logged first · ROB-4', async () => {
      const { database } = service
      const recorder = createRequestRecorder({ database, report: () => assert.fail('nothing failed') })
      const of = { organizationId: 'org_flood' }
      for (let count = 0; count < 600; count++) recorder.record({ ...answered(`key_flood_${count % 6}`, 200), ...of })
      recorder.record({ ...answered('key_flood_0', 500), ...of })
      await recorder.stop()
      const page = await listRequests(database, 'org_flood', { limit: 1_000 })
      assert.ok(page !== 'invalid_cursor')
      assert.deepEqual([page.data.length, page.data.filter(({ status }) => status === 500).length], [500, 1])
      const usage = await readKeyUsage(database, ['key_flood_0'])
      assert.deepEqual(usage.get('key_flood_0')?.lastDay, [
        { status: 200, requests: 100 },
        { status: 500, requests: 1 },
      ])
    })

    test('while the database is away, requests are dropped and the problem is reported once · ROB-1', async () => {
      let asked = 0
      const away: Queryable = {
        ...service.database,
        query: async () => {
          asked += 1
          throw new Error('the database is away')
        },
      }
      const problems: string[] = []
      const recorder = createRequestRecorder({ database: away, report: (problem) => problems.push(problem) })
      for (let count = 0; count < 3; count++) {
        recorder.record(answered('key_a', 200))
        await recorder.stop()
      }
      assert.deepEqual([asked, problems], [3, ['requests could not be recorded']])
    })
  })
}

const at = new Date('2026-03-01T12:00:00.000Z')

function answered(keyId: string, status: number): RequestToLog {
  return {
    organizationId: 'org_other',
    keyId,
    status,
    at,
    method: 'GET',
    route: '/v1/templates',
    error: null,
    requestId: 'a-request',
    milliseconds: 1.5,
  }
}
