import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import sql from 'sql-template-tag'
import { updateEndpointHealth } from '../../server/endpoints/endpoint-health.ts'
import type { Subscriber } from '../../support/deliveries.ts'
import { signedInMember } from '../../support/members.ts'
import { eventually } from '../../support/process.ts'
import { inBrowser, inspect, waitForFocus } from './in-browser.ts'

inBrowser('the deliveries page', (stage) => {
  /** An interview whose event is answered like this. */
  async function deliver(subscriber: Subscriber, status: number): Promise<string> {
    subscriber.answer({ status })
    const { deliveryId } = await subscriber.complete()
    await stage().deliveries.attempt(deliveryId)
    return deliveryId
  }

  test('Retry all failed is offered by the count, not by the rows on the page · SET-4', async () => {
    const { deliveries, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    await deliver(subscriber, 410)
    for (let count = 0; count < 26; count += 1) await deliver(subscriber, 200)
    const admin = await signedInMember(service, 'admin', subscriber.organizationId)
    await using visited = await visit({ as: admin, at: `/${subscriber.organizationId}/deliveries` })
    const { page } = visited
    await page.getByText('25 deliveries shown').waitFor()
    await page.getByRole('button', { name: 'Retry all failed' }).click()
    await page.getByRole('button', { name: 'Retry 1 delivery' }).click()
    await page.getByText('Retry scheduled for 1 delivery.').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await waitForFocus(page, /^Retry/)
    await page.getByRole('radiogroup', { name: 'Status' }).getByText('Delivered').click()
    await page.getByRole('button', { name: 'Load older' }).waitFor()
    assert.equal(await page.getByRole('button', { name: /^Retry/ }).count(), 0, 'none of those failed')
  })

  test('once the endpoint works again, every page offers to retry what failed · SET-4', async () => {
    const { deliveries, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    for (const status of [410, 410, 200]) {
      await deliver(subscriber, status)
      service.time.now = new Date(service.time.now.getTime() + 60_000)
      await updateEndpointHealth(service.database, service.time.now)
    }
    const admin = await signedInMember(service, 'admin', subscriber.organizationId)
    await using visited = await visit({ as: admin, at: `/${subscriber.organizationId}/keys` })
    const { page } = visited
    await page.getByText('Your webhook endpoint is working again').waitFor()
    await page.getByRole('button', { name: 'Retry all failed' }).click()
    await page.getByRole('button', { name: 'Retry 2 deliveries' }).click()
    await page.waitForURL(/\/deliveries$/)
    await page.getByText('Retry scheduled for 2 deliveries.').waitFor()
  })

  test('Retry changes neither the success rate nor the chart, and says that it is being retried · SET-4', async () => {
    const { deliveries, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    await deliver(subscriber, 200)
    const failed = await deliver(subscriber, 410)
    const admin = await signedInMember(service, 'admin', subscriber.organizationId)
    const at = `/${subscriber.organizationId}/deliveries/${failed}`
    await using visited = await visit({ as: admin, at, viewport: { width: 1280, height: 800 } })
    const { page } = visited
    const chart = page.getByRole('img', { name: /Attempts in 30-minute intervals/, includeHidden: true })
    const before = await chart.getAttribute('aria-label')
    assert.match(before ?? '', /1 delivered, 1 failed/)
    await page.getByRole('button', { name: 'Retry', exact: true }).click()
    await page.getByText('Retry scheduled.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByText('1 failed, being retried').waitFor()
    await page.getByText('50%', { exact: true }).waitFor()
    assert.equal(await chart.getAttribute('aria-label'), before)

    const row = page.getByRole('row', { name: /Ada Lovelace/ }).first()
    const box = await row.boundingBox()
    assert.ok(box && box.y + box.height <= 800, 'the first delivery is visible without scrolling')
    await page.getByRole('combobox', { name: 'Time range of the health figures' }).selectOption('Last 30 days')
    await page
      .getByRole('img', { name: /Attempts in 12-hour intervals, Last 30 days: 1 delivered, 1 failed/ })
      .waitFor()
    await page.getByRole('combobox', { name: 'Time range of the health figures' }).selectOption('Custom range')
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    await page.getByLabel('Health from').fill(`${yesterday}T00:00`)
    await page.getByLabel('Health to').fill(`${yesterday}T01:00`)
    await page.keyboard.press('Enter')
    await page.getByRole('img', { name: /: 0 delivered, 0 failed/ }).waitFor()
  })

  test('after Retry, focus is on the new status, and the message covers no button', async () => {
    const { deliveries, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    const deliveryId = await deliver(subscriber, 410)
    const admin = await signedInMember(service, 'admin', subscriber.organizationId)
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      const at = `/${subscriber.organizationId}/deliveries/${deliveryId}`
      await using visited = await visit({ as: admin, at, viewport })
      const { page } = visited
      await page.getByRole('button', { name: 'Retry', exact: true }).click()
      const message = page.locator('.mantine-Notification-root', { hasText: 'Sends within a minute.' })
      await message.waitFor()
      await page.getByRole('dialog').getByRole('status').getByText('Pending').waitFor()
      await waitForFocus(page, 'Pending')
      const close = page.getByRole('dialog').getByRole('button', { name: 'Close' })
      await waitForNoOverlap(message, close)
      await deliveries.attempt(deliveryId)
    }
  })

  test('a delivery is found by name and by its IDs, which can be copied · SET-4', async () => {
    const { deliveries, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    const found = await deliver(subscriber, 200)
    await service.database.query(sql`
      update interviews i set first_name = 'Grace', last_name = 'Hopper' from deliveries d
      where d.interview_id = i.id and d.id = ${found}`)
    await deliver(subscriber, 200)
    const admin = await signedInMember(service, 'admin', subscriber.organizationId)
    await using visited = await visit({
      ...{ as: admin, at: `/${subscriber.organizationId}/deliveries/${found}` },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const { page } = visited
    const ids: string[] = []
    for (const name of ['delivery ID', 'result ID', 'event ID', 'invitation ID']) {
      await page.getByRole('button', { name: `Copy ${name}` }).click()
      await page.getByRole('status').getByText('Copied').first().waitFor()
      ids.push(await page.evaluate<string>('navigator.clipboard.readText()'))
    }
    assert.equal(ids[0], found)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    for (const search of ['hop', 'Grace H', ...ids]) {
      await page.getByRole('searchbox').fill(search)
      await page.getByText('1 delivery shown').waitFor()
      await page.getByRole('link', { name: 'Grace Hopper' }).waitFor()
      await page.getByRole('searchbox').fill('')
      await page.getByText('2 deliveries shown').waitFor()
    }
  })

  test('the drawer leads to the previous and the next delivery, by button and by key · SET-4', async () => {
    const { deliveries, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    const ids: string[] = []
    for (let count = 0; count < 3; count += 1) {
      ids.unshift(await deliver(subscriber, 200))
      service.time.now = new Date(service.time.now.getTime() + 1_000)
    }
    const admin = await signedInMember(service, 'admin', subscriber.organizationId)
    await using visited = await visit({ as: admin, at: `/${subscriber.organizationId}/deliveries` })
    const { page } = visited
    const shows = (index: number) => page.waitForURL(`**/deliveries/${ids[index]}`)
    await page.locator(`[id="${ids[0]}"]`).click()
    await page.getByRole('button', { name: 'Next' }).click()
    await shows(1)
    await page.keyboard.press('j')
    await shows(2)
    await page.keyboard.press('j')
    await page.getByRole('button', { name: 'Next', disabled: true }).waitFor()
    await page.keyboard.press('k')
    await shows(1)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await waitForFocus(page, /Lovelace/)
    assert.equal(await page.evaluate('document.activeElement.id'), ids[1])
  })

  test('a waiting delivery counts down, and a retry shows in its history · SET-4 DLV-13', async () => {
    const { deliveries, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    const id = await deliver(subscriber, 410)
    const admin = await signedInMember(service, 'admin', subscriber.organizationId)
    await using visited = await visit({ as: admin, at: `/${subscriber.organizationId}/deliveries/${id}` })
    const { page } = visited
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('button', { name: 'Retry' }).click()
    await drawer.getByText(/^in about \d+ s/).waitFor()
    await drawer.getByText(`Retried by ${admin.email}`).waitFor()
    await drawer.getByText('1. HTTP 410').waitFor()

    await drawer.getByRole('button', { name: 'Show payload' }).click()
    await drawer.getByText(`POST ${subscriber.url}`).waitFor()
    const command = await drawer.getByRole('region', { name: 'Send it yourself' }).innerText()
    assert.ok(command.includes(`curl '${subscriber.url}'`) && command.includes(`@${id}.json`), command)
    const downloading = page.waitForEvent('download')
    await drawer.getByRole('link', { name: 'Download payload' }).click()
    assert.equal((await downloading).suggestedFilename(), `${id}.json`)
  })

  test('selected deliveries are retried, and the list is exported · SET-4', async () => {
    const { deliveries, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    for (const status of [410, 410, 200]) await deliver(subscriber, status)
    const admin = await signedInMember(service, 'admin', subscriber.organizationId)
    await using visited = await visit({ as: admin, at: `/${subscriber.organizationId}/deliveries` })
    const { page } = visited
    const boxes = page.getByRole('checkbox', { name: 'Select the delivery for Ada Lovelace' })
    await boxes.first().waitFor()
    assert.equal(await boxes.count(), 2, 'only failed ones')
    await boxes.first().check()
    await page.getByRole('button', { name: 'Retry 1 selected delivery' }).click()
    await page.getByText('Retry scheduled for 1 delivery.').waitFor()
    await page.getByRole('button', { name: 'Retry all failed' }).waitFor()
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export CSV' }).click()
    assert.equal((await downloading).suggestedFilename(), 'deliveries.csv')
  })

  test('polling a list that does not change transfers no rows', async () => {
    const { deliveries, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    await deliver(subscriber, 200)
    const admin = await signedInMember(service, 'admin', subscriber.organizationId)
    await using visited = await visit({ as: admin, at: `/${subscriber.organizationId}/deliveries` })
    const { page } = visited
    const unchanged = () =>
      page.waitForResponse((response) => /\/deliveries\?/.test(response.url()) && response.status() === 304)
    await unchanged()
    await page.getByText('1 delivery shown').waitFor()
    await deliver(subscriber, 200)
    await page.getByText('2 deliveries shown').waitFor()
    await unchanged()
  })

  test('long titles, names and addresses don’t break the table', async () => {
    const { deliveries, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    await deliver(subscriber, 410)
    const { organizationId } = subscriber
    const title = 'Senior Staff Software Engineer, Distributed Systems and Developer Infrastructure (EMEA, remote)'
    await service.database.query(sql`update templates set title = ${title} where organization_id = ${organizationId}`)
    await service.database.query(sql`
      update interviews set first_name = 'Maximiliana-Alexandra', last_name = 'von Hohenstein-Wittgenstein',
        email = 'maximiliana-alexandra.von.hohenstein-wittgenstein@recruiting.subsidiary.example.com'
      where organization_id = ${organizationId}`)
    const admin = await signedInMember(service, 'admin', organizationId)
    await using visited = await visit({ as: admin, at: `/${organizationId}/deliveries` })
    const { page } = visited
    const row = page.getByRole('row', { name: /Maximiliana/ })
    await row.waitFor()
    for (const width of [390, 1024, 1280, 1600, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      const heading = await page.getByRole('columnheader').first().boundingBox()
      assert.ok(heading && heading.height < 50, `the headings are one line at ${width}: ${heading?.height}`)
      const { height } = (await row.boundingBox()) ?? assert.fail()
      assert.ok(height < (width < 768 ? 180 : 90), `a row is three lines at ${width}: ${height}`)
      const sideways = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
      assert.equal(await page.evaluate(sideways), 0, `at ${width} the page scrolls sideways`)
    }
  })

  test('an attempt says what happened to the connection, which step failed, and in which time zone · DLV-13', async () => {
    const { deliveries, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    const { organizationId } = subscriber
    const admin = await signedInMember(service, 'admin', organizationId)
    const { deliveryId } = await subscriber.complete()
    subscriber.answer((_request, response) => {
      response.destroy()
      return undefined
    })
    await deliveries.attempt(deliveryId)
    subscriber.answer(() => new Promise(() => {}))
    await deliveries.attempt(deliveryId, { receive: 2, with: { deadlineMilliseconds: 3_000 } })
    subscriber.answer({ status: 502, body: `<html><body>${'<p>Bad gateway</p>'.repeat(50)}</body></html>` })
    await deliveries.attempt(deliveryId, { receive: 3 })

    const at = `/${organizationId}/deliveries/${deliveryId}`
    await using visited = await visit({ as: admin, at, timezoneId: 'America/New_York' })
    const drawer = visited.page.getByRole('dialog')
    const attempt = (number: number) => {
      const title = visited.page.locator('strong', { hasText: new RegExp(`^${number}\\. `) })
      return drawer.getByRole('listitem').filter({ has: title })
    }
    await attempt(1).getByText('1. Connection closed').waitFor()
    assert.equal(await drawer.getByText(/could not connect/i).count(), 0, 'it did connect')
    await attempt(2).getByText('2. Timed out after 5 seconds').waitFor()
    const wait = attempt(2).getByText(/^Wait .* \(failed\)$/)
    const marker = await inspect(wait, 'getComputedStyle(element, "::before").backgroundColor')
    assert.equal(marker, 'rgb(200, 65, 47)', 'a failed step is red')
    await attempt(3).getByText('Response body (first 1 KB)').click()
    const body = attempt(3).getByRole('region')
    assert.equal(await inspect(body, 'element.scrollWidth - element.clientWidth'), 0, 'it is wrapped')
    await drawer
      .getByText(/, \d\d:\d\d:\d\d E[SD]T$/)
      .first()
      .waitFor()
  })

  test('a delivery that is not there is not offered again; viewers are told who can retry · SET-1', async () => {
    const { deliveries, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    const { organizationId } = subscriber
    const deliveryId = await deliver(subscriber, 410)
    const viewer = await signedInMember(service, 'viewer', organizationId)
    await using visited = await visit({ as: viewer, at: `/${organizationId}/deliveries/dlv_gone` })
    const { page } = visited
    await page.getByRole('dialog').getByText('Delivery not found').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0)
    await page.goto(`${service.url}/settings/${organizationId}/deliveries/${deliveryId}`)
    await page.getByText('Only admins can retry a delivery.').waitFor()
    await page.goto(`${service.url}/settings/${organizationId}/keys`)
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Show deliveries' }).click()
    await page.getByRole('heading', { name: 'Deliveries', level: 1 }).waitFor()
  })

  test('a URL breaks after its punctuation on a phone', async () => {
    const { deliveries, service, visit } = stage()
    const { organizationId, url } = await deliveries.subscriber({ host: 'a-rather-long-host-name-for-a-phone' })
    const admin = await signedInMember(service, 'admin', organizationId)
    const viewport = { width: 390, height: 844 }
    await using visited = await visit({ as: admin, at: `/${organizationId}/webhook`, viewport })
    const shown = visited.page.getByText(url)
    await shown.waitFor()
    const lines = await inspect(
      shown,
      `(() => {
      const lines = new Map()
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        for (let index = 0; index < node.length; index += 1) {
          const range = document.createRange()
          range.setStart(node, index)
          range.setEnd(node, index + 1)
          const top = Math.round(range.getBoundingClientRect().top)
          lines.set(top, (lines.get(top) ?? '') + node.data[index])
        }
      }
      return [...lines.values()]
    })()`,
    )
    assert.ok(Array.isArray(lines) && lines.length > 1, 'it takes two lines')
    for (const line of lines.slice(0, -1)) assert.match(line, /[@/.?&=_:-]$/)
  })

  test('creating and revoking a key leaves focus on the page, and the message covers no button · SET-2', async () => {
    const { service, visit } = stage()
    const { organizationId, keyId } = await service.partner()
    const admin = await signedInMember(service, 'admin', organizationId)
    await admin.call('POST', `/organizations/${organizationId}/keys/${keyId}/revocation`)
    await using visited = await visit({ as: admin, at: `/${organizationId}/keys` })
    const { page } = visited
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByRole('textbox', { name: 'Label' }).fill('ATS')
    await page.getByRole('checkbox', { name: 'results:read' }).check()
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('textbox', { name: 'API key' }).waitFor()
    await waitForFocus(page, 'API key')
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await waitForFocus(page, 'New key')

    await page.getByRole('button', { name: 'Revoke ATS' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await waitForFocus(page, /^ATS/)
    const message = page.locator('.mantine-Notification-root')
    await waitForNoOverlap(message, page.getByRole('button', { name: 'New key' }))
  })
})

/** The message slides in, so for a moment it may be anywhere. */
async function waitForNoOverlap(first: Locator, second: Locator): Promise<void> {
  const apart = await eventually(async () => {
    const [a, b] = [await first.boundingBox(), await second.boundingBox()]
    assert.ok(a && b)
    return a.x >= b.x + b.width || b.x >= a.x + a.width || a.y >= b.y + b.height || b.y >= a.y + a.height
  })
  assert.ok(apart)
}
