import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { engines } from '../../support/engines.ts'
import { type Service, startService } from '../../support/service.ts'

describe('the page of the settings area', () => {
  let service: Service
  before(async () => {
    const [engine] = engines
    assert.ok(engine)
    service = await startService(engine)
  })
  after(() => service.close())

  test('every address of the area is the one document, which runs nothing but its own files', async () => {
    const documents = await Promise.all(
      ['/settings', '/settings/', '/settings/org_x/deliveries/dlv_y'].map((path) => fetch(service.url + path)),
    )
    const texts = await Promise.all(documents.map((document) => document.text()))
    assert.equal(new Set(texts).size, 1)
    for (const { status, headers } of documents) {
      assert.equal(status, 200)
      assert.match(headers.get('content-type') ?? '', /^text\/html/)
      assert.equal(headers.get('cache-control'), 'no-cache')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
      const policy = headers.get('content-security-policy') ?? ''
      assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/)
      assert.match(policy, /frame-ancestors 'none'/)
      assert.doesNotMatch(policy, /unsafe|data:|\*/)
    }
    const [text = ''] = texts
    const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file)
    assert.ok(files.some((file) => file.endsWith('.js')) && files.some((file) => file.endsWith('.css')))
    for (const file of files) {
      const { status, headers, body } = await fetch(service.url + file)
      await body?.cancel()
      assert.equal(status, 200, file)
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable', file)
    }
  })

  test('a file that is not there is not found, and nothing outside is served', async () => {
    for (const path of [
      '/assets/none.js',
      `/assets/${'a'.repeat(300)}`,
      '/assets/..%2f..%2fpackage.json',
      '/assets/..%2findex.html',
    ]) {
      const { status, headers, body } = await fetch(`${service.url}/settings${path}`)
      await body?.cancel()
      assert.equal(status, 404, path)
      assert.doesNotMatch(headers.get('cache-control') ?? '', /immutable/)
    }
  })

  test('the page is only ever read', async () => {
    const answer = await fetch(`${service.url}/settings`, { method: 'POST' })
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD'])
    await answer.body?.cancel()
  })
})
