import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../support/engines.ts'
import { startService } from '../../support/service.ts'

test('the address of the service itself leads to the reference and to the settings', async () => {
  const [engine] = engines
  assert.ok(engine)
  const service = await startService(engine)
  try {
    const page = await fetch(service.url)
    assert.equal(page.status, 200)
    const links = [...(await page.text()).matchAll(/href="([^"]*)"/g)].map(([, link = '']) => link)
    assert.deepEqual(links, ['docs', 'settings', 'openapi.json'])
    for (const link of links) {
      const answer = await fetch(new URL(link, service.url))
      assert.equal(answer.status, 200, link)
      await answer.body?.cancel()
    }
  } finally {
    await service.close()
  }
})
