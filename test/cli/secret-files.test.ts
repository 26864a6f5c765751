import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { readSecretFiles } from '../../cli/secret-files.ts'
import { temporaryFolder } from '../../support/process.ts'

test('a secret can be read from a file, which keeps it out of the process list, with or without a trailing newline', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'password')
  await writeFile(file, '--a secret that begins oddly\n')
  const given = ['member', 'add', '--password-file', file, '--role', 'admin']
  assert.deepEqual(readSecretFiles(given), [
    'member',
    'add',
    '--password=--a secret that begins oddly',
    '--role',
    'admin',
  ])
  assert.deepEqual(readSecretFiles(['webhook', 'set', `--secret-file=${file}`]), [
    'webhook',
    'set',
    '--secret=--a secret that begins oddly',
  ])
  assert.deepEqual(readSecretFiles(['chat-webhook', 'set', '--url-file', file]), [
    'chat-webhook',
    'set',
    '--url=--a secret that begins oddly',
  ])
  assert.throws(() => readSecretFiles(['--secret-file']), /argument missing/)
  assert.throws(() => readSecretFiles(['--secret-file', join(folder.path, 'none')]), /can’t read --secret-file/)
})

test('a secret can be read from standard input', () => {
  const script = `import { readSecretFiles } from './cli/secret-files.ts'
    process.stdout.write(JSON.stringify(readSecretFiles(['--secret-file', '-'])))`
  const cwd = join(import.meta.dirname, '../..')
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd,
    input: 'typed-by-an-admin\r\n',
    encoding: 'utf8',
  })
  assert.equal(stdout, '["--secret=typed-by-an-admin"]')
})
