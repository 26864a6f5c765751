import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { inviteMember } from '../../server/organizations/member-invitations.ts'
import { setSecondFactorRequired } from '../../server/organizations/organizations.ts'
import { newMember, type SignedInMember, signedInMember } from '../../support/members.ts'
import type { Service } from '../../support/service.ts'
import { enterFirstCode, holdResponse, inBrowser, type Stage } from './in-browser.ts'
import { cookiesOf } from './visit.ts'

inBrowser('the session on the page', (stage) => {
  async function open({ service, visit }: Stage, path = 'keys') {
    const { organizationId } = await service.partner()
    const admin = await signedInMember(service, 'admin', organizationId)
    const visited = await visit({ as: admin, at: `/${organizationId}/${path}` })
    return { visited, page: visited.page, context: visited.page.context(), admin, organizationId, service }
  }

  /** As in another tab of the same browser. */
  async function signInElsewhere(context: BrowserContext, service: Service, person: SignedInMember): Promise<void> {
    await context.clearCookies()
    await context.addCookies(cookiesOf(service, person.cookie))
  }

  async function comeBackToTab(page: Page): Promise<void> {
    await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`)
  }

  test('a key stays on screen when the session ends, until it is saved · SET-2', async () => {
    const { visited, page, context } = await open(stage())
    await using _ = visited
    await page.getByRole('button', { name: 'Rotate test' }).click()
    await page.getByRole('button', { name: 'Create successor' }).click()
    const key = page.getByRole('textbox', { name: 'API key' })
    await key.waitFor()
    await context.clearCookies()
    const rejected = page.waitForResponse((response) => response.status() === 401)
    await comeBackToTab(page)
    await (await rejected).finished()
    await page.evaluate('new Promise((done) => setTimeout(() => requestAnimationFrame(done)))')
    assert.match(await key.inputValue(), /^service_live_/)
    assert.match(page.url(), /\/keys$/)
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    await page.getByText('Your session has ended. Sign in to continue.').waitFor()
    assert.match(page.url(), /next=.*keys/)
  })

  test('the page shows who acts, and nothing of whoever was signed in before', async () => {
    const { visited, page, context, organizationId, service } = await open(stage())
    await using _ = visited
    const other = await signedInMember(service, 'admin', organizationId)
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByRole('textbox', { name: 'Label' }).fill('typed by the first one')
    await signInElsewhere(context, service, other)
    await comeBackToTab(page)
    await page.getByText(other.email).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /test/ }).waitFor()
  })

  test('a new role, or an organization that is active again, shows without a reload', async () => {
    const { visited, page, admin, organizationId, service } = await open(stage())
    await using _ = visited
    const { database } = service
    const inactive = page.getByText('Acme is inactive')
    await database.query(sql`update organizations set active = false where id = ${organizationId}`)
    await comeBackToTab(page)
    await inactive.waitFor()
    await database.query(sql`update organizations set active = true where id = ${organizationId}`)
    await comeBackToTab(page)
    await inactive.waitFor({ state: 'detached' })
    const user = sql`select id from users where email = ${admin.email}`
    await database.query(sql`update members set role = 'viewer' where user_id = (${user})`)
    await comeBackToTab(page)
    await page.getByText('You need to be an admin to view this page').waitFor()
  })

  test('a sign-out that fails says so', async () => {
    const { visited, page } = await open(stage())
    await using _ = visited
    await page.route('**/sign-out', (route) => route.fulfill({ status: 503, json: { error: 'Try again later' } }))
    const signOut = async () => {
      await page.getByRole('button', { name: /^Account/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
    }
    await signOut()
    await page.getByText('Try again later').waitFor()
    await page.unroute('**/sign-out')
    await signOut()
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    assert.match(page.url(), /\/sign-in$/)
  })

  test('nobody signs out while two-step verification is turned on, before the recovery codes are shown · SET-10', async () => {
    const { visited, page, admin, organizationId, service } = await open(stage())
    await using _ = visited
    await setSecondFactorRequired(service.database, organizationId, true)
    await page.goto(`${service.url}/settings/second-factor`)
    await enterFirstCode(page, admin.password)
    const held = await holdResponse(page, /\/second-factor\/confirmation$/, 'POST')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await held.asked
    await page.getByRole('button', { name: 'Sign out', disabled: true }).click({ force: true })
    held.release()
    await page.getByRole('button', { name: 'I’ve saved them' }).click()
    await page.getByRole('heading', { name: 'Deliveries', level: 1 }).waitFor()
  })

  test('the sign-in page leads on whoever is signed in, and Back does not return to it', async () => {
    const { visited, page, admin, organizationId, service } = await open(stage())
    await using _ = visited
    await page.goto(`${service.url}/settings/sign-in?next=/settings/${organizationId}/webhook`)
    await page.getByRole('heading', { name: 'Webhook', level: 1 }).waitFor()

    await page.context().clearCookies()
    await page.goto(`${service.url}/settings/${organizationId}/keys`)
    await page.getByRole('textbox', { name: 'Email' }).fill(admin.email)
    await page.getByLabel('Password', { exact: true }).fill(admin.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Webhook', level: 1 }).waitFor()
  })

  test('another link in the same tab takes effect', async () => {
    const { service, visit } = stage()
    const { organizationId } = await service.partner()
    const admin = await newMember(service, 'admin', organizationId)
    const person = { organizationId, email: 'ada@acme.example', role: 'viewer', actor: admin.email } as const
    const invited = await service.database.transaction((transaction) =>
      inviteMember(transaction, person, service.time.now),
    )
    assert.ok(typeof invited !== 'string')
    await using visited = await visit({ at: `/invitation#${'x'.repeat(43)}` })
    const { page } = visited
    await page.getByRole('alert').waitFor()
    await page.goto(`${service.url}/settings/invitation#${invited.token}`)
    await page.getByRole('heading', { name: 'Join Acme' }).waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
  })

  test('the page says that it loads while it asks who is signed in', async () => {
    const { visited, page } = await open(stage())
    await using _ = visited
    const held = await holdResponse(page, /\/api\/session$/, 'GET')
    await page.reload()
    await page.getByRole('status', { name: 'Loading' }).waitFor()
    held.release()
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  })
})
