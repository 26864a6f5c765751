import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListenTokenPage } from '../../server/http/settings/listen-schemas.ts'
import { openListener } from '../../support/listener.ts'
import { signedInMember } from '../../support/members.ts'
import { inBrowser, waitForFocus } from './in-browser.ts'

inBrowser('the listen page', (stage) => {
  test('a token is created, shown once, used and revoked', async () => {
    const { service, deliveries, visit } = stage()
    const subscriber = await deliveries.subscriber()
    const { organizationId } = subscriber
    const admin = await signedInMember(service, 'admin', organizationId)
    await using visited = await visit({ as: admin, at: `/${organizationId}` })
    const { page } = visited
    await page.getByRole('link', { name: 'Listen' }).click()
    await page.getByText('No listen tokens yet').waitFor()
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByText('You won’t see it again').waitFor()
    const token = await page.getByRole('textbox', { name: 'Listen token' }).inputValue()
    const secret = await page.getByRole('textbox', { name: 'Signing secret for your receiver' }).inputValue()
    await page.getByText(/npx partner-interview listen --server/).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await waitForFocus(page, 'New token')
    assert.ok(!(await page.content()).includes(token))

    const listener = await openListener(service.url, token)
    assert.equal((await listener.message('ready')).secret, secret)
    const { resultId } = await subscriber.complete()
    await listener.events(1)
    assert.deepEqual(listener.resultIds(), [resultId])

    await page.getByRole('button', { name: /^Revoke ltk_/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Listen token revoked.').waitFor()
    await page.getByRole('cell', { name: 'Revoked' }).waitFor()
    await listener.ended
    const { body } = await admin.call<ListenTokenPage>('GET', `/organizations/${organizationId}/listen-tokens`)
    assert.deepEqual(
      body.data.map(({ revokedAt }) => revokedAt !== null),
      [true],
    )
  })

  test('an error is shown in the dialog', async () => {
    const { service, deliveries, visit } = stage()
    const { organizationId } = await deliveries.subscriber()
    const admin = await signedInMember(service, 'admin', organizationId)
    const path = `/organizations/${organizationId}/listen-tokens`
    for (let count = 0; count < 20; count += 1) await admin.call('POST', path)
    await using visited = await visit({ as: admin, at: `/${organizationId}/listen` })
    const { page } = visited
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('button', { name: 'Create token' }).click()
    await page
      .getByRole('alert')
      .getByText(/at most 20 listen tokens/)
      .waitFor()
  })
})
