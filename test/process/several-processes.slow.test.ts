import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { type Database, openPostgres } from '../../server/database/database.ts'
import { createOrganization } from '../../server/organizations/organizations.ts'
import { newKey } from '../../support/keys.ts'
import { sharedPostgres } from '../../support/postgres.ts'
import {
  cli,
  type Environment,
  eventually,
  postgresEnvironment,
  type ServerProcess,
  startServer,
} from '../../support/process.ts'
import { type ApiResponse, call } from '../../support/service.ts'

describe('five processes, started concurrently on one empty PostgreSQL', () => {
  let environment: Environment
  let servers: ServerProcess[] = []
  let database: Database

  before(async () => {
    const url = await (await sharedPostgres()).createDatabase()
    environment = { ...postgresEnvironment(url), APP_URL: 'https://interviews.example' }
    database = openPostgres({ url, connections: 2 })
    servers = await startAtOnce(5)
  })
  after(async () => {
    await Promise.all(servers.map((server) => server.kill()))
    await database?.close()
  })

  test('all become ready, and each migration is applied once', async () => {
    const files = readdirSync(join(import.meta.dirname, '../../server/database/migrations')).sort()
    const applied = await database.query<{ name: string }>(sql`select name from schema_migrations order by name`)
    assert.deepEqual(
      applied.map(({ name }) => name),
      files,
    )
    assert.deepEqual(
      servers.map((server) => server.stderr()),
      servers.map(() => ''),
    )
  })

  test('50 concurrent POSTs of one externalPostingId create one template · TPL-2', async () => {
    const key = await keyHeader()
    const body = { title: 'T', description: 'D', externalPostingId: 'job-4711' }
    const responses = await spread(50, (server) => call(server.url, 'POST', '/v1/templates', key, body))
    assert.deepEqual(statuses(responses), { 201: 1, 200: 49 })
    assert.equal(new Set(responses.map(({ text }) => text)).size, 1)
  })

  test('50 concurrent POSTs of one candidate and template create one invitation · INV-2', async () => {
    const key = await keyHeader()
    const [first] = servers
    assert.ok(first)
    const template = await call(first.url, 'POST', '/v1/templates', key, { title: 'T', description: 'D' })
    const templateId = JSON.parse(template.text).id
    const responses = await spread(50, (server, index) => {
      const email = index % 2 === 0 ? 'ada@example.com' : 'Ada@Example.COM'
      const body = { templateId, candidate: { email, firstName: 'Ada' } }
      return call(server.url, 'POST', '/v1/interview-invitations', key, body)
    })
    assert.deepEqual(statuses(responses), { 201: 1, 200: 49 })
    assert.equal(new Set(responses.map(({ text }) => text)).size, 1)
  })

  test('a key revoked on the command line is immediately rejected by every process · AUTH-6', async () => {
    const organization = await createOrganization(database, 'Acme', new Date())
    const created = await cli(
      ['key', 'create', '--organization', organization.id, '--label', 'ATS', '--scopes', 'templates:read'],
      environment,
    )
    const key = { authorization: `Bearer ${created.key}` }
    const list = (server: ServerProcess) => call(server.url, 'GET', '/v1/templates', key)
    assert.deepEqual(statuses(await spread(5, list)), { 200: 5 })

    await cli(['key', 'revoke', '--id', String(created.id)], environment)

    const responses = await spread(5, list)
    assert.deepEqual(statuses(responses), { 401: 5 })
    for (const { body } of responses) assert.deepEqual(body, { error: 'Invalid API key' })
  })

  test('the window of 120 requests is shared by all processes · LIM-2', async () => {
    const responses = await withinOneMinute(async () => {
      const key = await keyHeader()
      return spread(150, (server, index) =>
        call(server.url, 'GET', index % 2 === 0 ? '/v1/templates' : '/v1/interview-results', key),
      )
    })
    assert.deepEqual(statuses(responses), { 200: 120, 429: 30 })
    const refused = responses.find(({ status }) => status === 429)
    assert.deepEqual(refused?.body, { error: 'API key rate limit exceeded' })
  })

  /**
   * Starts this many servers and blocks them at their first schema change with an uncommitted table of the same name. Once
   * all of them wait, they continue together.
   */
  async function startAtOnce(count: number): Promise<ServerProcess[]> {
    const starting = Array.from({ length: count }, () => startServer(environment))
    const held = new Error('The table was only a barrier')
    const barrier = database.transaction(async (transaction) => {
      await transaction.script('create table schema_migrations ()')
      assert.ok(await eventually(async () => (await waiting()) === count), 'not all of them got to the migration')
      throw held
    })
    await assert.rejects(barrier, held)
    return Promise.all(starting)
  }

  async function waiting(): Promise<number> {
    const rows = await database.query(sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    return rows.length
  }

  async function keyHeader(): Promise<Record<string, string>> {
    return { 'x-service-api-key': await newKey(database) }
  }

  function spread(
    count: number,
    ask: (server: ServerProcess, index: number) => Promise<ApiResponse>,
  ): Promise<ApiResponse[]> {
    const asked = Array.from({ length: count }, (_, index) => {
      const server = servers[index % servers.length]
      assert.ok(server)
      return ask(server, index)
    })
    return Promise.all(asked)
  }

  /** The window is a minute of the database's clock. If one ends during the test, its observations mean nothing. */
  async function withinOneMinute<Result>(work: () => Promise<Result>): Promise<Result> {
    const began = await minute()
    const result = await work()
    return (await minute()) === began ? result : withinOneMinute(work)
  }

  async function minute(): Promise<number | undefined> {
    const [row] = await database.query<{ minute: number }>(
      sql`select floor(extract(epoch from now()) / 60)::int as minute`,
    )
    return row?.minute
  }
})

function statuses(responses: ApiResponse[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
