import assert from 'node:assert/strict'
import { test } from 'node:test'
import sql from 'sql-template-tag'
import type { KeyPage, MintedKey } from '../../server/http/settings/schemas.ts'
import { signedInMember } from '../../support/members.ts'
import { eventually } from '../../support/process.ts'
import { call } from '../../support/service.ts'
import { inBrowser, inspect, type Stage, waitForFocus, waitForNoOverlap } from './in-browser.ts'

inBrowser('the keys page', (stage) => {
  async function open({ service, visit }: Stage) {
    const { organizationId } = await service.partner()
    const admin = await signedInMember(service, 'admin', organizationId)
    const path = `/organizations/${organizationId}/keys`
    const made = await admin.call<MintedKey>('POST', path, { label: 'ATS', scopes: ['templates:read'] })
    const visited = await visit({ as: admin, at: `/${organizationId}/keys` })
    const keys = async () => (await admin.call<KeyPage>('GET', path)).body.data
    const status = async (key: string) =>
      (await call(service.url, 'GET', '/v1/templates', { 'x-service-api-key': key })).status
    const rename = (label: string) => admin.call('PATCH', `${path}/${made.body.id}`, { label })
    return { visited, page: visited.page, keys, status, rename, made: made.body }
  }

  test('a key is renamed and given an expiry · SET-2', async () => {
    const { visited, page, keys, made } = await open(stage())
    await using _ = visited
    await page.getByRole('button', { name: 'Edit ATS' }).click()
    await page.getByRole('textbox', { name: 'Label' }).fill('Job board')
    await page.getByRole('combobox', { name: 'Expires' }).selectOption('On a date')
    await page.getByLabel('Last day').fill('2001-01-01')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Choose today or a later day').waitFor()
    await page.getByRole('combobox', { name: 'Expires' }).selectOption('In 30 days')
    await page.getByRole('button', { name: 'Save' }).click()
    const row = page.getByRole('row', { name: /Job board/ })
    await row.getByText(/^Expires /).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await waitForFocus(page, /Edit Job board|Job board/)
    const key = (await keys()).find(({ id }) => id === made.id)
    assert.equal(key?.label, 'Job board')
    const days = (Date.parse(key.expiresAt ?? '') - Date.now()) / 86_400_000
    assert.ok(days > 29 && days < 31, key.expiresAt ?? 'never')
  })

  test('a page from before an update of the service says so when what it sends is rejected', async () => {
    const { visited, page } = await open(stage())
    await using _ = visited
    const save = async () => {
      await page.getByRole('button', { name: 'Edit ATS' }).click()
      await page.getByRole('textbox', { name: 'Label' }).fill('Job board')
      await page.getByRole('button', { name: 'Save' }).click()
    }
    const outdated = page.getByText('The service has been updated. Reload this page and try again.')
    await page.route('**/keys/key_*', (route) => route.fulfill({ status: 400, json: { error: 'expiry is required' } }))
    await save()
    await page.getByText('expiry is required').waitFor()
    assert.equal(await outdated.count(), 0, 'the page is the current one')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    const newer = '<script type="module" src="/settings/assets/index-newer.js"></script>'
    await page.route(/\/settings$/, (route) => route.fulfill({ contentType: 'text/html', body: newer }))
    await save()
    await outdated.waitFor()
    assert.equal(await page.getByText('expiry is required').count(), 0)
  })

  test('a bug in the page is not shown as its exception, and leaves one main landmark', async () => {
    const { visited, page } = await open(stage())
    await page.route('**/settings/api/**/keys', (route) => route.fulfill({ json: { data: [{}] } }))
    await page.reload()
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor()
    await page.getByText('There is a bug in this page. Try again, or reload the page.').waitFor()
    assert.equal(await page.getByRole('main').count(), 1)
    await assert.rejects(async () => visited[Symbol.asyncDispose](), /The page is at fault/)
  })

  test('without access to the clipboard, Copy selects the text and says so', async () => {
    const { visited, page, status, made } = await open(stage())
    await using _ = visited
    await status(made.key)
    await page.addInitScript('delete Navigator.prototype.clipboard')
    await page.reload()
    await page.getByRole('button', { name: 'Rotate ATS' }).click()
    await page.getByRole('button', { name: 'Create successor' }).click()
    const key = await page.getByRole('textbox', { name: 'API key' }).inputValue()
    const messages = page.getByText('Your browser blocked copying. The text is selected; press Ctrl+C or ⌘C.')
    for (const [index, name] of ['API key', 'Try it'].entries()) {
      await page.getByRole('button', { name: `Copy: ${name}` }).click()
      await messages.nth(index).waitFor()
      assert.ok((await page.evaluate<string>('getSelection().toString()')).includes(key), name)
    }
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Requests' }).click()
    const copy = page.getByRole('button', { name: 'Copy request ID' })
    await copy.first().click()
    await messages.waitFor()
    assert.match(await page.evaluate<string>('getSelection().toString()'), /^[\da-f-]{36}$/)
  })

  test('a message says when to try again, in one second or more', async () => {
    const { visited, page } = await open(stage())
    await using _ = visited
    await page.getByRole('button', { name: 'Edit ATS' }).click()
    await page.getByRole('textbox', { name: 'Label' }).fill('Job board')
    for (const [seconds, hint] of [
      [1, '(in 1 second)'],
      [89, '(in 89 seconds)'],
      [90, '(in 2 minutes)'],
    ] as const) {
      const headers = { 'retry-after': String(seconds) }
      await page.route('**/keys/key_*', (route) => route.fulfill({ status: 429, headers, json: { error: 'Wait' } }))
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText(`Wait ${hint}`).waitFor()
    }
  })

  test('a new expiry leaves alone the name that another admin gave the key meanwhile', async () => {
    const { visited, page, keys, rename, made } = await open(stage())
    await using _ = visited
    await page.getByRole('button', { name: 'Edit ATS' }).click()
    await page.getByRole('textbox', { name: 'Label' }).waitFor()
    assert.equal((await rename('Job board')).status, 200)
    await page.getByRole('combobox', { name: 'Expires' }).selectOption('In 30 days')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const key = (await keys()).find(({ id }) => id === made.id)
    assert.equal(key?.label, 'Job board')
    assert.notEqual(key.expiresAt, null)

    await page.getByRole('button', { name: 'Edit Job board' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.deepEqual(
      (await keys()).find(({ id }) => id === made.id),
      key,
      'saving without a change does nothing',
    )
  })

  test('a key is rotated: the successor is shown once, and the old key ends when chosen · SET-2', async () => {
    const { visited, page, keys, status, made } = await open(stage())
    await using _ = visited
    assert.equal(await status(made.key), 200)
    await page.getByRole('button', { name: 'Rotate ATS' }).click()
    await page.getByRole('button', { name: 'Create successor' }).click()
    const successor = await page.getByRole('textbox', { name: 'API key' }).inputValue()
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal(await status(made.key), 200)
    const old = page.locator(`[id="${made.id}"]`)
    await old.getByText(/^Replaced, ends /).waitFor()
    assert.equal((await keys()).length, 3)

    const newer = (await keys()).find(({ label, id }) => label === 'ATS' && id !== made.id)
    for (const [id, usage] of [
      [made.id, 'was last used just now'],
      [newer?.id, 'has never been used'],
    ] as const) {
      await page.locator(`[id="${id}"]`).getByRole('button', { name: 'Revoke ATS' }).click()
      const prefix = (await keys()).find((key) => key.id === id)?.prefix
      await page.getByRole('dialog').getByText(`The key ${prefix} ${usage}.`).waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    assert.equal(await status(successor), 200)

    const setAnHourAhead = '(() => { const { now } = Date; Date.now = () => now() + 3_600_000 })()'
    await page.evaluate(setAnHourAhead)
    await page.getByRole('button', { name: 'Rotate ATS' }).first().click()
    await page.getByRole('combobox', { name: 'The old key stops working' }).selectOption('Immediately')
    await page.getByRole('button', { name: 'Create successor' }).click()
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    await page.getByText('Expired').waitFor()
    assert.equal(await status(successor), 401)
  })

  test('leaving the page while a key is shown asks first · SET-2', async () => {
    const { visited, page } = await open(stage())
    await using _ = visited
    const url = page.url()
    await page.getByRole('link', { name: 'Webhook' }).click()
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('button', { name: 'Rotate ATS' }).click()
    await page.getByRole('button', { name: 'Create successor' }).click()
    const successor = page.getByRole('textbox', { name: 'API key' })
    await successor.waitFor()
    const asked: string[] = []
    page.on('dialog', async (dialog) => {
      asked.push(dialog.type())
      await dialog.dismiss()
    })
    await page.evaluate('history.back()')
    assert.ok(await eventually(async () => asked.length === 1))
    await page.evaluate('void setTimeout(() => location.reload())')
    assert.ok(await eventually(async () => asked.length === 2))
    assert.deepEqual(asked, ['confirm', 'beforeunload'])
    await successor.waitFor()
    assert.equal(page.url(), url)

    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    await successor.waitFor({ state: 'detached' })
    await page.goBack()
    await page.waitForURL('**/webhook')
    assert.equal(asked.length, 2)
  })

  test('a key ends on a date only if one is chosen, and never in the past by mistake · SET-2', async () => {
    const { visited, page, keys, status, made } = await open(stage())
    await using _ = visited
    const dialog = page.getByRole('dialog')
    const insistsOnDay = async (button: string) => {
      await dialog.getByRole('button', { name: button }).click()
      await dialog.getByText('Choose a day', { exact: true }).waitFor()
      await dialog.getByLabel('Last day').fill('20270-01-01')
      await dialog.getByRole('button', { name: button }).click()
      await dialog.getByText('Choose a day before the year 10000').waitFor()
      await dialog.getByLabel('Last day').fill('2001-01-01')
      await dialog.getByRole('button', { name: button }).click()
      await dialog.getByText('Choose today or a later day').waitFor()
      assert.equal(await dialog.getByLabel('Last day').getAttribute('aria-invalid'), 'true')
      assert.equal((await keys()).length, 2, 'no key was created')
    }
    await page.getByRole('button', { name: 'New key' }).click()
    await dialog.getByRole('textbox', { name: 'Label' }).fill('Careers site')
    await dialog.getByRole('checkbox', { name: 'results:read' }).check()
    await dialog.getByRole('combobox', { name: 'Expires' }).selectOption('On a date')
    await insistsOnDay('Create key')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Rotate ATS' }).click()
    await dialog.getByRole('combobox', { name: 'The old key stops working' }).selectOption('On a date')
    await insistsOnDay('Create successor')
    assert.equal(await status(made.key), 200, 'the old key still works')
    await dialog.getByLabel('Last day').fill('2099-12-31')
    await dialog.getByRole('button', { name: 'Create successor' }).click()
    await dialog.getByRole('button', { name: 'I’ve saved it' }).click()
    const old = (await keys()).find(({ id }) => id === made.id)
    assert.match(old?.expiresAt ?? '', /^(2099-12-31|2100-01-01)T/)
  })

  test('at 1280 pixels the buttons of a key stand in one line, within the table, and no permission is broken', async () => {
    const { visited, page, made } = await open(stage())
    await using _ = visited
    await page.setViewportSize({ width: 1280, height: 860 })
    const { database, time } = stage().service
    await database.query(sql`
      update api_keys set scopes = '{invitations:write,results:read}', last_used_at = ${time.now},
        last_used_address = '203.0.113.117' where id = ${made.id}`)
    await database.query(sql`
      insert into key_usage (key_id, hour, status, requests)
      select ${made.id}, date_trunc('hour', ${time.now}::timestamptz), status, 1413
      from unnest('{200,404,409,413,415,429}'::int[]) status`)
    await page.reload()
    await page.getByText('1,413 × 429').waitFor()
    const lines = `(() => {
      const text = document.createRange()
      text.selectNodeContents(element)
      return text.getClientRects().length
    })()`
    for (const permission of await page.getByRole('row', { name: /ATS/ }).getByRole('listitem').all()) {
      assert.equal(await inspect(permission, lines), 1, await permission.innerText())
    }
    const boxes = await Promise.all(
      ['Edit', 'Rotate', 'Revoke'].map((name) => page.getByRole('button', { name: `${name} ATS` }).boundingBox()),
    )
    assert.equal(new Set(boxes.map((box) => box?.y)).size, 1, JSON.stringify(boxes))
    const [table, last] = [await page.getByRole('table').boundingBox(), boxes.at(-1)]
    assert.ok(table && last && last.x + last.width <= table.x + table.width)
    const frame = await page.getByRole('table').locator('..').boundingBox()
    assert.ok(frame && table.width <= frame.width, 'the table fits its frame')
    const creator = page.getByRole('row', { name: /ATS/ }).getByText(/^by /)
    assert.ok((await creator.locator('wbr').count()) > 0, 'an address breaks after its punctuation')
  })

  test('requests are shown by status, with the address they came from · SET-2', async () => {
    const { visited, page, status, made } = await open(stage())
    await using _ = visited
    await status(made.key)
    const { service } = stage()
    await call(service.url, 'GET', '/v1/nothing', { 'x-service-api-key': made.key })
    const row = page.locator(`[id="${made.id}"]`)
    await row.getByText('1 × 404').waitFor()
    await row.getByText('from 127.0.0.1').waitFor()
    assert.ok((await row.innerText()).includes('1\u00a0×\u00a0404'), 'a count stays with its status')
  })

  test('creating and revoking a key leaves focus on the page, and the message covers no button · SET-2', async () => {
    const { service, visit } = stage()
    const { organizationId, keyId } = await service.partner()
    const admin = await signedInMember(service, 'admin', organizationId)
    await admin.call('POST', `/organizations/${organizationId}/keys/${keyId}/revocation`)
    await using visited = await visit({ as: admin, at: `/${organizationId}/keys` })
    const { page } = visited
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByRole('textbox', { name: 'Label' }).fill('ATS')
    await page.getByRole('checkbox', { name: 'results:read' }).check()
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('textbox', { name: 'API key' }).waitFor()
    await waitForFocus(page, 'API key')
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await waitForFocus(page, 'New key')

    await page.getByRole('button', { name: 'Revoke ATS' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await waitForFocus(page, /^ATS/)
    const message = page.locator('.mantine-Notification-root')
    await waitForNoOverlap(message, page.getByRole('button', { name: 'New key' }))
  })
})
