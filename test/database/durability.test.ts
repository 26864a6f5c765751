import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import sql from 'sql-template-tag'
import { engines } from '../../support/engines.ts'

const root = join(import.meta.dirname, '../..')

for (const engine of engines.filter(({ name }) => name === 'PostgreSQL')) {
  test('docs/reliability.md names every table that a crash or a failover empties · ROB-6', async () => {
    const database = await engine.open()
    const rows = await database.query<{ name: string }>(sql`
      select relname as name from pg_class where relkind = 'r' and relpersistence = 'u' order by relname`)
    await database.close()
    const page = readFileSync(join(root, 'docs/reliability.md'), 'utf8')
    const [, section = ''] = page.split('### What a failover may lose')
    const named = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)
    assert.deepEqual(
      rows.map(({ name }) => name),
      named.toSorted(),
    )
  })
}

test('no statement gives up waiting for the disk or the standby · ROB-6', () => {
  const sources = globSync('{server,cli}/**/*.{ts,sql}', { cwd: root })
  assert.ok(sources.length > 100)
  const found = sources.filter((path) => /synchronous_commit/i.test(readFileSync(join(root, path), 'utf8')))
  assert.deepEqual(found, [])
})
