import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Client, type QueryResultRow } from 'pg'
import { type PostgresServer, sharedPostgres, startPostgres } from '../../support/postgres.ts'
import { eventually } from '../../support/process.ts'

let server: PostgresServer
before(async () => {
  server = await startPostgres({ durable: true })
})
after(() => server.close())

test('the server uses UTF8 with byte-order collation and acknowledges only what is on disk', async () => {
  const rows = await query(
    server.url,
    `select pg_encoding_to_char(encoding) as encoding, datcollate as collation, current_setting('fsync') as fsync,
            current_setting('synchronous_commit') as commit, current_setting('max_connections') as connections
       from pg_database where datname = current_database()`,
  )
  assert.deepEqual(rows, [{ encoding: 'UTF8', collation: 'C', fsync: 'on', commit: 'on', connections: '200' }])
})

test('a wrong password is rejected', async () => {
  const url = new URL(server.url)
  url.password = 'guessed'
  await assert.rejects(query(url.href, 'select 1'), /password authentication failed/)
})

test('databases created concurrently are separate and empty', async () => {
  const urls = await Promise.all([server.createDatabase(), server.createDatabase(), server.createDatabase()])
  assert.equal(new Set(urls).size, 3)
  for (const url of urls) await query(url, 'create table only_here (id int)')
})

test('committed rows survive a crash and a restart on the same URL', async () => {
  const url = await server.createDatabase()
  await query(url, 'create table survivors as select generate_series(1, 1000) as id')

  await server.stop('immediate')
  await assert.rejects(query(url, 'select 1'), /ECONNREFUSED/)
  await server.start()

  assert.deepEqual(await query(url, 'select count(*)::int as rows from survivors'), [{ rows: 1000 }])
})

test('a clean stop keeps the data, too, and stopping or starting twice does no harm', async () => {
  const url = await server.createDatabase()
  await query(url, 'create table survivors as select 1 as id')

  await server.stop()
  await server.stop()
  await server.start()
  await server.start()

  assert.deepEqual(await query(url, 'select id from survivors'), [{ id: 1 }])
})

test('kill -9 of the process that started a server leaves no process and no folder behind', async () => {
  const { owner, traces } = await startInAnotherProcess('setInterval(() => {}, 1000)')
  assert.ok(isAlive(traces.pid) && existsSync(traces.folder))

  owner.kill('SIGKILL')

  await untilGone(traces)
})

test('a process that forgets to close its server exits on its own and leaves nothing behind', async () => {
  const { owner, traces } = await startInAnotherProcess('process.stdin.once("data", () => process.stdin.destroy())')

  const exit = once(owner, 'exit')
  owner.stdin.write('go on')

  assert.deepEqual(await exit, [0, null])
  await untilGone(traces)
})

test('the shared server creates databases, and nobody can stop it', async () => {
  const before = process.env.TEST_POSTGRES_URL
  process.env.TEST_POSTGRES_URL = server.url
  try {
    const shared = await sharedPostgres()
    await assert.rejects(shared.stop('fast'), /cannot be stopped/)
    await assert.rejects(shared.start(), /cannot be stopped/)
    await shared.close()
    assert.deepEqual(await query(await shared.createDatabase(), 'select 1 as one'), [{ one: 1 }])
  } finally {
    if (before === undefined) delete process.env.TEST_POSTGRES_URL
    else process.env.TEST_POSTGRES_URL = before
  }
})

async function query<Row extends QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new Client(url)
  try {
    await client.connect()
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

async function startInAnotherProcess(afterwards: string) {
  const module = pathToFileURL(join(import.meta.dirname, '../../support/postgres.ts'))
  const script = `
    const { startPostgres } = await import('${module}')
    console.log((await startPostgres()).url)
    ${afterwards}`
  const owner = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const { value: url } = await createInterface({ input: owner.stdout })[Symbol.asyncIterator]().next()
  assert.ok(url)
  return { owner, traces: await tracesOf(url) }
}

type Traces = { pid: number; folder: string }

async function tracesOf(url: string): Promise<Traces> {
  const [row] = await query<{ pid: number; data: string }>(
    url,
    `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid, current_setting('data_directory') as data`,
  )
  assert.ok(row)
  return { pid: row.pid, folder: dirname(row.data) }
}

async function untilGone({ pid, folder }: Traces) {
  const areGone = await eventually(async () => !isAlive(pid) && !existsSync(folder))
  assert.ok(areGone, `process ${pid} or folder ${folder} is still there`)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
