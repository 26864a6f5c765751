import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { createSecureContext, TLSSocket } from 'node:tls'
import { sharedPostgres } from '../../support/postgres.ts'
import { postgresEnvironment, runServer, temporaryFolder } from '../../support/process.ts'
import { selfSigned } from '../../support/tls.ts'

test('an invalid configuration stops the start with one message that lists every error', async () => {
  await using folder = await temporaryFolder()
  const wrong = {
    PORT: 'http',
    APP_URL: 'interviews.example',
    INTERVIEW_URL: 'https://interviews.example/interview',
    DATABASE_URL: 'mysql://service:s3cret@db.example/interviews',
    DATABASE_CONNECTIONS: '0',
    ENGINE_TOKEN: 's3cret',
    SECRETS_KEY: 's3cret',
    ROLES: 'everything',
    SANDBOX: 'perhaps',
    LOG_LEVEL: 'loud',
    WEBHOOK_RETRY_DELAY_SECONDS: '-1',
    SWEEP_INTERVAL_SECONDS: '0',
    DESTINATION_ALLOW_CIDRS: '10.0.0.1/33',
    DESTINATION_CA_FILE: join(folder.path, 'nowhere.pem'),
  }
  const directory = join(folder.path, 'data')
  const { status, stdout, stderr } = await runServer({ ...wrong, DATA_DIR: directory })

  assert.equal(status, 1)
  assert.equal(stdout, '')
  const [heading, ...errors] = stderr.trimEnd().split('\n')
  assert.equal(heading, 'Invalid configuration:')
  assert.deepEqual(
    errors.map((error) => /^ {2}- ([A-Z_]+) (?:must|can't) ./.exec(error)?.[1]),
    Object.keys(wrong),
  )
  assert.doesNotMatch(stderr, /s3cret/)
  assert.equal(existsSync(directory), false, 'nothing is created')
})

test('with DATABASE_URL, missing secrets stop the start', async () => {
  const { DATABASE_URL = '' } = postgresEnvironment(await (await sharedPostgres()).createDatabase())
  const { status, stderr } = await runServer({ DATABASE_URL })
  assert.equal(status, 1)
  assert.equal(
    stderr,
    `Invalid configuration:
  - ENGINE_TOKEN is required when DATABASE_URL is set
  - SECRETS_KEY is required when DATABASE_URL is set
`,
  )
})

test('a DATA_DIR that is not writable stops the start with a clear message', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'file')
  writeFileSync(file, 'no directory')
  const { status, stdout, stderr } = await runServer({ DATA_DIR: join(file, 'data') })
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /^DATA_DIR must be a directory that this user can write to\. .*file\/data is not: ENOTDIR.*\n$/)
})

test('a corrupt embedded database stops the start with a clear message', async () => {
  await using folder = await temporaryFolder()
  mkdirSync(join(folder.path, 'database'))
  writeFileSync(join(folder.path, 'database', 'PG_VERSION'), '18\n')
  const { status, stderr } = await runServer({ DATA_DIR: folder.path })
  assert.equal(status, 1)
  assert.match(
    stderr,
    /^The database in .* cannot be opened \(.*\)\. Check that the disk has room, or restore a backup\.\n$/,
  )
})

const unreachable: [circumstance: string, change: (url: URL) => void, message: RegExp, processes?: string][] = [
  [
    'nothing is listening',
    (url) => {
      url.port = '1'
    },
    /^The database cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:1\nCheck DATABASE_URL .*\n$/,
  ],
  [
    'nothing is listening on any address of its host name',
    (url) => {
      url.hostname = 'localhost'
      url.port = '1'
    },
    /^The database cannot be reached: .*ECONNREFUSED.*\nCheck DATABASE_URL .*\n$/,
  ],
  [
    'it rejects the password',
    (url) => {
      url.password = 's3cret'
    },
    /^The database rejected the connection: password authentication failed for user "postgres"\nCheck DATABASE_URL\.\n$/,
  ],
  [
    'it has no such database',
    (url) => {
      url.pathname = '/elsewhere'
    },
    /^The database rejected the connection: database "elsewhere" does not exist\nCheck DATABASE_URL\.\n$/,
    '3',
  ],
  [
    'it offers no TLS',
    (url) => {
      url.searchParams.set('sslmode', 'verify-full')
    },
    /^The database server does not offer TLS, which DATABASE_URL asks for with sslmode\.\nTurn it on there, .*\n$/,
  ],
]

for (const [circumstance, change, message, processes = '1'] of unreachable) {
  test(`an unusable database stops the start with a clear message: ${circumstance}`, async () => {
    const url = new URL((await sharedPostgres()).url)
    change(url)
    // Of several processes only the first one says so.
    const { status, stdout, stderr } = await runServer({ ...postgresEnvironment(url.href), PROCESSES: processes })
    assert.equal(status, 1)
    assert.match(stderr, message)
    assert.ok(!`${stdout}${stderr}`.includes(url.password), 'the password is shown')
  })
}

test('a database whose certificate can’t be verified stops the start with a clear message', async (t) => {
  const secureContext = createSecureContext(selfSigned({ names: ['127.0.0.1'] }))
  const server = createServer((socket) => {
    socket.on('error', () => {})
    // The answer to the request for TLS: yes.
    socket.once('data', () => {
      socket.write('S')
      new TLSSocket(socket, { isServer: true, secureContext }).on('error', () => {})
    })
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  const url = `postgres://postgres:s3cret@127.0.0.1:${address.port}/interviews?sslmode=verify-full`
  const { status, stderr } = await runServer(postgresEnvironment(url))
  assert.equal(status, 1)
  assert.match(
    stderr,
    /^The database server's certificate cannot be verified: self-signed certificate\nAdd .*sslrootcert=.*\n$/,
  )
})
