import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { isBackend, owners, rules } from './structure/rules.ts'
import { cyclesIn, importsOf, sourcesUnder } from './structure/sources.ts'

const sources = ['server', 'cli', 'sdk', 'web', 'demo'].flatMap(sourcesUnder)
const imports = sources.flatMap(importsOf)

describe('the rules of docs/architecture.md', () => {
  for (const rule of rules) {
    test(rule.name, () => assert.deepEqual(rule.violations(sources, imports), []))

    test(`${rule.name}: a violation is detected`, () => {
      for (const violation of rule.broken) {
        assert.equal(rule.violations(violation, violation.flatMap(importsOf)).length, 1, JSON.stringify(violation))
      }
    })
  }
})

test('there are no import cycles in tests, benchmarks and tools either', () => {
  const others = ['test', 'support', 'bench', 'faults', 'fuzz'].flatMap(sourcesUnder)
  assert.deepEqual(cyclesIn([...imports, ...others.flatMap(importsOf)]), [])
})

test('every table has an owner, and no dropped table is listed', () => {
  const folder = join(import.meta.dirname, '../server/database/migrations')
  const scripts = readdirSync(folder)
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
  const named = (pattern: RegExp) => [...scripts.matchAll(pattern)].map(([, table = '']) => table)
  const dropped = new Set(named(/^\s*drop table (?:if exists )?(\w+)/gm))
  const tables = named(/^\s*create (?:unlogged )?table (?:if not exists )?(\w+)/gm).filter(
    (table) => !dropped.has(table),
  )
  const owned = owners.flatMap(([, theirs]) => theirs).filter((table) => table !== 'schema_migrations')
  assert.deepEqual(owned.toSorted(), tables.toSorted())
})

test('imports in the real files are found', () => {
  const found = (from: string, to: string) => imports.some((one) => one.from === from && one.to === to)
  assert.ok(found('server/main.ts', 'server/config.ts'))
  assert.ok(found('server/server.ts', 'cli/program.ts'))
  assert.ok(found('server/database/database.ts', 'pg'))
  assert.ok(found('server/http/app.ts', 'fastify'), 'a multi-line import')
  const toSources = imports.filter(({ from, to, ours }) => ours && isBackend(from) && !to.endsWith('.json'))
  for (const { from, to } of toSources) {
    assert.ok(
      sources.some(({ path }) => path === to),
      `${from} imports ${to}, which does not exist`,
    )
  }
})
