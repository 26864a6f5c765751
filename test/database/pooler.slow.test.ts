import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openPostgres } from '../../server/database/database.ts'
import { sessionSettings } from '../../server/database/session-settings.ts'
import { installedPgBouncer, type PgBouncer, startPgBouncer } from '../../support/pgbouncer.ts'
import { sharedPostgres } from '../../support/postgres.ts'
import { eventually, postgresEnvironment, runServer, startServer, temporaryFolder } from '../../support/process.ts'
import { startReceiver } from '../../support/receiver.ts'
import { startReporting } from '../process/reporting.ts'

const version = installedPgBouncer()
const needsAny = { skip: version === null && 'PgBouncer is not installed' }
const needsOld = { skip: (version === null || version >= 1.21) && 'needs PgBouncer before 1.21' }
const needsNew = { skip: (version === null || version < 1.21) && 'needs PgBouncer 1.21 or newer' }

test('through PgBouncer in session mode, results are reported and delivered', needsAny, async () => {
  const server = await sharedPostgres()
  await using pgBouncer = await startPgBouncer(await server.createDatabase(), { poolMode: 'session' })
  await reportThrough(pgBouncer)
})

test('PgBouncer in transaction mode without prepared statements stops the start', needsOld, async () => {
  const server = await sharedPostgres()
  await using pgBouncer = await startPgBouncer(await server.createDatabase(), { poolMode: 'transaction' })
  const { status, stderr } = await runServer(postgresEnvironment(pgBouncer.url))
  assert.equal(status, 1)
  assert.match(
    stderr,
    /^DATABASE_URL leads to a connection pooler in transaction mode that loses prepared statements\./,
  )
  assert.match(stderr, /Set pool_mode = session, or use PgBouncer 1\.21 or newer/)
})

test(
  'PgBouncer in transaction mode works once the role has the settings, and the start says so',
  needsNew,
  async () => {
    const server = await sharedPostgres()
    const url = await server.createDatabase()
    const administrator = openPostgres({ url, connections: 1 })
    await administrator.script(`
      create role pooled login superuser password 'pooled';
      alter role pooled set DateStyle = 'ISO, DMY';
      alter role pooled set default_transaction_isolation = 'serializable'`)
    const asPooled = Object.assign(new URL(url), { username: 'pooled', password: 'pooled' }).href
    const settings = { max_prepared_statements: '500' }
    {
      await using pgBouncer = await startPgBouncer(asPooled, { poolMode: 'transaction', settings })
      const { status, stderr } = await runServer(postgresEnvironment(pgBouncer.url))
      assert.equal(status, 1)
      assert.match(stderr, /^DATABASE_URL leads to a connection pooler in transaction mode, where settings/)
      const statements = stderr.split('\n').filter((line) => line.startsWith('alter role pooled set '))
      // Not what is as it should be: the format of times, the digits of numbers, and the limit of a lock.
      assert.equal(statements.length, Object.keys(sessionSettings).length - 3)
      await administrator.script(statements.join('\n'))
    }
    await using pgBouncer = await startPgBouncer(asPooled, { poolMode: 'transaction', settings })
    await reportThrough(pgBouncer)
    await administrator.close()
  },
)

async function reportThrough({ url }: PgBouncer): Promise<void> {
  await using folder = await temporaryFolder()
  const receiver = await startReceiver({ names: ['localhost'] })
  try {
    const authority = join(folder.path, 'ca.pem')
    await writeFile(authority, receiver.ca)
    const environment = {
      ...postgresEnvironment(url),
      DESTINATION_ALLOW_CIDRS: '127.0.0.0/8',
      DESTINATION_CA_FILE: authority,
    }
    await using server = await startServer(environment)
    const reporter = await startReporting(server, environment, receiver)
    await reporter.report(10)
    assert.ok(await eventually(async () => receiver.requests.length >= 10))
    assert.equal(server.stdout().match(/"level":(50|60)/), null)
    await server.stop()
  } finally {
    await receiver.close()
  }
}
