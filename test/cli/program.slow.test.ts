import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { temporaryFolder } from '../../support/process.ts'

const root = join(import.meta.dirname, '..', '..')
const run = promisify(execFile)

test('npx partner-interview-admin prints nothing but JSON, needs no registry and builds nothing', async () => {
  await using folder = await temporaryFolder()
  const builtAt = () => statSync(join(root, 'dist', 'cli', 'main.js')).mtimeMs
  const before = builtAt()
  const env = {
    ...process.env,
    DATA_DIR: folder.path,
    DATABASE_URL: '',
    npm_config_cache: join(folder.path, 'cache'),
    npm_config_offline: 'true',
    npm_config_loglevel: 'error',
  }
  const args = ['partner-interview-admin', 'organization', 'list', '--json']
  const failed = await run('npx', args, { cwd: root, env }).catch((error) => error)
  assert.deepEqual([failed.code, failed.stderr], [1, ''])
  assert.match(JSON.parse(failed.stdout).error, /^There is no database in /)
  assert.equal(builtAt(), before)
})

test('a Node that cannot run TypeScript starts the one from npm', async () => {
  const args = ['--no-experimental-strip-types', join(root, 'cli', 'launch.js')]
  const help = await run(process.execPath, [...args, '--help'])
  assert.match(help.stdout, /^Usage: partner-interview-admin /)
  const failed = await run(process.execPath, [...args, 'destroy', '--json']).catch((error) => error)
  assert.deepEqual([failed.code, failed.stdout], [1, `{"error":"unknown command 'destroy'"}\n`])
})

test('an installation puts both programs beside those of its dependencies', async () => {
  await using folder = await temporaryFolder()
  for (const path of ['package.json', 'sdk/package.json', 'ops/prepare.ts', 'cli/launch.js']) {
    cpSync(join(root, path), join(folder.path, path))
  }
  mkdirSync(join(folder.path, 'web'))
  for (const path of ['web/prepare.ts', 'ops/compile.ts']) writeFileSync(join(folder.path, path), '')
  const programs = join(folder.path, 'node_modules', '.bin')
  const targetOf = (name: string) => join(programs, readlinkSync(join(programs, name)))
  const prepare = () => run(process.execPath, [join(folder.path, 'ops', 'prepare.ts')])
  await prepare()
  assert.equal(targetOf('partner-interview-admin'), join(folder.path, 'cli', 'launch.js'))
  assert.ok(!existsSync(join(programs, 'partner-interview')), 'the SDK is not built without dev dependencies')

  const built = join(folder.path, 'sdk', 'dist', 'cli', 'main.js')
  mkdirSync(dirname(built), { recursive: true })
  writeFileSync(built, '')
  for (const _ of ['first', 'again']) await prepare()
  assert.equal(targetOf('partner-interview'), built)
})
