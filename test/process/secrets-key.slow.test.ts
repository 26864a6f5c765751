import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import sql from 'sql-template-tag'
import { openPostgres } from '../../server/database/database.ts'
import { sharedPostgres } from '../../support/postgres.ts'
import {
  cli,
  type Environment,
  eventually,
  postgresEnvironment,
  runCli,
  runServer,
  startServer,
  temporaryFolder,
} from '../../support/process.ts'
import { startReceiver } from '../../support/receiver.ts'
import { startReporting } from './reporting.ts'

const newKey = () => randomBytes(32).toString('base64')
const notThisOne = /^SECRETS_KEY does not belong to this database: .*\n$/

test('a different SECRETS_KEY stops the start and every command that would use it · ROB-5', async () => {
  const environment = postgresEnvironment(await (await sharedPostgres()).createDatabase())
  const server = await startServer(environment)
  assert.equal((await server.stop()).status, 0)

  const wrong = { ...environment, SECRETS_KEY: newKey() }
  for (const processes of ['1', '2']) {
    const { status, stderr } = await runServer({ ...wrong, PROCESSES: processes })
    assert.equal(status, 1)
    assert.match(stderr, notThisOne)
    assert.ok(!stderr.includes(wrong.SECRETS_KEY))
  }
  const { id } = await cli(['organization', 'create', '--name', 'Acme'], wrong)
  const set = ['webhook', 'set', '--organization', String(id), '--url', 'https://192.0.2.1/']
  for (const args of [set, ['webhook', 'rotate', '--organization', String(id)], ['secrets', 'rotate']]) {
    const { status, stdout } = await runCli([...args, '--json'], wrong)
    assert.equal(status, 1)
    assert.match(`${JSON.parse(stdout).error}\n`, notThisOne)
  }
})

test('SECRETS_KEY changes under load, step by step, without a failed delivery · ROB-5', async () => {
  await using folder = await temporaryFolder()
  const receiver = await startReceiver()
  const ca = join(folder.path, 'ca.pem')
  await writeFile(ca, receiver.ca)
  const url = await (await sharedPostgres()).createDatabase()
  const database = openPostgres({ url, connections: 2 })
  const way = { DESTINATION_ALLOW_CIDRS: '127.0.0.0/8', DESTINATION_CA_FILE: ca }
  const before: Environment = { ...postgresEnvironment(url), ...way }
  const during = { ...before, SECRETS_KEY: newKey(), SECRETS_KEY_PREVIOUS: String(before.SECRETS_KEY) }
  const { SECRETS_KEY_PREVIOUS: _, ...afterwards } = during

  await using old = await startServer(before)
  const reporter = await startReporting(old, before, receiver)
  await reporter.report(2)
  const both = [await startServer(during), await startServer({ ...during, ROLES: 'worker' })]
  assert.match(both[0]?.stdout() ?? '', /still encrypted under SECRETS_KEY_PREVIOUS/)
  const reporting = reporter.report(10)
  // Earlier than the docs say: one process has only the old key, and leaves the deliveries to the others.
  assert.deepEqual(await cli(['secrets', 'rotate'], during), { reencrypted: 1 })
  await reporting
  assert.deepEqual(await cli(['secrets', 'rotate'], during), { reencrypted: 0 })
  assert.equal((await old.stop()).status, 0)
  await using last = await startServer(afterwards)
  for (const server of both) assert.equal((await server.stop()).status, 0)

  const delivered = async () => (await database.query(sql`select from deliveries where status = 'DELIVERED'`)).length
  assert.ok(await eventually(async () => (await delivered()) === 12))
  const failed = await database.query(sql`select error from delivery_attempts where error is not null`)
  assert.deepEqual(failed, [])
  assert.equal(receiver.requests.length, 12)
  await last.stop()
  assert.match((await runServer(before)).stderr, notThisOne)
  await database.close()
  await receiver.close()
})

test('on the embedded database the running server re-encrypts · ROB-5', async () => {
  await using folder = await temporaryFolder()
  const environment = { DATA_DIR: join(folder.path, 'data'), DESTINATION_ALLOW_CIDRS: '127.0.0.0/8' }
  {
    await using first = await startServer(environment)
    await first.stop()
  }
  const { id } = await cli(['organization', 'create', '--name', 'Acme'], environment)
  await cli(['webhook', 'set', '--organization', String(id), '--url', 'https://127.0.0.1/'], environment)
  const file = join(environment.DATA_DIR, 'secrets-key')
  await rename(file, `${file}.old`)
  assert.match((await runServer(environment)).stderr, notThisOne)

  const previous = (await readFile(`${file}.old`, 'utf8')).trim()
  await using server = await startServer({ ...environment, SECRETS_KEY_PREVIOUS: previous })
  assert.deepEqual(await cli(['secrets', 'rotate'], environment), { reencrypted: 1 })
  await server.stop()
  await using again = await startServer(environment)
  await again.stop()
})
