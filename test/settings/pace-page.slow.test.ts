import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pauseOrganization, readPace, setMaxPerSecond } from '../../server/queue/pauses.ts'
import { signedInMember } from '../../support/members.ts'
import { elapsePaces } from '../../support/queue-hooks.ts'
import { inBrowser } from './in-browser.ts'

inBrowser('the pace on the settings page', (stage) => {
  test('the deliveries page says that the receiver asked for a pause, until when, and how many wait · DLV-19', async () => {
    const { deliveries, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    const { organizationId } = subscriber
    for (let count = 0; count < 3; count += 1) await subscriber.complete()
    const viewer = await signedInMember(service, 'viewer', organizationId)
    await using visited = await visit({ as: viewer, at: `/${organizationId}/deliveries` })
    const { page } = visited
    await page.getByText('3 deliveries shown').waitFor()
    const waiting = page.getByText(/^Waiting: the receiver asked for a pause until \d\d:\d\d · 3 deliveries waiting$/)
    assert.equal(await waiting.count(), 0)

    await pauseOrganization(service.database, organizationId, 600)
    await waiting.waitFor()
    const { pausedUntil } = await readPace(service.database, organizationId)
    const clock = await page.evaluate<string>(
      `new Date(${JSON.stringify(pausedUntil)}).toLocaleTimeString('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })`,
    )
    assert.ok((await waiting.innerText()).includes(`until ${clock} `))
    await page.getByRole('link', { name: 'Ada Lovelace' }).first().click()
    await page.getByText(/^in about (9|10) min/).waitFor()
    await page.keyboard.press('Escape')

    await elapsePaces(service.database, 600)
    await page.getByText('Starting again after the pause, at most 1 a second for now · 3 deliveries waiting').waitFor()
    await elapsePaces(service.database, 3_600)
    await page.getByText('Starting again after the pause').waitFor({ state: 'detached' })
  })

  test('waiting deliveries are counted up to 10,000, and then there may be more · DLV-19', async () => {
    const { deliveries, service, visit } = stage()
    const { organizationId } = await deliveries.subscriber()
    const viewer = await signedInMember(service, 'viewer', organizationId)
    let waiting = 9_999
    await using visited = await visit({ as: viewer, at: `/${organizationId}/keys` })
    const { page } = visited
    const pace = { pausedUntil: null, perSecond: 2, maxPerSecond: 2 }
    await page.route('**/pace', (route) => route.fulfill({ json: { ...pace, waiting } }))
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click()
    await page.getByText('· 9,999 deliveries waiting').waitFor()
    waiting = 10_000
    await page.getByText('· 10,000 or more deliveries waiting').waitFor()
  })

  test('an admin sets a limit, sees that deliveries wait for it, and removes it · DLV-19', async () => {
    const { deliveries, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    const { organizationId } = subscriber
    for (let count = 0; count < 3; count += 1) await subscriber.complete()
    const admin = await signedInMember(service, 'admin', organizationId)
    await using visited = await visit({ as: admin, at: `/${organizationId}/webhook` })
    const { page } = visited
    const limit = page.getByRole('textbox', { name: 'Maximum events per second' })
    const save = page.getByRole('button', { name: 'Save limit' })
    await limit.fill('1001')
    await save.click()
    await page.getByText('Enter a whole number from 1 to 1000, or leave it empty.').waitFor()
    assert.equal(await limit.getAttribute('aria-invalid'), 'true')
    await limit.fill('2')
    await save.click()
    await page.getByText('Limit saved: at most 2 a second.').waitFor()
    assert.equal((await readPace(service.database, organizationId)).maxPerSecond, 2)

    await limit.fill('50')
    await setMaxPerSecond(service.database, organizationId, 3)
    const reloaded = page.waitForResponse((response) => response.url().endsWith('/webhook'))
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
    await (await reloaded).finished()
    // Two frames, so that the page has rendered the response.
    await page.evaluate('new Promise((rendered) => requestAnimationFrame(() => requestAnimationFrame(rendered)))')
    assert.equal(await limit.inputValue(), '50', 'what was typed stays')
    await limit.fill('2')
    await save.click()
    await page.getByText('Limit saved: at most 2 a second.').last().waitFor()

    await page.getByRole('link', { name: 'Deliveries' }).click()
    await page.getByText('Sending at most 2 a second, as set for the webhook · 3 deliveries waiting').waitFor()
    await page.getByRole('link', { name: 'Webhook' }).click()
    await limit.fill('')
    await save.click()
    await page.getByText('Limit removed.').waitFor()
    assert.equal((await readPace(service.database, organizationId)).maxPerSecond, null)
    await page.getByRole('link', { name: 'Activity' }).click()
    await page
      .getByText(/changed how fast events are sent to/)
      .first()
      .waitFor()
  })

  test('the drawer shows where an attempt went and the response headers, without secrets · SET-4', async () => {
    const { deliveries, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    const headers = { 'content-type': 'text/plain', 'x-trace': 'trace-4711', 'set-cookie': 'session=hidden' }
    subscriber.answer({ status: 410, headers, body: 'gone' })
    const { deliveryId } = await subscriber.complete()
    await deliveries.attempt(deliveryId)
    const viewer = await signedInMember(service, 'viewer', subscriber.organizationId)
    await using visited = await visit({ as: viewer, at: `/${subscriber.organizationId}/deliveries/${deliveryId}` })
    const { page } = visited
    await page.getByText(`Sent to ${subscriber.url} at 127.0.0.1`).waitFor()
    await page.getByText('Response headers', { exact: true }).click()
    const shown = page.getByRole('region', { name: 'Response headers, attempt 1' })
    await shown.getByText('x-trace: trace-4711').waitFor()
    assert.match(await shown.innerText(), /set-cookie: \(not stored\)/)
    assert.ok(!(await page.content()).includes('session=hidden'))
  })
})
