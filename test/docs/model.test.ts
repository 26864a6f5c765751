import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../..')

test('the table in docs/scaling.md is what npm run model prints', () => {
  const printed = execFileSync(process.execPath, ['bench/model.ts'], { cwd: root, encoding: 'utf8' })
  const table = printed.slice(printed.indexOf('| results a day')).trim()
  assert.ok(table.length > 0)
  const page = readFileSync(join(root, 'docs/scaling.md'), 'utf8')
  assert.ok(page.includes(table), `Copy this into docs/scaling.md:\n${table}`)
})
