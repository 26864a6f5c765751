import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { engines } from '../../support/engines.ts'
import { temporaryFolder } from '../../support/process.ts'
import { startService } from '../../support/service.ts'

const web = join(import.meta.dirname, '..', '..', 'web')

test('everything the settings page loads is under 300 kB as it travels', async () => {
  const [engine] = engines
  assert.ok(engine)
  const service = await startService(engine)
  try {
    for (const encoding of ['br', 'gzip']) {
      const document = await received(`${service.url}/settings`, encoding)
      const files = [...document.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path)
      assert.ok(files.length >= 3, 'a script, a style and an icon')
      const sizes = await Promise.all(files.map(async (path) => (await received(service.url + path, encoding)).bytes))
      const total = sizes.reduce((sum, size) => sum + size, document.bytes)
      assert.ok(total < 300_000, `${total} bytes with ${encoding}`)
    }
  } finally {
    await service.close()
  }
})

/** What arrives, before anything is decompressed. */
async function received(url: string, encoding: string): Promise<{ bytes: number; text: string }> {
  const [response] = await once(get(url, { headers: { 'accept-encoding': encoding } }), 'response')
  const body = Buffer.concat(await response.toArray())
  return { bytes: body.length, text: body.toString() }
}

test('an installation without dev dependencies goes on, and says what became of the page', async () => {
  await using folder = await temporaryFolder()
  const script = join(folder.path, 'prepare.ts')
  cpSync(join(web, 'prepare.ts'), script)
  const prepare = () => execFileSync(process.execPath, [script], { encoding: 'utf8' })
  assert.match(prepare(), /The settings page is not built\. Copy web\/dist/)
  mkdirSync(join(folder.path, 'dist'))
  writeFileSync(join(folder.path, 'dist', 'index.html'), '')
  assert.match(prepare(), /Keeping the settings page from the last build/)
})
