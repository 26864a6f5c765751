import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { sign } from '../../server/endpoints/signature.ts'
import { openBrowser } from '../../support/browser.ts'
import { type Deliveries, startDeliveries } from '../../support/deliveries.ts'
import type { Engine } from '../../support/engines.ts'
import { newMember, signedInMember } from '../../support/members.ts'
import { eventually } from '../../support/process.ts'
import { elapse } from '../../support/queue-hooks.ts'
import { apiUrl, call } from '../../support/service.ts'
import { visit } from './visit.ts'

/** What a person does in the settings area, in a real browser. */
export function settingsInBrowser(engine: Engine | undefined): void {
  describe(`the settings area in a browser on ${engine?.name}`, () => {
    let browser: Browser
    let deliveries: Deliveries
    before(async () => {
      assert.ok(engine)
      browser = await openBrowser()
      deliveries = await startDeliveries(engine)
      // What is shown as "just now" depends on the browser's own clock.
      deliveries.service.time.now = new Date()
    })
    after(async () => {
      await browser?.close()
      await deliveries?.close()
    })

    test('an admin signs in and is led to where they wanted; when the session is over, back again · SET-1', async () => {
      const { service } = deliveries
      const { organizationId } = await service.partner()
      const { email, password } = await newMember(service, 'admin', organizationId)
      await using visited = await visit(browser, service, { at: `/${organizationId}/keys` })
      const { page } = visited

      await signInWith(page, email, 'not the password at all')
      await page.getByRole('alert').getByText('Incorrect email or password').waitFor()
      assert.equal(await page.getByRole('heading', { name: 'API keys' }).count(), 0, 'others see nothing')
      await signInWith(page, email, password)
      await page.getByRole('heading', { name: 'API keys' }).waitFor()
      await page.getByRole('row', { name: /test/ }).waitFor()

      await service.database.query(sql`delete from sessions`)
      await page.getByRole('link', { name: 'Activity' }).click()
      await page.getByText('Your session has ended').waitFor()
      await signInWith(page, email, password)
      await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor()

      await page.getByRole('button', { name: /^Account/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await page.goto(`${service.url}/settings`)
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    })

    test('a key is made, shown once, good at once, and after its revocation refused · SET-2 AUTH-9 AUTH-10 AUTH-11', async () => {
      const { service } = deliveries
      const { organizationId, keyId } = await service.partner()
      await service.database.query(sql`update api_keys set scopes = null, label = 'Old one' where id = ${keyId}`)
      const admin = await signedInMember(service, 'admin', organizationId)
      await using visited = await visit(browser, service, { as: admin, at: `/${organizationId}/keys` })
      const { page } = visited
      await page
        .getByRole('row', { name: /Old one/ })
        .getByText('All permissions (legacy): replace this key')
        .waitFor()

      await page.getByRole('button', { name: 'New key' }).click()
      await page.getByRole('textbox', { name: 'Label' }).fill('ATS')
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByText('Select at least one permission').waitFor()
      await page.getByRole('checkbox', { name: 'templates:read' }).check()
      await page.getByRole('button', { name: 'Create key' }).click()
      const key = await page.getByRole('textbox', { name: 'API key' }).inputValue()
      const command = await page.getByRole('region', { name: 'Try it' }).innerText()
      assert.ok(command.startsWith(`curl ${apiUrl}/v1/templates`) && command.includes(key), command)
      const list = () => call(service.url, 'GET', '/v1/templates', { 'x-service-api-key': key })
      assert.equal((await list()).status, 200)

      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'I’ve saved it' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.reload()
      const row = page.getByRole('row', { name: /ATS/ })
      await row.getByText(key.split('.')[0] ?? '').waitFor()
      assert.ok(!(await page.content()).includes(key), 'it is shown once')

      await row.getByRole('button', { name: 'Revoke' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
      await row.getByText('Revoked').waitFor()
      assert.equal((await list()).status, 401)
    })

    test('the webhook: a refused address, a good one, its check, its secret, off, on and away · SET-3 SET-6 DST-1', async () => {
      const { service } = deliveries
      const subscriber = await deliveries.subscriber()
      const { organizationId } = subscriber
      const admin = await signedInMember(service, 'admin', organizationId)
      await admin.call('DELETE', `/organizations/${organizationId}/webhook`)
      await using visited = await visit(browser, service, { as: admin, at: `/${organizationId}/webhook` })
      const { page } = visited

      await page.getByRole('textbox', { name: 'Endpoint URL' }).fill('https://10.0.0.7/events')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('listitem').filter({ hasText: '10.0.0.7' }).getByRole('img', { name: 'Failed' }).waitFor()
      await page.getByRole('textbox', { name: 'Endpoint URL' }).fill(subscriber.url)
      await page.getByRole('button', { name: 'Save' }).click()
      const secret = await page.getByRole('textbox', { name: 'Signing secret' }).inputValue()
      await page.getByRole('button', { name: 'I’ve saved it' }).click()
      await page.getByText(subscriber.url).waitFor()
      await page.getByText('TLSv1.3 works').waitFor()
      await page.getByText(/Certificate for .* days left/).waitFor()

      // It takes everything without looking at the signature, which two of the checks must find out.
      const signed = page.getByRole('listitem').filter({ hasText: 'A signed event' })
      const check = async () => {
        await page.getByRole('button', { name: /Check (now|again)/ }).click()
        await page.getByText('checks failed.').waitFor()
        return signed.getByRole('img', { name: 'Passed' }).isVisible()
      }
      // Its request may take longer than the five seconds it has on a busy machine.
      assert.ok(await eventually(check))
      const forged = page.getByRole('listitem').filter({ hasText: 'Forged signatures' })
      await forged.getByRole('img', { name: 'Failed' }).waitFor()

      await page.getByRole('button', { name: 'Change secret' }).click()
      await page.getByRole('radio', { name: 'Immediately' }).check()
      await page.getByRole('radio', { name: 'Use my own' }).check()
      await page.getByRole('textbox', { name: 'Your secret' }).fill('a-secret-we-know-already')
      await page.getByRole('dialog').getByRole('button', { name: 'Change immediately' }).click()
      await page.getByText('Signing secret changed.').waitFor()
      const { deliveryId } = await subscriber.complete()
      await deliveries.attempt(deliveryId)
      const request = subscriber.requests.at(-1)
      const signature = String(request?.headers['x-service-signature'])
      const at = new Date(Number(/t=(\d+)/.exec(signature)?.[1]) * 1000)
      const body = request?.body ?? Buffer.alloc(0)
      assert.equal(signature, sign(body, 'a-secret-we-know-already', at))
      assert.notEqual(signature, sign(body, secret, at))

      await page.getByRole('button', { name: 'Disable' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
      await page.getByText('Disabled', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Enable' }).click()
      await page.getByText('Enabled', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Remove' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await page.getByRole('heading', { name: 'Add an endpoint' }).waitFor()

      await page.getByRole('link', { name: 'Activity' }).click()
      await page
        .getByText(/removed the webhook for/)
        .first()
        .waitFor()
      const shown = await page.getByRole('main').innerText()
      for (const done of [
        'set the webhook',
        'changed the signing secret',
        'checked the receiver',
        'disabled',
        'enabled',
      ]) {
        assert.ok(shown.includes(`${admin.email} ${done}`), done)
      }
      assert.ok(!shown.includes('a-secret-we-know-already') && !shown.includes(secret), 'never a secret')
    })

    test('a delivery appears by itself, fails, is explained, retried and delivered · SET-4 SET-6 DLV-9 DLV-13', async () => {
      const { service } = deliveries
      const subscriber = await deliveries.subscriber()
      const { organizationId } = subscriber
      const admin = await signedInMember(service, 'admin', organizationId)
      const worker = deliveries.startWorker()
      try {
        await using visited = await visit(browser, service, { as: admin })
        const { page } = visited
        await page.getByText('No deliveries yet').waitFor()
        subscriber.answer({ status: 413, body: 'the body is too large for us' })
        const { resultId, invitation } = await subscriber.complete()
        await page
          .getByRole('row', { name: /Ada Lovelace/ })
          .getByText('Failed')
          .waitFor()
        await page.getByText('0%', { exact: true }).waitFor()

        await page.getByRole('searchbox').fill('nobody@')
        await page.getByText('No matching deliveries').waitFor()
        await page.getByRole('searchbox').fill(invitation.candidate.email.toUpperCase())
        await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
        await page.getByRole('radiogroup', { name: 'Status' }).getByText('Failed').click()
        await page.waitForURL(/status=FAILED/)
        await page.reload()
        await page.getByRole('link', { name: 'Ada Lovelace' }).click()
        const drawer = page.getByRole('dialog')
        await drawer.getByText(resultId, { exact: true }).waitFor()
        await drawer.getByText(/413/).first().waitFor()
        await drawer.getByText('Response body (first 1 KB)').click()
        await drawer.getByText('the body is too large for us').waitFor()
        await drawer.getByRole('button', { name: 'Show payload' }).click()
        await drawer.getByText(/characters of Base64 not shown/).waitFor()

        subscriber.answer({ status: 200 })
        await drawer.getByRole('button', { name: 'Retry' }).click()
        await drawer.getByRole('status').getByText('Pending').waitFor()
        await elapse(service.database, 60)
        await drawer.getByRole('status').getByText('Delivered').waitFor()
        await page.keyboard.press('Escape')
        await page.getByText('No matching deliveries').waitFor()
        await page.getByRole('link', { name: 'Show all deliveries' }).click()
        await page
          .getByRole('row', { name: /Ada Lovelace/ })
          .getByText('Delivered')
          .waitFor()

        await page.getByRole('link', { name: 'Activity' }).click()
        await page.getByText('retried delivery').waitFor()
      } finally {
        await worker.stop()
      }
    })

    test('all that failed and match are retried at once, with the count before and the outcome after · SET-4', async () => {
      const { service } = deliveries
      const subscriber = await deliveries.subscriber()
      subscriber.answer({ status: 410 })
      for (let count = 0; count < 3; count += 1) {
        const { deliveryId } = await subscriber.complete()
        await deliveries.attempt(deliveryId)
      }
      const admin = await signedInMember(service, 'admin', subscriber.organizationId)
      await using visited = await visit(browser, service, { as: admin, at: `/${subscriber.organizationId}/deliveries` })
      const { page } = visited
      await page.getByRole('combobox', { name: 'Error' }).selectOption({ label: 'Rejected (HTTP 4xx)' })
      await page.getByRole('button', { name: 'Retry matching failures' }).click()
      await page.getByText('3 failed deliveries match').waitFor()
      await page.getByRole('button', { name: 'Retry 3 deliveries' }).click()
      await page.getByText('Retry scheduled for 3 deliveries.').waitFor()
    })

    test('a viewer sees deliveries and nothing else, and changes nothing · SET-1', async () => {
      const { service } = deliveries
      const subscriber = await deliveries.subscriber()
      subscriber.answer({ status: 410 })
      const { deliveryId } = await subscriber.complete()
      await deliveries.attempt(deliveryId)
      const viewer = await signedInMember(service, 'viewer', subscriber.organizationId)
      const at = `/${subscriber.organizationId}`
      await using visited = await visit(browser, service, { as: viewer, at })
      const { page } = visited
      await page.getByRole('link', { name: 'Ada Lovelace' }).click()
      await page.getByRole('dialog').getByText('1. HTTP 410').waitFor()
      assert.equal(await page.getByRole('button', { name: /Retry/ }).count(), 0)
      assert.deepEqual(await page.getByRole('navigation').getByRole('link').allInnerTexts(), [
        'Deliveries',
        'Interviews',
      ])
      for (const path of ['keys', 'webhook', 'activity']) {
        await page.goto(`${service.url}/settings${at}/${path}`)
        await page.getByText('You need to be an admin to view this page').waitFor()
      }
    })

    test('members of two organizations switch between them; others do not find them · SET-5', async () => {
      const { service } = deliveries
      const [first, second, foreign] = [
        await service.partner({ name: 'First & Sons' }),
        await service.partner({ name: 'Second' }),
        await service.partner({ name: 'Foreign' }),
      ]
      const admin = await signedInMember(service, 'admin', first.organizationId, second.organizationId)
      await using visited = await visit(browser, service, { as: admin, at: `/${first.organizationId}/deliveries` })
      const { page } = visited
      await page.getByRole('button', { name: /First & Sons/ }).click()
      await page.getByRole('menuitemradio', { name: 'Second' }).click()
      await page.waitForURL(`**/settings/${second.organizationId}/deliveries`)
      await page.goto(`${service.url}/settings/${foreign.organizationId}/keys`)
      await page.getByRole('heading', { name: 'Not found' }).waitFor()
    })
  })
}

async function signInWith(page: Page, email: string, password: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
