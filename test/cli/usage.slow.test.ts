import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand } from '../../cli/program.ts'
import { runCli, temporaryFolder } from '../../support/process.ts'

const nowhere = 'postgres://service:s3cret@127.0.0.1:1/interviews'

const noDatabase = async () => {
  throw new Error('The database was opened')
}

for (const args of [['--help'], ['key', '--help'], ['key', 'create', '--help'], ['help', 'organization']]) {
  test(`${args.join(' ')} prints the usage without a database`, async () => {
    const { status, stdout, stderr } = await runCommand(args, noDatabase)
    assert.equal(status, 0)
    assert.match(stdout, /^Usage: partner-interview-admin /)
    assert.equal(stderr, '')
  })
}

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  assert.deepEqual(await runCommand(['--version'], noDatabase), { status: 0, stdout: `${version}\n`, stderr: '' })
})

test('the usage marks required options and shows defaults', async () => {
  const { stdout } = await runCommand(['delivery', 'list', '--help'], noDatabase)
  assert.match(stdout, /--organization <id> +the organization, org_… \(required\)\n/)
  assert.match(stdout, /--limit <count> +the page size, 1 to 10000 \(default: 100\)\n/)
  assert.match(stdout, /--all +print all pages; not with --limit or --cursor\n/)
  assert.doesNotMatch(stdout, /--status .*\(required\)/)
})

test('--help creates no directory and connects to no server', async () => {
  await using folder = await temporaryFolder()
  const directory = join(folder.path, 'data')
  for (const environment of [{ DATA_DIR: directory }, { DATABASE_URL: nowhere }]) {
    const { status, stdout, stderr } = await runCli(['--help'], environment)
    assert.equal(status, 0)
    assert.match(stdout, /^Usage: partner-interview-admin /)
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
  [['organization', 'list', '--every'], "unknown option '--every'"],
  ...['organization', 'member', 'key', 'listen-token', 'delivery', 'dead-letter'].flatMap(
    (name): [args: string[], message: string][] => {
      const list = [name, 'list', '--organization', 'org_x'].slice(0, name === 'organization' ? 2 : 4)
      return [
        [[...list, '--all', '--limit', '5'], "option '--all' cannot be used with option '--limit <count>'"],
        [[...list, '--cursor', 'x', '--all'], "option '--all' cannot be used with option '--cursor <cursor>'"],
      ]
    },
  ),
]

for (const [args, message] of misuses) {
  test(`${args.join(' ')} fails: ${message.split('\n')[0]}`, async () => {
    const text = await runCommand(args, noDatabase)
    assert.deepEqual(text, { status: 1, stdout: '', stderr: `error: ${message}\n(add --help for usage)\n` })
    const json = await runCommand([...args.slice(0, 2), '--json', ...args.slice(2)], noDatabase)
    assert.deepEqual(json, { status: 1, stdout: `${JSON.stringify({ error: message })}\n`, stderr: '' })
  })
}

test('the process passes on the exit status, standard output and standard error', async () => {
  const [text, json] = await Promise.all([runCli(['destroy'], {}), runCli(['destroy', '--json'], {})])
  const stderr = "error: unknown command 'destroy'\n(add --help for usage)\n"
  assert.deepEqual(text, { status: 1, signal: null, stdout: '', stderr })
  const stdout = `{"error":"unknown command 'destroy'"}\n`
  assert.deepEqual(json, { status: 1, signal: null, stdout, stderr: '' })
})

test('an unreachable database is reported without its password', async () => {
  const [text, json] = await Promise.all([
    runCli(['organization', 'list'], { DATABASE_URL: nowhere }),
    runCli(['organization', 'list', '--json'], { DATABASE_URL: nowhere }),
  ])
  const message =
    'The database cannot be reached: connect ECONNREFUSED 127.0.0.1:1. Check DATABASE_URL and that PostgreSQL is running.'
  const stderr = `Database: 127.0.0.1:1/interviews\n${message}\n`
  assert.deepEqual(text, { status: 1, signal: null, stdout: '', stderr })
  assert.deepEqual(json, { status: 1, signal: null, stdout: `${JSON.stringify({ error: message })}\n`, stderr: '' })
})

test('where there is no database, a command says so and creates nothing', async () => {
  await using folder = await temporaryFolder()
  const directory = join(folder.path, 'data')
  const message = `There is no database in ${directory}. Set DATABASE_URL or DATA_DIR as the server has it. Starting the server creates a database.`
  const [text, json] = await Promise.all([
    runCli(['organization', 'create', '--name', 'Acme'], { DATA_DIR: directory }),
    runCli(['organization', 'list', '--json'], { DATA_DIR: directory }),
  ])
  const stderr = `Database: ${directory}\n${message}\n`
  assert.deepEqual(text, { status: 1, signal: null, stdout: '', stderr })
  assert.deepEqual(json, { status: 1, signal: null, stdout: `${JSON.stringify({ error: message })}\n`, stderr: '' })
  assert.equal(existsSync(directory), false)
})

test('an invalid configuration is reported with all its errors at once', async () => {
  const wrong = { DATABASE_URL: 'mysql://s3cret', LOG_LEVEL: 'loud' }
  const { status, stdout } = await runCli(['organization', 'list', '--json'], wrong)
  assert.equal(status, 1)
  assert.match(JSON.parse(stdout).error, /^Invalid configuration: DATABASE_URL must .*; LOG_LEVEL must /)
  assert.doesNotMatch(stdout, /s3cret/)
})
