import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { temporaryFolder } from '../support/process.ts'

const web = join(import.meta.dirname, '..', '..', 'web')
const built = join(web, 'dist')

test('everything the settings area loads is under 400 kB as it travels', () => {
  const files = readdirSync(built, { recursive: true, encoding: 'utf8', withFileTypes: true }).filter((file) =>
    file.isFile(),
  )
  const sizes = files.map(({ parentPath, name }) => gzipSync(readFileSync(join(parentPath, name))).length)
  assert.ok(sizes.length > 0, 'it is built')
  const total = sizes.reduce((sum, size) => sum + size, 0)
  assert.ok(total < 400_000, `${total} bytes`)
})

test('an installation without dev dependencies goes on, and says what became of the page', async () => {
  await using folder = await temporaryFolder()
  const script = join(folder.path, 'prepare.ts')
  cpSync(join(web, 'prepare.ts'), script)
  const prepare = () => execFileSync(process.execPath, [script], { encoding: 'utf8' })
  assert.match(prepare(), /the settings page is not built\. Copy web\/dist/)
  mkdirSync(join(folder.path, 'dist'))
  writeFileSync(join(folder.path, 'dist', 'index.html'), '')
  assert.match(prepare(), /stays as it was built before/)
})
