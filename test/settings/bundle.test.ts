import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'

const built = join(import.meta.dirname, '..', '..', 'web', 'dist')

test('everything the settings area loads is under 400 kB as it travels', () => {
  const files = readdirSync(built, { recursive: true, encoding: 'utf8', withFileTypes: true }).filter((file) =>
    file.isFile(),
  )
  const sizes = files.map(({ parentPath, name }) => gzipSync(readFileSync(join(parentPath, name))).length)
  assert.ok(sizes.length > 0, 'it is built')
  const total = sizes.reduce((sum, size) => sum + size, 0)
  assert.ok(total < 400_000, `${total} bytes`)
})
