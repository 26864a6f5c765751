import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signedInMember } from '../../support/members.ts'
import { inBrowser, inspect, waitForFocus } from './in-browser.ts'

inBrowser('figures and times on the deliveries page', (stage) => {
  async function open(statuses: number[]) {
    const { deliveries, deliver, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    for (const status of statuses) await deliver(subscriber, status)
    const { organizationId } = subscriber
    const admin = await signedInMember(service, 'admin', organizationId)
    const visited = await visit({ as: admin, at: `/${organizationId}/deliveries` })
    return { visited, page: visited.page }
  }

  test('the chart says how many attempts its tallest bars stand for', async () => {
    const { visited, page } = await open([200, 200, 200, 410])
    await using _ = visited
    await page.getByRole('img', { name: /3 delivered, 1 failed/ }).waitFor()
    const scale = page.locator('figure > [aria-hidden]').first()
    assert.deepEqual(await inspect(scale, '[...element.children].map((mark) => mark.innerText)'), ['3', '0', '1'])
  })

  test('the interval under the pointer is one of the span that is shown', async () => {
    const { visited, page } = await open([200])
    await using _ = visited
    // One that begins at noon or midnight is also the start of one of the 12-hour intervals.
    const isNoon = Math.floor(Date.now() / 1_800_000) % 24 === 0
    const interval = page.locator('figure svg g').nth(isNoon ? 46 : 47)
    // An event, because a real pointer would enter whatever is drawn beneath it next.
    await interval.dispatchEvent('pointerover')
    await page.getByText(/: \d attempts? delivered$/).waitFor()
    await page.getByRole('combobox', { name: 'Time range of the health figures' }).selectOption('Last 30 days')
    await page.getByRole('img', { name: /Last 30 days: 1 delivered, 0 failed/ }).waitFor()
    await page.getByText('Failed (below the line)').waitFor()
  })

  test('a range that can’t be shown is refused on its field, and the figures stay', async () => {
    const { visited, page } = await open([200])
    await using _ = visited
    const range = page.getByRole('combobox', { name: 'Time range of the health figures' })
    await range.selectOption('Custom range')
    const [from, to] = [page.getByLabel('Health from'), page.getByLabel('Health to')]
    const daysAgo = (days: number) => `${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)}T00:00`
    await from.fill(daysAgo(60))
    await from.press('Enter')
    await page.getByText('Choose at most 31 days').waitFor()
    await waitForFocus(page, 'Health from')
    const [fromBox, toBox] = [await from.boundingBox(), await to.boundingBox()]
    assert.equal(fromBox?.y, toBox?.y, 'the fields are level')
    await to.fill(daysAgo(61))
    await to.press('Enter')
    await page.getByText('Must be after the start').waitFor()
    assert.equal(await to.getAttribute('aria-invalid'), 'true')
    await page.getByRole('img', { name: /Last 24 hours: 1 delivered, 0 failed/ }).waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
    await to.fill(daysAgo(59))
    await to.press('Enter')
    await page.getByRole('img', { name: /: 0 delivered, 0 failed/ }).waitFor()
    await range.selectOption('Last 7 days')
    await page.getByRole('img', { name: /Last 7 days: 1 delivered, 0 failed/ }).waitFor()
  })

  test('an interval leads to what was created in it, and an empty list says that attempts may have come later', async () => {
    const { deliveries, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    const { now } = service.time
    service.time.now = new Date(now.getTime() - 3 * 3_600_000)
    const { deliveryId } = await subscriber.complete()
    service.time.now = now
    await deliveries.attempt(deliveryId)
    const admin = await signedInMember(service, 'admin', subscriber.organizationId)
    await using visited = await visit({ as: admin, at: `/${subscriber.organizationId}/deliveries` })
    const { page } = visited
    await page.getByRole('img', { name: /1 delivered, 0 failed/ }).waitFor()
    const interval = page.locator('figure svg g').last()
    assert.match((await interval.locator('title').textContent()) ?? '', /^Show deliveries created \d\d:\d\d–\d\d:\d\d$/)
    await interval.click()
    await page.getByText('No matching deliveries').waitFor()
    await page.getByText('Deliveries are filtered by creation time. Attempts may have been made later.').waitFor()
    await page.getByLabel('Created after').waitFor()
  })

  test('a search that takes effect late closes no delivery that was opened since', async () => {
    const { visited, page } = await open([200])
    await using _ = visited
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
    await page.getByRole('searchbox').fill('ada')
    await page.getByRole('link', { name: 'Ada Lovelace' }).click()
    await page.waitForURL(/\/deliveries\/dlv_\w+\?search=ada$/)
    await page.getByRole('dialog', { name: /Ada Lovelace/ }).waitFor()
  })

  test('after a long wait on the sign-in page, times are counted from now', async () => {
    const { deliveries, deliver, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    await deliver(subscriber, 200)
    const admin = await signedInMember(service, 'admin', subscriber.organizationId)
    await using visited = await visit({ at: '/sign-in' })
    const { page } = visited
    await page.clock.install()
    await page.reload()
    await page.getByRole('textbox', { name: 'Email' }).fill(admin.email)
    await page.clock.fastForward('30:00')
    await page.getByLabel('Password', { exact: true }).fill(admin.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    const created = page
      .getByRole('row', { name: /Ada Lovelace/ })
      .locator('time')
      .last()
    await created.waitFor()
    assert.match(await created.innerText(), /^3\d min ago$/)
  })
})
