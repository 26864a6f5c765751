import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { temporaryFolder } from '../../support/process.ts'

const root = join(import.meta.dirname, '..', '..')
const run = promisify(execFile)

test('npx partner-interview-admin prints nothing but JSON, and needs no registry', async () => {
  await using folder = await temporaryFolder()
  const env = {
    ...process.env,
    ...{ DATA_DIR: folder.path, DATABASE_URL: '' },
    ...{ npm_config_cache: join(folder.path, 'cache'), npm_config_offline: 'true', npm_config_loglevel: 'error' },
  }
  const args = ['partner-interview-admin', 'organization', 'list', '--json']
  const failed = await run('npx', args, { cwd: root, env }).catch((error) => error)
  assert.deepEqual([failed.code, failed.stderr], [1, ''])
  assert.match(JSON.parse(failed.stdout).error, /^There is no database in /)
})

test('a Node that cannot run TypeScript starts the one from npm', async () => {
  const args = ['--no-experimental-strip-types', join(root, 'cli', 'launch.js')]
  const help = await run(process.execPath, [...args, '--help'])
  assert.match(help.stdout, /^Usage: partner-interview-admin /)
  const failed = await run(process.execPath, [...args, 'destroy', '--json']).catch((error) => error)
  assert.deepEqual([failed.code, failed.stdout], [1, `{"error":"unknown command 'destroy'"}\n`])
})

test('an installation puts the program beside those of its dependencies', async () => {
  await using folder = await temporaryFolder()
  for (const name of ['ops', 'web']) mkdirSync(join(folder.path, name))
  cpSync(join(root, 'package.json'), join(folder.path, 'package.json'))
  cpSync(join(root, 'ops', 'prepare.ts'), join(folder.path, 'ops', 'prepare.ts'))
  writeFileSync(join(folder.path, 'web', 'prepare.ts'), '')
  for (const _ of ['first', 'again']) await run(process.execPath, [join(folder.path, 'ops', 'prepare.ts')])
  const link = join(folder.path, 'node_modules', '.bin', 'partner-interview-admin')
  assert.equal(join(link, '..', readlinkSync(link)), join(folder.path, 'cli', 'launch.js'))
})
