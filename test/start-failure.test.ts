import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../server/config.ts'
import { openPostgres, type Queryable } from '../server/database/database.ts'
import { checkDatabase } from '../server/database/migrate.ts'
import { explainStartFailure } from '../server/start-failure.ts'
import { sharedPostgres } from '../support/postgres.ts'

test('an address or port that cannot be listened on is named, without a stack', () => {
  const configuration = readConfig('server', { HOST: 'here', PORT: '80', METRICS_HOST: 'there', METRICS_PORT: '81' })
  assert.ok(configuration.ok)
  const cases = [
    [
      { code: 'EACCES', syscall: 'listen', port: 80 },
      'No permission to listen on port 80. Set PORT to a number above 1023.',
    ],
    [{ code: 'EADDRNOTAVAIL', syscall: 'listen', port: 80 }, 'HOST is here, which is not an address of this machine.'],
    [
      { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'here' },
      'HOST is here, which is not an address of this machine.',
    ],
    [
      { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'there' },
      'METRICS_HOST is there, which is not an address of this machine.',
    ],
    [
      { code: 'EADDRINUSE', syscall: 'listen', port: 81 },
      'Port 81 on there is taken by another program. Stop it, or set METRICS_PORT to another number.',
    ],
  ] as const
  for (const [fields, explained] of cases) {
    assert.equal(explainStartFailure(Object.assign(new Error('failed'), fields), configuration.config), explained)
  }
  for (const fields of [
    { code: 'EACCES', syscall: 'open' },
    // The socket for commands.
    { code: 'EACCES', syscall: 'listen', port: -1 },
    { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'sqs.example' },
  ]) {
    const explained = explainStartFailure(Object.assign(new Error('failed'), fields), configuration.config)
    assert.match(explained, /^The server could not start: Error: failed/)
  }
})

test('a PostgreSQL that is too old is named in one sentence, without a stack', async () => {
  const explained = 'DATABASE_URL leads to PostgreSQL 13.14. The service needs PostgreSQL 14 or newer.'
  assert.equal(await explanationOf(serverWith(130_014, '13.14')), explained)
  await checkDatabase(serverWith(140_000, '14.0'))
})

test('a database that cannot store every letter is rejected', async () => {
  const url = new URL(await (await sharedPostgres()).createDatabase())
  const administrator = openPostgres({ url: url.href, connections: 1 })
  await administrator.script(`create database latin template template0 encoding 'LATIN1' locale 'C'`)
  await administrator.close()
  const database = openPostgres({ url: Object.assign(url, { pathname: '/latin' }).href, connections: 1 })
  assert.match(
    await explanationOf(database),
    /^The database in DATABASE_URL has the encoding LATIN1\. Create one with: /,
  )
  await database.close()
})

async function explanationOf(database: Queryable): Promise<string> {
  const configuration = readConfig('server', {})
  assert.ok(configuration.ok)
  const error: unknown = await checkDatabase(database).then(
    () => null,
    (error) => error,
  )
  assert.ok(error instanceof Error)
  return explainStartFailure(error, configuration.config)
}

/** Tests run on a version that is new enough. */
function serverWith(number: number, version: string): Queryable {
  return {
    async query<Row>({ text: statement }: { text: string }) {
      const row: unknown = statement.includes('server_version_num')
        ? { version: number }
        : { version, encoding: 'UTF8' }
      return [row as Row]
    },
    async script() {},
  }
}
