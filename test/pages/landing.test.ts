import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../support/engines.ts'
import { startService } from '../../support/service.ts'

test('the root page links to the reference and the settings', async () => {
  const [engine] = engines
  assert.ok(engine)
  const service = await startService(engine)
  try {
    const page = await fetch(service.url)
    assert.equal(page.status, 200)
    const links = [...(await page.text()).matchAll(/href="([^"]*)"/g)].map(([, link = '']) => link)
    assert.deepEqual(links, ['docs', 'settings', 'openapi.json'])
    for (const link of links) {
      const response = await fetch(new URL(link, service.url))
      assert.equal(response.status, 200, link)
      await response.body?.cancel()
    }
  } finally {
    await service.close()
  }
})
