import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import sql, { raw } from 'sql-template-tag'
import { openPostgres } from '../../server/database/database.ts'
import { sharedPostgres } from '../../support/postgres.ts'
import {
  cli,
  type Environment,
  type ExitResult,
  type Folder,
  postgresEnvironment,
  runCli,
  type ServerProcess,
  startServer,
  temporaryFolder,
} from '../../support/process.ts'
import { call } from '../../support/service.ts'

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

type Backend = {
  name: string
  /** What a command needs, what a server needs on the same data, and what commands call it. */
  prepare(folder: string): Promise<{ forCommands: Environment; forServer: Environment; databaseName: string }>
}

const backends: Backend[] = [
  {
    name: 'PostgreSQL',
    async prepare() {
      const url = await (await sharedPostgres()).createDatabase()
      const { host, pathname } = new URL(url)
      const databaseName = `${host}${pathname}`
      return { forCommands: { DATABASE_URL: url }, forServer: postgresEnvironment(url), databaseName }
    },
  },
  {
    name: 'the embedded database',
    async prepare(folder) {
      const directory = join(folder, 'data')
      const environment = { DATA_DIR: directory }
      await using first = await startServer(environment)
      await first.stop()
      return { forCommands: environment, forServer: environment, databaseName: directory }
    },
  },
]

for (const backend of backends) {
  describe(`commands on ${backend.name}`, () => {
    let folder: Folder
    let environment: Environment
    let named: string
    let server: ServerProcess
    let earlier: { organization: string; key: Record<string, unknown>; refused: ExitResult }

    before(async () => {
      folder = await temporaryFolder()
      const { forCommands, forServer, databaseName } = await backend.prepare(folder.path)
      environment = forCommands
      named = `Database: ${databaseName}\n`
      const organization = await newOrganization(environment)
      const key = await newKey(environment, organization, 'templates:read')
      const refused = await runCli(['key', 'revoke', '--id', 'key_unknown', '--json'], environment)
      earlier = { organization, key, refused }
      server = await startServer(forServer)
    })
    after(async () => {
      await server?.kill()
      await folder?.[Symbol.asyncDispose]()
    })

    test('commands work before the server starts, and the server sees what they created', async () => {
      const { id, key } = earlier.key
      assert.deepEqual(earlier.key, { id, key, label: 'ATS', scopes: ['templates:read'] })
      assert.equal(earlier.refused.status, 1)
      assert.equal(earlier.refused.stdout, '{"error":"There is no key key_unknown"}\n')
      assert.equal(await statusWith(key), 200)
      const list = await cli(['organization', 'list'], environment)
      assert.deepEqual(find(list, earlier.organization), { id: earlier.organization, name: 'Acme', active: true })
    })

    test('organization create, list, deactivate and activate', async () => {
      const made = await cli(['organization', 'create', '--name', ' Acme '], environment)
      assert.match(String(made.id), /^org_[0-9a-z]{26}$/)
      assert.deepEqual(made, { id: made.id, name: 'Acme', active: true })

      const deactivated = await cli(['organization', 'deactivate', '--id', String(made.id)], environment)
      assert.deepEqual(deactivated, { ...made, active: false })
      const list = await cli(['organization', 'list'], environment)
      assert.deepEqual(Object.keys(list), ['data', 'nextCursor'])
      assert.deepEqual(find(list, made.id), deactivated)

      const activated = await runCli(['organization', 'activate', '--id', String(made.id)], environment)
      assert.deepEqual(activated, { status: 0, signal: null, stdout: `${made.id}  active  Acme\n`, stderr: named })
    })

    test('key create, list and revoke, and the key works on /v1 · AUTH-6', async () => {
      const organization = await newOrganization(environment)
      const scopes = ['templates:read', 'results:read']
      const made = await newKey(environment, organization, scopes.join(','))
      assert.match(String(made.id), /^key_[0-9a-z]{26}$/)
      assert.match(String(made.key), /^service_live_[A-Za-z0-9]{16}\.[A-Za-z0-9_-]{43}$/)
      assert.deepEqual(made, { id: made.id, key: made.key, label: 'ATS', scopes })
      assert.equal(await statusWith(made.key), 200)

      const list = await cli(['key', 'list', '--organization', organization], environment)
      const { lastUsedAt, createdAt, ...seen } = find(list, made.id)
      assert.match(String(lastUsedAt), time)
      assert.match(String(createdAt), time)
      const prefix = String(made.key).split('.')[0]
      const listed = {
        id: made.id,
        label: 'ATS',
        prefix,
        scopes,
        legacy: false,
        createdBy: 'command line',
        lastUsedAddress: '127.0.0.1',
        expiresAt: null,
        successorId: null,
      }
      assert.deepEqual(seen, { ...listed, revokedAt: null })

      const revoked = await cli(['key', 'revoke', '--id', String(made.id)], environment)
      assert.match(String(revoked.revokedAt), time)
      assert.deepEqual(revoked, { ...listed, createdAt, lastUsedAt, revokedAt: revoked.revokedAt })
      assert.equal(await statusWith(made.key), 401)
      const again = await cli(['key', 'revoke', '--id', String(made.id)], environment)
      assert.equal(again.revokedAt, revoked.revokedAt)
    })

    test('without --json, commands print text for people', async () => {
      const organization = await newOrganization(environment)
      const options = ['--organization', organization, '--label', 'ATS', '--scopes', 'templates:read']
      const made = await runCli(['key', 'create', ...options], environment)
      const [, prefix, id] =
        /^(service_live_\w{16})\.[\w-]{43}\n\nCopy it now\. You won't see it again\. ID (key_\w+), scopes templates:read\.\n$/.exec(
          made.stdout,
        ) ?? []
      assert.ok(id, made.stdout)

      const list = await runCli(['key', 'list', '--organization', organization], environment)
      const [headings, row] = list.stdout.split('\n').map((line) => line.split(/ {2,}/))
      assert.deepEqual(headings, ['ID', 'KEY', 'STATUS', 'LAST USED', 'SCOPES', 'LABEL'])
      assert.deepEqual(row, [id, prefix, 'active', 'never used', 'templates:read', 'ATS'])
      assert.equal(list.stderr, named, 'which database that was')
    })

    test('a key without scopes or with an unknown scope is rejected · AUTH-9', async () => {
      const organization = await newOrganization(environment)
      const key = ['key', 'create', '--organization', organization, '--label', 'ATS', '--scopes']
      const all = 'templates:read, templates:write, invitations:write, results:read'
      await refused([...key, ' , '], `A key needs at least one scope: ${all}`)
      await refused([...key, 'templates:delete'], `There is no scope templates:delete. The scopes are ${all}`)
      const list = await cli(['key', 'list', '--organization', organization], environment)
      assert.deepEqual(list, { data: [], nextCursor: null })
    })

    test('a missing object is named in JSON on standard output, or as text on standard error', async () => {
      const id = 'org_01m7efx4xwfztrm1s20bva7r58'
      const options = ['--organization', id, '--label', 'ATS', '--scopes', 'templates:read']
      await refused(['key', 'create', ...options], `There is no organization ${id}`)
      const text = await runCli(['organization', 'deactivate', '--id', id], environment)
      const stderr = `${named}There is no organization ${id}\n`
      assert.deepEqual(text, { status: 1, signal: null, stdout: '', stderr })
      await refused(['key', 'revoke', '--id', "key_' or true --"], "There is no key key_' or true --")
    })

    async function refused(args: string[], message: string): Promise<void> {
      const json = await runCli([...args, '--json'], environment)
      const stdout = `${JSON.stringify({ error: message })}\n`
      assert.deepEqual(json, { status: 1, signal: null, stdout, stderr: '' })
    }

    async function statusWith(key: unknown): Promise<number> {
      const { status } = await call(server.url, 'GET', '/v1/templates', { 'x-service-api-key': String(key) })
      return status
    }
  })
}

test('the database stores the hash of a key and nothing else of its secret · AUTH-11', async () => {
  const url = await (await sharedPostgres()).createDatabase()
  const environment = { DATABASE_URL: url }
  const made = await newKey(environment, await newOrganization(environment), 'templates:read')

  const database = openPostgres({ url, connections: 1 })
  const [stored] = await database.query<{ hash: Buffer }>(sql`select hash from api_keys where id = ${made.id}`)
  assert.deepEqual(stored?.hash, createHash('sha256').update(String(made.key)).digest())

  const tables = await database.query<{ name: string }>(
    sql`select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname !~ '^(pg_|information)'`,
  )
  assert.ok(tables.some(({ name }) => name === 'public.api_keys'))
  const [, secret] = String(made.key).split('.')
  for (const { name } of tables) {
    const found = await database.query(sql`select from ${raw(name)} t where strpos(t::text, ${secret}) > 0`)
    assert.equal(found.length, 0, `${name} contains the secret`)
  }
  await database.close()
})

async function newOrganization(environment: Environment): Promise<string> {
  const { id } = await cli(['organization', 'create', '--name', 'Acme'], environment)
  return String(id)
}

function newKey(environment: Environment, organization: string, scopes: string): Promise<Record<string, unknown>> {
  const options = ['--organization', organization, '--label', 'ATS', '--scopes', scopes]
  return cli(['key', 'create', ...options], environment)
}

function find(list: Record<string, unknown>, id: unknown): Record<string, unknown> {
  assert.ok(Array.isArray(list.data))
  const found = list.data.find((one) => one.id === id)
  assert.ok(found, `${id} is not in the list`)
  return found
}
