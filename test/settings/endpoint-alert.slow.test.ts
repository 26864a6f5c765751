import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateEndpointHealth } from '../../server/endpoints/endpoint-health.ts'
import { openBrowser } from '../../support/browser.ts'
import { type Subscriber, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { signedInMember } from '../../support/members.ts'
import { inspect } from './in-browser.ts'
import { accessibilityFaults, visit } from './visit.ts'

const [engine] = engines
assert.ok(engine)

test('members are told that the endpoint fails and why, and that it works again until they have seen it · SET-4', async (context) => {
  const deliveries = await startDeliveries(engine)
  context.after(() => deliveries.close())
  const browser = await openBrowser()
  context.after(() => browser.close())
  const { service } = deliveries
  const subscriber = await deliveries.subscriber()
  const admin = await signedInMember(service, 'admin', subscriber.organizationId)
  const answers = async ({ answer, complete }: Subscriber, status: number) => {
    answer({ status })
    const { deliveryId } = await complete()
    await deliveries.attempt(deliveryId)
    service.time.now = new Date(service.time.now.getTime() + 60_000)
    await updateEndpointHealth(service.database, service.time.now)
  }

  await answers(subscriber, 410)
  await using visited = await visit(browser, service, { as: admin, at: `/${subscriber.organizationId}/keys` })
  const { page } = visited
  const banner = page.getByRole('main').getByRole('status')
  await banner.getByText('Your webhook endpoint is failing').waitFor()
  await banner.getByText('The last attempt failed. Last error: Rejected (HTTP 4xx).').waitFor()
  await answers(subscriber, 503)
  await page.reload()
  await banner.getByText('2 attempts failed in a row. Last error: Server error (HTTP 5xx).').waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
    assert.deepEqual(await accessibilityFaults(page, 'at everything'), [])
  }
  await banner.getByRole('link', { name: 'Check webhook' }).click()
  await page.getByRole('heading', { name: 'Webhook', level: 1 }).waitFor()
  await banner.getByRole('link', { name: 'Show deliveries created since then' }).click()
  await page.waitForURL(/from=/)
  await page.getByRole('row', { name: /Rejected \(HTTP 4xx\)/ }).waitFor()
  await page.getByRole('row', { name: /Server error \(HTTP 5xx\)/ }).waitFor()

  await answers(subscriber, 200)
  await page.reload()
  await banner.getByText('Your webhook endpoint is working again').waitFor()
  const webhook = `/organizations/${subscriber.organizationId}/webhook`
  await admin.call('PATCH', webhook, { enabled: false })
  await page.reload()
  const off = page.getByRole('alert').filter({ hasText: 'The webhook is disabled.' })
  await off.waitFor()
  assert.equal(await banner.getByText('working again').count(), 0, 'one banner does not contradict the other')
  const browserBlue = 'rgb(0, 0, 238)'
  const color = await inspect(off.getByRole('link'), 'getComputedStyle(element).color')
  assert.notEqual(color, browserBlue)
  await admin.call('PATCH', webhook, { enabled: true })
  await page.reload()
  await banner.getByText('Your webhook endpoint is working again').waitFor()
  await banner.getByRole('button', { name: 'Close' }).click()
  await banner.getByText('working again').waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('link', { name: 'Ada Lovelace' }).first().waitFor()
  assert.equal(await banner.getByText('working again').count(), 0, 'it has been seen')
})
