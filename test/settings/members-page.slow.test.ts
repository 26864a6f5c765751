import assert from 'node:assert/strict'
import { test } from 'node:test'
import sql from 'sql-template-tag'
import { newMember, signedInMember } from '../../support/members.ts'
import { inBrowser, inspect, type Stage, waitForFocus } from './in-browser.ts'

inBrowser('the members page', (stage) => {
  /** With one other member, Ada. */
  async function open({ service, visit }: Stage, ada: { name: string; email: string }) {
    const { organizationId } = await service.partner()
    const admin = await signedInMember(service, 'admin', organizationId)
    const { email } = await newMember(service, 'viewer', organizationId)
    await service.database.query(sql`update users set name = ${ada.name}, email = ${ada.email} where email = ${email}`)
    const { body } = await admin.call<{ user: { name: string } }>('GET', '/session')
    const visited = await visit({ as: admin, at: `/${organizationId}/members` })
    return { visited, page: visited.page, own: `Role of ${body.user.name}` }
  }

  test('your own admin rights go only after a question, though an arrow key is enough to choose · SET-9', async () => {
    const { visited, page, own } = await open(stage(), { name: 'Ada', email: 'ada@acme.example' })
    await using _ = visited
    const role = page.getByRole('combobox', { name: own })
    const question = page.getByRole('dialog', { name: 'Become a viewer?' })
    await role.focus()
    await page.keyboard.press('ArrowDown')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    assert.equal(await role.inputValue(), 'admin')
    await waitForFocus(page, own)

    const others = page.getByRole('combobox', { name: 'Role of Ada' })
    await others.focus()
    await page.keyboard.press('ArrowUp')
    await page.getByText('Ada is now an admin.').waitFor()
    await waitForFocus(page, 'Role of Ada')

    await role.focus()
    await page.keyboard.press('ArrowDown')
    await question.getByRole('button', { name: 'Become a viewer' }).click()
    await page.getByText('You need to be an admin to view this page').waitFor()
  })

  test('focus stays on the page after a row or a dialog has gone · SET-9', async () => {
    const { visited, page } = await open(stage(), { name: 'Ada', email: 'ada2@acme.example' })
    await using _ = visited
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Invite' }).click()
    await dialog.getByRole('textbox', { name: 'Email' }).fill('alan@acme.example')
    await dialog.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'detached' })
    await waitForFocus(page, 'Invite')

    await page.getByRole('button', { name: /^Withdraw/ }).press('Enter')
    await page.getByRole('rowheader', { name: 'alan@acme.example' }).waitFor({ state: 'detached' })
    await waitForFocus(page, /^Members/)

    await page.getByRole('button', { name: 'Actions for Ada' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Remove' }).press('Enter')
    await dialog.getByRole('button', { name: 'Remove' }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await waitForFocus(page, /^Members/)
  })

  test('a long address leaves a role readable', async () => {
    const email = `${'maximiliana-alexandra.'.repeat(2)}hohenstein@recruiting.subsidiary.acme-international.example`
    const { visited, page } = await open(stage(), { name: 'Maximiliana-Alexandra von Hohenstein', email })
    await using _ = visited
    const role = page.getByRole('combobox', { name: /^Role of Maximiliana/ })
    assert.ok(Number(await inspect(role, 'element.clientWidth')) > 100)
    const row = page.getByRole('row', { name: /Maximiliana/ })
    assert.ok((await row.locator('wbr').count()) > 0, 'an address breaks after its punctuation')
    assert.equal(
      await inspect(page.getByRole('table').first().locator('..'), 'element.scrollWidth - element.clientWidth'),
      0,
    )
  })
})
