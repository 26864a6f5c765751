import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { KeyPage } from '../../server/http/settings/schemas.ts'
import { signedInMember } from '../../support/members.ts'
import { enterFirstCode, holdResponse, inBrowser, type Stage, waitForFocus } from './in-browser.ts'

inBrowser('dialogs', (stage) => {
  /** Without animations, what closes is gone at once. */
  async function open({ service, visit }: Stage, page: string) {
    const { organizationId } = await service.partner()
    const admin = await signedInMember(service, 'admin', organizationId)
    const visited = await visit({ as: admin, at: `/${organizationId}/${page}`, reducedMotion: 'reduce' })
    const keys = async () => (await admin.call<KeyPage>('GET', `/organizations/${organizationId}/keys`)).body.data
    return { visited, page: visited.page, admin, keys }
  }

  async function tryToClose(page: Page): Promise<void> {
    const dialog = page.getByRole('dialog')
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    for (const name of ['Cancel', 'Close']) {
      for (const button of await dialog.getByRole('button', { name }).all()) await button.click({ force: true })
    }
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    assert.equal(await dialog.count(), 1)
  }

  test('a new key is shown, however hard one tries to close its dialog while it is created · SET-2', async () => {
    const { visited, page, keys } = await open(stage(), 'keys')
    await using _ = visited
    const dialog = page.getByRole('dialog')
    for (const [label, name] of [
      ['New key', 'Create key'],
      ['Rotate ATS', 'Create successor'],
    ] as const) {
      await page.getByRole('button', { name: label, exact: true }).click()
      if (label === 'New key') {
        await dialog.getByRole('textbox', { name: 'Label' }).fill('ATS')
        await dialog.getByRole('checkbox', { name: 'results:read' }).check()
      }
      const held = await holdResponse(page, /\/keys(\/key_\w+\/successor)?$/, 'POST')
      await dialog.getByRole('button', { name }).click()
      await held.asked
      await waitForFocus(page, name)
      await tryToClose(page)
      held.release()
      await dialog.getByRole('textbox', { name: 'API key' }).waitFor()
      await dialog.getByRole('button', { name: 'I’ve saved it' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    assert.equal((await keys()).length, 3)
  })

  test('a dialog closes as before once its request has failed, and opens without the error the next time', async () => {
    const { visited, page, keys } = await open(stage(), 'keys')
    await using _ = visited
    const dialog = page.getByRole('dialog')
    const held = await holdResponse(page, /\/revocation$/, 'POST', { status: 503, json: { error: 'Try again later' } })
    await page.getByRole('button', { name: 'Revoke test' }).click()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await held.asked
    await waitForFocus(page, 'Revoke')
    await tryToClose(page)
    held.release()
    await dialog.getByText('Try again later').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await keys())[0]?.revokedAt, null)
  })

  test('what failed in a dialog is forgotten when it closes · SET-3', async () => {
    const { deliveries, service, visit } = stage()
    const { organizationId } = await deliveries.subscriber()
    const admin = await signedInMember(service, 'admin', organizationId)
    await using visited = await visit({ as: admin, at: `/${organizationId}/webhook` })
    const { page } = visited
    const dialog = page.getByRole('dialog')
    await page.route(/\/webhook(\/\w+)?$/, (route) =>
      route.request().method() === 'GET'
        ? route.continue()
        : route.fulfill({ status: 503, json: { error: 'Not now' } }),
    )
    for (const name of ['Remove', 'Disable']) {
      await page.getByRole('button', { name, exact: true }).click()
      await dialog.getByRole('button', { name }).click()
      await dialog.getByText('Not now').waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('button', { name, exact: true }).click()
      await dialog.getByRole('button', { name: 'Cancel' }).waitFor()
      assert.equal(await page.getByText('Not now').count(), 0)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
  })

  test('the button that retries all keeps the focus while the failures are counted again · SET-4', async () => {
    const { deliveries, deliver, service, visit } = stage()
    const subscriber = await deliveries.subscriber()
    await deliver(subscriber, 410)
    const admin = await signedInMember(service, 'admin', subscriber.organizationId)
    await using visited = await visit({ as: admin, at: `/${subscriber.organizationId}/deliveries` })
    const { page } = visited
    await page.getByRole('button', { name: 'Retry all failed' }).click()
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Retry 1 delivery', disabled: false })
    await confirm.focus()
    const held = await holdResponse(page, /\/failed-count/, 'GET')
    await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`)
    await held.asked
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    await waitForFocus(page, 'Retry 1 delivery')
    await confirm.waitFor()
    held.release()
  })

  test('two-step verification cannot be turned on without a look at the recovery codes · SET-10', async () => {
    const { visited, page, admin } = await open(stage(), 'account')
    await using _ = visited
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Set up' }).click()
    await enterFirstCode(page, admin.password)
    const held = await holdResponse(page, /\/second-factor\/confirmation$/, 'POST')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await held.asked
    await tryToClose(page)
    held.release()
    await page.getByRole('region', { name: 'Recovery codes' }).waitFor()
    await page.getByRole('button', { name: 'I’ve saved them' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Turn off' }).waitFor()
  })
})
