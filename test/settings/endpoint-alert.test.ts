import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noteEndpointHealth } from '../../server/endpoints/endpoint-health.ts'
import { openBrowser } from '../support/browser.ts'
import { type Subscriber, startDeliveries } from '../support/deliveries.ts'
import { engines } from '../support/engines.ts'
import { visitor } from '../support/members.ts'
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
  const admin = await visitor(service, 'admin', subscriber.organizationId)
  const answers = async ({ answer, complete }: Subscriber, status: number) => {
    answer({ status })
    const { deliveryId } = await complete()
    await deliveries.attempt(deliveryId)
    service.time.now = new Date(service.time.now.getTime() + 60_000)
    await noteEndpointHealth(service.database, service.time.now)
  }

  await answers(subscriber, 503)
  await answers(subscriber, 503)
  await using visited = await visit(browser, service, { as: admin, at: `/${subscriber.organizationId}/keys` })
  const { page } = visited
  const told = page.getByRole('main').getByRole('status')
  await told.getByText('Your webhook endpoint is failing').waitFor()
  await told.getByText('2 attempts failed in a row. Last error: Answered 5xx.').waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
    assert.deepEqual(await accessibilityFaults(page, 'at everything'), [])
  }
  await told.getByRole('link', { name: 'Check the webhook' }).click()
  await page.getByRole('heading', { name: 'Webhook', level: 1 }).waitFor()
  await told.getByRole('link', { name: 'Show these deliveries' }).click()
  await page.waitForURL(/error=HTTP_5XX/)
  await page.getByRole('link', { name: 'Ada Lovelace' }).nth(1).waitFor()

  await answers(subscriber, 200)
  await page.reload()
  await told.getByText('Your webhook endpoint works again').waitFor()
  await told.getByRole('button', { name: 'Close' }).click()
  await told.getByText('works again').waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('link', { name: 'Ada Lovelace' }).first().waitFor()
  assert.equal(await told.getByText('works again').count(), 0, 'it has been seen')
})
