import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { openPostgres } from '../../server/database/database.ts'
import { DatabaseUnavailable } from '../../server/database/failures.ts'
import { newKeys } from '../../support/keys.ts'
import { type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { eventually, postgresEnvironment, type ServerProcess, startServer } from '../../support/process.ts'
import { call } from '../../support/service.ts'

const noAnswer = { status: 0 }

describe('a server during a database outage', () => {
  let postgres: PostgresServer
  let server: ServerProcess
  let keys: string[]

  before(async () => {
    postgres = await startPostgres()
    const url = await postgres.createDatabase()
    server = await startServer(postgresEnvironment(url))
    const database = openPostgres({ url, connections: 1 })
    // Many keys, so that this test's traffic stays below the limit of each.
    keys = await newKeys(database, 30)
    await database.close()
  })
  after(async () => {
    await server?.kill()
    await postgres?.close()
  })

  for (const mode of ['fast', 'immediate'] as const) {
    test(`a ${mode} stop: 503 in the meantime, never 500, and it recovers on its own`, async (t) => {
      t.after(() => postgres.start())
      await using traffic = keepAsking()
      await eventually(async () => traffic.statuses.has(201))

      await postgres.stop(mode)
      await eventually(async () => traffic.statuses.has(503) || [0, 500].some((status) => traffic.statuses.has(status)))
      assert.equal(server.stderr(), '')

      const refused = await call(server.url, 'GET', '/v1/templates', nextKey())
      assert.equal(refused.status, 503)
      assert.deepEqual(refused.body, { error: 'Service unavailable' })
      assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
      const ready = await call(server.url, 'GET', '/readyz', {})
      assert.equal(ready.status, 503)
      assert.deepEqual(ready.body, { error: 'Service unavailable' })
      assert.equal((await call(server.url, 'GET', '/healthz', {})).status, 200)

      await postgres.start()

      assert.ok(await eventually(async () => (await call(server.url, 'GET', '/readyz', {})).status === 200))
      traffic.statuses.delete(201)
      assert.ok(await eventually(async () => traffic.statuses.has(201)))
      await traffic.stop()
      assert.deepEqual([...traffic.statuses].sort(), [200, 201, 503])
      assert.equal(server.stderr(), '')
    })
  }

  test('statements running during a crash fail as unavailable, and the broken connections crash nothing', async () => {
    const database = openPostgres({ url: postgres.url, connections: 3 })
    const began = Array.from({ length: 3 }, () => database.execute('select pg_sleep(60)'))
    const failed = Promise.all(began.map((statement) => assert.rejects(statement, DatabaseUnavailable)))
    await eventually(async () => (await sleeping()) === 3)

    await postgres.stop('immediate')
    await failed
    await postgres.start()

    assert.deepEqual(await database.execute('select 1 as one'), { rows: [{ one: 1 }] })
    await database.close()
  })

  async function sleeping(): Promise<number> {
    const watcher = openPostgres({ url: postgres.url, connections: 1 })
    const { rows } = await watcher.execute(`select from pg_stat_activity where query like 'select pg_sleep%'`)
    await watcher.close()
    return rows.length
  }

  let turn = 0
  function nextKey(): Record<string, string> {
    turn += 1
    return { 'x-service-api-key': keys[turn % keys.length] ?? '' }
  }

  /** Reads and writes continuously until it is stopped. */
  function keepAsking() {
    const statuses = new Set<number>()
    let going = true
    const ask = async (method: string, body?: object) => {
      while (going) {
        const response = await call(server.url, method, '/v1/templates', nextKey(), body).catch(() => noAnswer)
        statuses.add(response.status)
        await setTimeout(5)
      }
    }
    const template = { title: 'T', description: 'D' }
    const askers = [ask('GET'), ask('GET'), ask('POST', template), ask('POST', template)]
    const stop = async () => {
      going = false
      await Promise.all(askers)
    }
    return { statuses, stop, [Symbol.asyncDispose]: stop }
  }
})
