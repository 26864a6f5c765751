import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand } from '../../cli/program.ts'
import { runCli, temporaryFolder } from '../support/process.ts'

const nowhere = 'postgres://service:s3cret@127.0.0.1:1/interviews'

const noDatabase = async () => {
  throw new Error('The database was opened')
}

for (const args of [['--help'], ['key', '--help'], ['key', 'create', '--help'], ['help', 'organization']]) {
  test(`${args.join(' ')} tells the usage and needs no database`, async () => {
    const { status, stdout, stderr } = await runCommand(args, noDatabase)
    assert.equal(status, 0)
    assert.match(stdout, /^Usage: npm run cli -- /)
    assert.equal(stderr, '')
  })
}

test('--help makes no directory and reaches for no server', async () => {
  await using folder = await temporaryFolder()
  const directory = join(folder.path, 'data')
  for (const environment of [{ DATA_DIR: directory }, { DATABASE_URL: nowhere }]) {
    const { status, stdout, stderr } = await runCli(['--help'], environment)
    assert.equal(status, 0)
    assert.match(stdout, /^Usage: npm run cli -- /)
    assert.equal(stderr, '')
  }
  assert.equal(existsSync(directory), false)
})

const misuses: [args: string[], message: string][] = [
  [['organisation', 'list'], "unknown command 'organisation'\n(Did you mean organization?)"],
  [['key', 'destroy'], "unknown command 'destroy'"],
  [['organization', 'create'], "required option '--name <name>' not specified"],
  [['key', 'create', '--label', 'ATS'], "required option '--organization <id>' not specified"],
  [['key', 'revoke', '--id'], "option '--id <id>' argument missing"],
  [['organization', 'list', '--all'], "unknown option '--all'"],
]

for (const [args, message] of misuses) {
  test(`${args.join(' ')} is refused: ${message.split('\n')[0]}`, async () => {
    const text = await runCommand(args, noDatabase)
    assert.deepEqual(text, { status: 1, stdout: '', stderr: `error: ${message}\n(add --help for the usage)\n` })
    const json = await runCommand([...args.slice(0, 2), '--json', ...args.slice(2)], noDatabase)
    assert.deepEqual(json, { status: 1, stdout: `${JSON.stringify({ error: message })}\n`, stderr: '' })
  })
}

test('the status and both kinds of output leave the process as they are', async () => {
  const [text, json] = await Promise.all([runCli(['destroy'], {}), runCli(['destroy', '--json'], {})])
  const stderr = "error: unknown command 'destroy'\n(add --help for the usage)\n"
  assert.deepEqual(text, { status: 1, signal: null, stdout: '', stderr })
  const stdout = `{"error":"unknown command 'destroy'"}\n`
  assert.deepEqual(json, { status: 1, signal: null, stdout, stderr: '' })
})

test('a database that cannot be reached is said, without the password', async () => {
  const [text, json] = await Promise.all([
    runCli(['organization', 'list'], { DATABASE_URL: nowhere }),
    runCli(['organization', 'list', '--json'], { DATABASE_URL: nowhere }),
  ])
  const message = 'The database cannot be reached: connect ECONNREFUSED 127.0.0.1:1'
  assert.deepEqual(text, { status: 1, signal: null, stdout: '', stderr: `${message}\n` })
  assert.deepEqual(json, { status: 1, signal: null, stdout: `${JSON.stringify({ error: message })}\n`, stderr: '' })
})

test('a wrong configuration is said, all faults at once', async () => {
  const wrong = { DATABASE_URL: 'mysql://s3cret', LOG_LEVEL: 'loud' }
  const { status, stdout } = await runCli(['organization', 'list', '--json'], wrong)
  assert.equal(status, 1)
  assert.match(JSON.parse(stdout).error, /^The configuration is wrong: DATABASE_URL must .*; LOG_LEVEL must /)
  assert.doesNotMatch(stdout, /s3cret/)
})
