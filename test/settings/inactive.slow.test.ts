import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandsOf } from '../../support/commands.ts'
import { signedInMember } from '../../support/members.ts'
import { inBrowser } from './in-browser.ts'

inBrowser('an inactive organization in the browser', (stage) => {
  test('every button that changes something is disabled and says why', async () => {
    const { deliveries, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    const { organizationId } = subscriber
    subscriber.answer({ status: 410 })
    const { deliveryId } = await subscriber.complete()
    await deliveries.attempt(deliveryId)
    const admin = await signedInMember(service, 'admin', organizationId)
    await commandsOf(service).json('organization', 'deactivate', '--id', organizationId)

    const expected = {
      keys: ['New key', 'Revoke test'],
      webhook: ['Change URL', 'Disable', 'Remove', 'Check now', 'Change secret'],
      listen: ['New token'],
      deliveries: ['Retry all failed'],
      [`deliveries/${deliveryId}`]: ['Retry'],
    }
    for (const [path, names] of Object.entries(expected)) {
      await using visited = await visit({ as: admin, at: `/${organizationId}/${path}` })
      const { page } = visited
      for (const name of names) {
        const button = page.getByRole('button', { name, exact: true, disabled: true })
        await button.waitFor()
        await button.focus()
        await page.getByRole('tooltip').getByText('is inactive, so nothing can be changed.').last().waitFor()
        await page.keyboard.press('Enter')
        const opened = await page.getByRole('dialog').filter({ hasNotText: 'Delivery for' }).count()
        assert.equal(opened, 0, `${name} does nothing`)
      }
    }
  })

  test('a deactivation during the session shows up with the first rejected change', async () => {
    const { service, visit } = stage()
    const { organizationId } = await service.partner({ name: 'Acme' })
    const admin = await signedInMember(service, 'admin', organizationId)
    await using visited = await visit({ as: admin, at: `/${organizationId}/keys` })
    const { page } = visited
    await page.getByRole('button', { name: 'Revoke test' }).click()
    await commandsOf(service).json('organization', 'deactivate', '--id', organizationId)
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Acme is inactive').first().waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Revoke test', disabled: true }).waitFor()
  })
})
