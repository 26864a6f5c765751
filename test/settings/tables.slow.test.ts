import assert from 'node:assert/strict'
import { test } from 'node:test'
import sql from 'sql-template-tag'
import { signedInMember } from '../../support/members.ts'
import { inBrowser, inspect } from './in-browser.ts'

/** Words that continue on another line, and how far the table reaches out of its frame. */
const faults = `(() => {
  const broken = []
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { currentNode: text } = texts
    for (const { 0: word, index } of text.data.matchAll(/[\\p{L}\\p{N}_]+/gu)) {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      if (word.length <= 14 && range.getClientRects().length > 1) broken.push(word)
    }
  }
  const hidden = element.scrollWidth - element.parentElement.clientWidth
  return hidden > 0 ? [...broken, hidden + ' pixels hidden'] : broken
})()`

inBrowser('the tables', (stage) => {
  test('no word is broken and nothing is cut off, however long the names and however narrow the window', async () => {
    const { deliveries, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    const { organizationId } = subscriber
    await subscriber.complete()
    const long = 'l'.repeat(100)
    await service.database.query(sql`update templates set title = ${long}, external_posting_id = ${long}`)
    const admin = await signedInMember(service, 'admin', organizationId)
    const create = async (path: string, body: object) =>
      assert.equal((await admin.call('POST', `/organizations/${organizationId}${path}`, body)).status, 201)
    await create('/keys', { label: long, scopes: ['invitations:write'], expiresAt: new Date(Date.now() + 9e9) })
    await create('/keys', { label: 'Reporting dashboard', scopes: ['results:read'] })
    await create('/member-invitations', { email: `${'m'.repeat(60)}@${'d'.repeat(60)}.example.com`, role: 'viewer' })
    await create('/listen-tokens', {})
    await using visited = await visit({ as: admin, at: `/${organizationId}` })
    const { page } = visited
    const paths = ['keys', 'members', 'requests', 'listen', 'interviews/results', 'interviews/templates']
    for (const path of [...paths, 'interviews/invitations']) {
      await page.goto(`${service.url}/settings/${organizationId}/${path}`)
      await page.locator('main tbody tr').first().waitFor()
      for (const width of [360, 820, 1000, 1024, 1100, 1265, 1280, 1440]) {
        await page.setViewportSize({ width, height: 860 })
        for (const table of await page.getByRole('table').all()) {
          assert.deepEqual(await inspect(table, faults), [], `${path} at ${width} pixels`)
        }
      }
    }
  })

  test('IDs stay on one line at 1280 pixels', async () => {
    const { deliveries, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    await subscriber.complete()
    const long = 'l'.repeat(100)
    await service.database.query(sql`update templates set title = ${long}, external_posting_id = id`)
    const admin = await signedInMember(service, 'admin', subscriber.organizationId)
    const lines = `(() => {
      const text = document.createRange()
      text.selectNodeContents(element)
      return text.getClientRects().length
    })()`
    for (const kind of ['results', 'invitations', 'templates']) {
      await using visited = await visit({ as: admin, at: `/${subscriber.organizationId}/interviews/${kind}` })
      const id = visited.page.locator('main tbody code')
      assert.equal(await inspect(id, lines), 1, kind)
    }
  })
})
