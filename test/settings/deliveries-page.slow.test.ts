import assert from 'node:assert/strict'
import { test } from 'node:test'
import sql from 'sql-template-tag'
import { eraseDeliveries } from '../../server/deliveries/erase-deliveries.ts'
import { updateEndpointHealth } from '../../server/endpoints/endpoint-health.ts'
import { signedInMember } from '../../support/members.ts'
import { storeDeliveries } from '../../support/stored-deliveries.ts'
import { inBrowser, waitForFocus } from './in-browser.ts'

inBrowser('the deliveries page', (stage) => {
  test('Retry all failed is offered by the count, not by the rows on the page · SET-4', async () => {
    const { deliveries, deliver, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    await deliver(subscriber, 410)
    for (let count = 0; count < 26; count += 1) await deliver(subscriber, 200)
    const admin = await signedInMember(service, 'admin', subscriber.organizationId)
    await using visited = await visit({ as: admin, at: `/${subscriber.organizationId}/deliveries` })
    const { page } = visited
    await page.getByText('25 deliveries shown').waitFor()
    await page.getByRole('button', { name: 'Retry all failed' }).click()
    await page.getByText('1 failed delivery matches. It’s sent again in about a minute, with').waitFor()
    await page.getByRole('button', { name: 'Retry 1 delivery' }).click()
    await page.getByText('Retry scheduled for 1 delivery. Sends in about a minute.').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await waitForFocus(page, /^Retry/)
    await page.getByRole('radiogroup', { name: 'Status' }).getByText('Delivered').click()
    await page.getByRole('button', { name: 'Load older' }).waitFor()
    assert.equal(await page.getByRole('button', { name: /^Retry/ }).count(), 0, 'none of those failed')
  })

  test('once the endpoint works again, every page offers to retry what failed · SET-4', async () => {
    const { deliveries, deliver, service, visit } = stage()
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

  test('a delivery of an erased candidate is not offered for a retry and shows no payload · SET-4', async () => {
    const { deliveries, deliver, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    const [erased, failed] = [await deliver(subscriber, 410), await deliver(subscriber, 410)]
    const { resultId } = await deliveries.read(erased)
    await service.database.transaction((transaction) => eraseDeliveries(transaction, [resultId], service.time.now))
    const admin = await signedInMember(service, 'admin', subscriber.organizationId)
    await using visited = await visit({ as: admin, at: `/${subscriber.organizationId}/deliveries/${erased}` })
    const { page } = visited
    const drawer = page.getByRole('dialog')
    await drawer.getByText('There is no payload').waitFor()
    assert.equal(await drawer.getByRole('button', { name: /payload|Retry/ }).count(), 0)
    await drawer.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('checkbox').waitFor()
    await page.getByRole('button', { name: 'Retry all failed' }).click()
    await page.getByRole('button', { name: 'Retry 1 delivery' }).click()
    await page.getByText('Retry scheduled for 1 delivery.').waitFor()
    assert.equal((await deliveries.read(failed)).status, 'PENDING')
    await page.getByRole('button', { name: 'Retry all failed' }).waitFor({ state: 'detached' })
  })

  test('Retry changes neither the success rate nor the chart, and says that it is being retried · SET-4', async () => {
    const { deliveries, deliver, service, visit } = stage()
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
    await page.getByText(/^Next attempt in about \d+ s/).waitFor()
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

  test('a delivery is found by name and by its IDs, which can be copied · SET-4', async () => {
    const { deliveries, deliver, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    const found = await deliver(subscriber, 200)
    await service.database.query(sql`
      update interviews i set first_name = 'Grace', last_name = 'Hopper' from deliveries d
      where d.interview_id = i.id and d.id = ${found}`)
    await deliver(subscriber, 200)
    const admin = await signedInMember(service, 'admin', subscriber.organizationId)
    await using visited = await visit({
      as: admin,
      at: `/${subscriber.organizationId}/deliveries/${found}`,
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

  test('selected deliveries are retried, and the list is exported · SET-4', async () => {
    const { deliveries, deliver, service, visit } = stage()
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

  /** Whoever retries on this page finds that another admin has just done so. */
  async function visitOvertaken(request: string) {
    const { deliveries, deliver, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    const id = await deliver(subscriber, 410)
    const admin = await signedInMember(service, 'admin', subscriber.organizationId)
    const visited = await visit({ as: admin, at: `/${subscriber.organizationId}/deliveries` })
    await visited.page.route(request, async (route) => {
      await admin.call('POST', `/organizations/${subscriber.organizationId}/deliveries/${id}/retries`)
      await route.continue()
    })
    return visited
  }

  test('a selected delivery that someone else retries first is not said to be retried · SET-4', async () => {
    await using visited = await visitOvertaken('**/deliveries/retries')
    const { page } = visited
    await page.getByRole('checkbox', { name: 'Select the delivery for Ada Lovelace' }).check()
    await page.getByRole('button', { name: 'Retry 1 selected delivery' }).click()
    await page.getByText('Already retried by someone else.').waitFor()
  })

  test('a bulk retry that finds nothing left to retry says so · SET-4', async () => {
    await using visited = await visitOvertaken('**/retry-runs')
    const { page } = visited
    await page.getByRole('button', { name: 'Retry all failed' }).click()
    await page.getByRole('button', { name: 'Retry 1 delivery' }).click()
    await page.getByText('Nothing was left to retry.').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByText('Nothing was left to retry.').waitFor({ state: 'detached' })
  })

  test('polling a list that does not change transfers no rows', async () => {
    const { deliveries, deliver, service, visit } = stage()
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

  test('a finished retry says how many deliveries it retried, and what is left to retry is counted again · SET-4', async () => {
    const { deliveries, deliver, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    await deliver(subscriber, 410)
    const admin = await signedInMember(service, 'admin', subscriber.organizationId)
    await using visited = await visit({ as: admin, at: `/${subscriber.organizationId}/deliveries?error=HTTP_4XX` })
    const { page } = visited
    // As if another one had been retried by someone else since they were counted.
    await page.route('**/retry-runs/current', async (route) => {
      const headers = { ...route.request().headers(), 'if-none-match': '' }
      const { run } = await (await route.fetch({ headers })).json()
      await route.fulfill({ json: { run: run && { ...run, total: run.total + 1 } } })
    })
    const retry = page.getByRole('button', { name: 'Retry matching failures' })
    await retry.click()
    await page.getByRole('button', { name: 'Retry 1 delivery' }).click()
    await page.getByText('Retry scheduled for 1 delivery.').waitFor()
    // Well before the next poll.
    await retry.waitFor({ state: 'detached', timeout: 5_000 })
    await waitForFocus(page, /^Retry scheduled/)
  })

  test('a search without a match says what can be searched for, and an impossible time doesn’t · SET-4', async () => {
    const { deliveries, deliver, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    await deliver(subscriber, 200)
    const admin = await signedInMember(service, 'admin', subscriber.organizationId)
    const at = `/${subscriber.organizationId}/deliveries?from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z`
    await using visited = await visit({ as: admin, at })
    const { page } = visited
    await page.getByText('Must be after the start').waitFor()
    await page.getByText('No matching deliveries').waitFor()
    const hint = page.getByText(/^Enter the start of a name/)
    assert.equal(await hint.count(), 0)
    await page.getByRole('searchbox').fill('nobody')
    await hint.waitFor()
  })

  test('rows past the first hundred stay current too · SET-4', async () => {
    const { deliveries, service, visit } = stage()
    const { organizationId } = await deliveries.subscriber()
    const stored = Array.from({ length: 110 }, (_, index) => ({
      email: 'ada@example.com',
      status: 'FAILED' as const,
      error: 'HTTP_4XX' as const,
      createdAt: new Date(service.time.now.getTime() - (index + 1) * 1_000),
    }))
    const last = (await storeDeliveries(service.database, organizationId, stored)).at(-1) ?? assert.fail()
    const admin = await signedInMember(service, 'admin', organizationId)
    await using visited = await visit({ as: admin, at: `/${organizationId}/deliveries` })
    const { page } = visited
    for (const shown of [25, 50, 75, 100]) {
      await page.getByText(`${shown} deliveries shown`).waitFor()
      await page.getByRole('button', { name: 'Load older' }).click()
    }
    await page.getByText('110 deliveries shown').waitFor()
    await admin.call('POST', `/organizations/${organizationId}/deliveries/${last.id}/retries`)
    await page
      .getByRole('row')
      .filter({ has: page.locator(`[id="${last.id}"]`) })
      .getByText('Pending')
      .waitFor()
  })

  test('long titles, names and addresses don’t break the table', async () => {
    const { deliveries, deliver, service, visit } = stage()
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
})
