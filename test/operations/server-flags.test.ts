import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { serverFlags } from '../../support/server-flags.ts'

const root = join(import.meta.dirname, '../..')

for (const [name, file] of [
  ['the container', 'Dockerfile'],
  ['the systemd unit', 'ops/partner-interview.service'],
  ['the command for scripts', 'docs/operations.md'],
] as const) {
  test(`${name} runs Node with the options of npm start`, () => {
    const [line = ''] = readFileSync(join(root, file), 'utf8').match(/^.*server\/main\.js.*$/m) ?? []
    assert.deepEqual(line.match(/--[a-z][^\s",]*/g), serverFlags(root))
  })
}
