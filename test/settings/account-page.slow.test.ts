import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signedInMember, signIn } from '../../support/members.ts'
import { oneTimeCode } from '../../support/one-time-codes.ts'
import { inBrowser, type Stage, waitForFocus } from './in-browser.ts'

inBrowser('the account page', (stage) => {
  /** With a second session, of another browser. */
  async function open({ service, visit }: Stage) {
    const { organizationId } = await service.partner()
    const member = await signedInMember(service, 'viewer', organizationId)
    await signIn(service, member)
    const visited = await visit({ as: member, at: `/${organizationId}/account` })
    const other = visited.page.getByRole('button', { name: /^End the session/ })
    await other.waitFor()
    return { visited, page: visited.page, other, password: member.password }
  }

  test('ending the only other session moves focus to the heading · SET-10', async () => {
    for (const name of [/^End the session/, 'Sign out everywhere else']) {
      const { visited, page, other } = await open(stage())
      await using _ = visited
      await page.getByRole('button', { name }).click()
      await other.waitFor({ state: 'detached' })
      await waitForFocus(page, 'Sessions')
    }
  })

  test('turning on two-step verification takes the other sessions off the list · SET-10', async () => {
    const { visited, page, other, password } = await open(stage())
    await using _ = visited
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByLabel('Your password').fill(password)
    await page.getByRole('button', { name: 'Continue' }).click()
    const secret = await page.getByRole('textbox', { name: 'Key', exact: true }).inputValue()
    await page.getByRole('textbox', { name: 'Code from the app' }).fill(oneTimeCode(secret))
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('button', { name: 'I’ve saved them' }).click()
    await other.waitFor({ state: 'detached', timeout: 10_000 })
    assert.equal(await page.getByText('This browser').count(), 1)
  })
})
