import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signedInMember } from '../../support/members.ts'
import { inBrowser } from './in-browser.ts'

inBrowser('the settings page without a connection', (stage) => {
  test('it says so, and when it was last updated; then it recovers by itself', async () => {
    const { deliveries, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    const { organizationId } = subscriber
    await subscriber.complete()
    const admin = await signedInMember(service, 'admin', organizationId)
    await using visited = await visit({ as: admin, at: `/${organizationId}/deliveries` })
    const { page } = visited
    await page.getByText('1 delivery shown').waitFor()

    await page.context().setOffline(true)
    const status = page.getByRole('status').filter({ hasText: /^Not connected · last updated \d\d:\d\d$/ })
    await status.waitFor()
    await subscriber.complete()
    assert.equal(await page.getByText('1 delivery shown').count(), 1, 'what was there stays')
    assert.equal(await page.getByRole('alert').count(), 0, 'it is said once')
    await page.context().setOffline(false)
    await page.getByText('2 deliveries shown').waitFor()
    await status.waitFor({ state: 'detached' })
  })

  test('a page opened without it fails instead of loading forever, and loads once it is back', async () => {
    const { service, visit } = stage()
    const { organizationId } = await service.partner()
    const admin = await signedInMember(service, 'admin', organizationId)
    await using visited = await visit({ as: admin, at: `/${organizationId}/deliveries` })
    const { page } = visited
    await page.getByText('No deliveries yet').waitFor()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('alert').getByText('Can’t reach the service').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('row', { name: /test/ }).waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
  })

  test('while the service fails, the error stays on screen, and goes with the first response', async () => {
    const { deliveries, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    await subscriber.complete()
    const { organizationId } = subscriber
    const admin = await signedInMember(service, 'admin', organizationId)
    await using visited = await visit({ as: admin, at: `/${organizationId}/keys` })
    const { page } = visited
    await page.getByRole('table').waitFor()
    const list = /\/deliveries\?limit/
    await page.route(list, (route) => route.fulfill({ status: 503, json: { error: 'Try again later' } }))
    await page.getByRole('link', { name: 'Deliveries' }).click()
    await page.getByRole('alert').getByText('Try again later').waitFor()
    await page.evaluate(`
      window.gaps = 0
      new MutationObserver(() => { if (!document.querySelector('[role=alert]')) window.gaps += 1 })
        .observe(document.body, { childList: true, subtree: true })`)
    // Three responses are one try with its repetitions.
    for (let count = 0; count < 4; count += 1) await page.waitForResponse(list)
    assert.equal(await page.evaluate('window.gaps'), 0, 'a placeholder replaced the error')
    await page.unroute(list)
    await page.getByText('1 delivery shown').waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
  })
})
