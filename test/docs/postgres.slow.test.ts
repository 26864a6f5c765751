import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { installedPostgres } from '../../support/postgres-installation.ts'
import {
  cli,
  type Environment,
  type Folder,
  postgresEnvironment,
  runCli,
  runServer,
  startServer,
  temporaryFolder,
} from '../../support/process.ts'
import { call } from '../../support/service.ts'
import { blockNamed } from './blocks.ts'
import { openTerminal, type Terminal } from './terminal.ts'

const root = join(import.meta.dirname, '..', '..')
const installed = installedPostgres()

describe('docs/operations.md on a real PostgreSQL', {
  skip: installed === null && 'no PostgreSQL with pg_dump',
}, () => {
  let folder: Folder
  let server: PostgresServer
  let superuser: Terminal
  let environment: Environment
  const block = (name: string) => blockNamed(root, 'docs/operations.md', name)

  before(async () => {
    folder = await temporaryFolder()
    server = await startPostgres({ binaries: installed ?? '' })
    const { hostname, port, password } = new URL(server.url)
    environment = postgresEnvironment(`postgres://interviews:chosen-by-the-operator@${hostname}:${port}/interviews`)
    const scratch = join(folder.path, 'scratch')
    mkdirSync(scratch)
    superuser = await openTerminal({
      folder: folder.path,
      environment: {
        PATH: [dirname(process.execPath), installed, process.env.PATH].join(delimiter),
        PGHOST: hostname,
        PGPORT: port,
        PGUSER: 'postgres',
        PGPASSWORD: password,
        ...environment,
      },
      scratch,
    })
    await superuser.type(`partner-interview-admin() { node '${root}/cli/main.ts' "$@"; }`)
    await superuser.type(block('create-database').replace('…', 'chosen-by-the-operator'))
  })
  after(async () => {
    await superuser?.close()
    await server?.close()
    await folder?.[Symbol.asyncDispose]()
  })

  test('following it from the first role and database leads to an admin who can sign in', async () => {
    await using running = await startServer(environment)
    const [create, add] = block('first-admin').trim().split('\n')
    const [organizationId] = /org_\w{26}/.exec(await superuser.type(String(create))) ?? []
    const added = await superuser.type(String(add).replace('org_…', String(organizationId)))
    const [, password] = /Password: (\S+)/.exec(added) ?? []
    const credentials = { email: 'ada@acme.example', password }
    const signedIn = await call(running.url, 'POST', '/settings/api/sign-in', { origin: running.url }, credentials)
    assert.partialDeepStrictEqual(signedIn.body, { organizations: [{ name: 'Acme', role: 'admin' }] })
  })

  test('a backup taken while the service runs can be restored and used', async () => {
    let before: Awaited<ReturnType<typeof content>>
    let key: string
    {
      await using running = await startServer(environment)
      const { id } = await cli(['organization', 'create', '--name', 'Acme'], environment)
      const options = ['--label', 'ATS', '--scopes', 'templates:read,templates:write']
      key = String((await cli(['key', 'create', '--organization', String(id), ...options], environment)).key)
      const template = { title: 'Backend engineer', description: 'Queues and databases' }
      await call(running.url, 'POST', '/v1/templates', { 'x-service-api-key': key }, template)
      before = await content(running.url, key)
      await superuser.type(block('backup'))
    }
    await superuser.type("psql -qc 'alter database interviews rename to interviews_old'")
    await superuser.type(block('restore'))

    await using restored = await startServer(environment)
    assert.deepEqual(await content(restored.url, key), before)
    assert.equal(before.status, 200)
  })

  test('after a restore as superuser everything has the wrong owner, and the start and each command say so', async () => {
    await superuser.type(`
      dropdb --force interviews
      createdb interviews
      pg_restore --exit-on-error --no-owner --dbname=interviews interviews.dump`)
    const { status, stderr } = await runServer(environment)
    assert.equal(status, 1)
    assert.match(
      stderr,
      /^The user in DATABASE_URL lacks rights in this database: permission denied for .*\nIt must own the database.*\n$/,
    )
    const command = await runCli(['organization', 'list', '--json'], environment)
    assert.equal(command.status, 1)
    assert.match(JSON.parse(command.stdout).error, /^The user in DATABASE_URL lacks rights .* It must own the database/)
  })

  async function content(url: string, key: string) {
    const { status, body } = await call(url, 'GET', '/v1/templates', { 'x-service-api-key': key })
    return { status, body }
  }
})
