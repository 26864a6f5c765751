import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { signedInMember } from '../../support/members.ts'
import { claimJob } from '../../support/queue-hooks.ts'
import { holdResponse, inBrowser, inspect, waitForFocus, waitForNoOverlap } from './in-browser.ts'

inBrowser('a delivery on the settings page', (stage) => {
  test('after Retry, focus is on the new status, and the message covers no button', async () => {
    const { deliveries, deliver, service, visit } = stage()
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
      const message = page.locator('.mantine-Notification-root', { hasText: 'Sends in about a minute.' })
      await message.waitFor()
      await page.getByRole('dialog').getByRole('status').getByText('Pending').waitFor()
      await waitForFocus(page, 'Pending')
      const close = page.getByRole('dialog').getByRole('button', { name: 'Close' })
      await waitForNoOverlap(message, close)
      await deliveries.attempt(deliveryId)
    }
  })

  test('the drawer leads to the previous and the next delivery, by button and by key · SET-4', async () => {
    const { deliveries, deliver, service, visit } = stage()
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

  test('Next leads on beyond the loaded rows, and keeps the focus · SET-4', async () => {
    const { deliveries, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    for (let count = 0; count < 26; count += 1) await subscriber.complete()
    const admin = await signedInMember(service, 'admin', subscriber.organizationId)
    await using visited = await visit({ as: admin, at: `/${subscriber.organizationId}/deliveries` })
    const { page } = visited
    await page.getByText('25 deliveries shown').waitFor()
    const last = page.locator('tbody [id^=dlv_]').last()
    const lastId = await last.getAttribute('id')
    await last.click()
    await page.waitForURL(`**/deliveries/${lastId}`)
    const held = await holdResponse(page, /&cursor=/, 'GET')
    await page.getByRole('button', { name: 'Next' }).click()
    await held.asked
    await waitForFocus(page, 'Next')
    held.release()
    await page.waitForURL((url) => !url.pathname.endsWith(`/${lastId}`))
    await page.getByText('26 deliveries shown').waitFor()
    await page.getByRole('button', { name: 'Next', disabled: true }).waitFor()
    await waitForFocus(page, 'Next')
  })

  test('after Retry in the drawer, the list behind it stays current · SET-4', async () => {
    const { deliveries, deliver, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    await deliver(subscriber, 410)
    const deliveryId = await deliver(subscriber, 410)
    const admin = await signedInMember(service, 'admin', subscriber.organizationId)
    await using visited = await visit({ as: admin, at: `/${subscriber.organizationId}/deliveries?status=FAILED` })
    const { page } = visited
    await page.locator(`[id="${deliveryId}"]`).click()
    await page.getByRole('button', { name: 'Retry', exact: true }).click()
    const failed = page.getByText('Try again')
    await page.getByText('1 delivery shown').or(failed).waitFor()
    assert.equal(await failed.count(), 0)
  })

  test('failures can be retried one after the other, though each leaves the list · SET-4', async () => {
    const { deliveries, deliver, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    const ids: string[] = []
    for (let count = 0; count < 4; count += 1) {
      ids.unshift(await deliver(subscriber, 410))
      service.time.now = new Date(service.time.now.getTime() + 1_000)
    }
    const admin = await signedInMember(service, 'admin', subscriber.organizationId)
    await using visited = await visit({ as: admin, at: `/${subscriber.organizationId}/deliveries?status=FAILED` })
    const { page } = visited
    const drawer = page.getByRole('dialog')
    const row = (index: number) => page.locator(`[id="${ids[index]}"]`)
    const retry = async (index: number) => {
      await page.waitForURL(`**/deliveries/${ids[index]}?*`)
      await drawer.getByRole('button', { name: 'Retry', exact: true }).click()
      await row(index).waitFor({ state: 'detached' })
    }
    await row(1).click()
    await retry(1)
    await page.keyboard.press('j')
    await retry(2)
    await page.keyboard.press('k')
    await retry(0)
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    await waitForFocus(page, /Lovelace/)
    assert.equal(await page.evaluate('document.activeElement.id'), ids[3])

    await row(3).click()
    await retry(3)
    await page.getByText('No matching deliveries').waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    assert.equal(await page.evaluate('document.activeElement.id'), 'content')
  })

  test('a waiting delivery counts down, and a retry shows in its history · SET-4 DLV-13', async () => {
    const { deliveries, deliver, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    const id = await deliver(subscriber, 410)
    const admin = await signedInMember(service, 'admin', subscriber.organizationId)
    await using visited = await visit({ as: admin, at: `/${subscriber.organizationId}/deliveries/${id}` })
    const { page } = visited
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('button', { name: 'Retry' }).click()
    const countdown = drawer.getByText(/^in about \d+ s/)
    await countdown.waitFor()
    const secondsShown = async () => Number(/\d+/.exec(await countdown.innerText()))
    await page.clock.install()
    await page.reload()
    await countdown.waitFor()
    const before = await secondsShown()
    await page.clock.runFor(7_000)
    const after = await secondsShown()
    assert.ok(after <= before - 7, `${after} s are left, seven seconds after ${before} s`)
    await drawer.getByText(`Retried by ${admin.email}`).waitFor()
    await drawer.getByText('1. HTTP 410').waitFor()

    await drawer.getByRole('button', { name: 'Show payload' }).click()
    await drawer.getByText(`POST ${subscriber.url}`).waitFor()
    const command = await drawer.getByRole('region', { name: 'Send it yourself' }).innerText()
    assert.ok(command.includes(`curl '${subscriber.url}'`) && command.includes(`@${id}.json`), command)
    const downloading = page.waitForEvent('download')
    const download = drawer.getByRole('link', { name: 'Download payload' })
    const color = (button: Locator) => inspect(button, 'getComputedStyle(element).color')
    assert.equal(await color(download), await color(drawer.getByRole('button', { name: 'Hide payload' })))
    await download.click()
    assert.equal((await downloading).suggestedFilename(), `${id}.json`)
  })

  test('an attempt in flight is shown as such, in later rounds too · SET-4 DLV-13', async () => {
    const { deliveries, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    const { deliveryId } = await subscriber.complete()
    const admin = await signedInMember(service, 'admin', subscriber.organizationId)
    const at = `/${subscriber.organizationId}/deliveries/${deliveryId}`
    await using visited = await visit({ as: admin, at })
    const attempts = visited.page.getByRole('dialog').getByRole('region', { name: 'Attempts' })
    await attempts.getByRole('heading', { name: 'No attempts yet' }).waitFor()
    await claimJob(service.database, deliveryId)
    await attempts.getByText('1. Sending…').waitFor()
    await attempts.getByRole('heading', { name: '1 attempt', exact: true }).waitFor()
    subscriber.answer({ status: 410 })
    await deliveries.attempt(deliveryId, { receive: 1 })
    await attempts.getByText('1. HTTP 410').waitFor()
    assert.equal(await attempts.getByText('Sending…').count(), 0)

    await visited.page.getByRole('button', { name: 'Retry', exact: true }).click()
    await attempts.getByText(/^Retried by/).waitFor()
    assert.equal(await attempts.getByText('Sending…').count(), 0, 'it waits')
    await claimJob(service.database, deliveryId)
    await attempts.getByText('2. Sending…').waitFor()
    await attempts.getByRole('heading', { name: '2 attempts' }).waitFor()
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
    const { deliveries, deliver, service, visit } = stage()
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
    await page.getByText('so you can see its deliveries and interviews.').waitFor()
    await page.getByRole('link', { name: 'Show deliveries' }).click()
    await page.getByRole('heading', { name: 'Deliveries', level: 1 }).waitFor()
  })
})
