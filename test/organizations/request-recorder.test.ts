import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Queryable } from '../../server/database/database.ts'
import { readKeyUsage } from '../../server/organizations/key-usage.ts'
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
        for (const status of [200, 200, 429]) recorder.record({ keyId: 'key_a', status })
        recorder.record({ keyId: 'key_b', status: 500 })
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
        recorder.record({ keyId: 'key_a', status: 200 })
        await recorder.stop()
      }
      assert.deepEqual([asked, problems], [3, ['requests could not be recorded']])
    })
  })
}
