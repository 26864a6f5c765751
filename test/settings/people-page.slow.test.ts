import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { createDestinationGuard } from '../../server/outbound/destination.ts'
import { openBrowser } from '../../support/browser.ts'
import { type Commands, commandsOf } from '../../support/commands.ts'
import { engines } from '../../support/engines.ts'
import { type IdentityProvider, startIdentityProvider } from '../../support/identity-provider.ts'
import { type MailServer, startMailing, startMailServer } from '../../support/mail-server.ts'
import { newMember, type Person } from '../../support/members.ts'
import { oneTimeCode } from '../../support/one-time-codes.ts'
import { eventually } from '../../support/process.ts'
import { type Partner, type Service, startService } from '../../support/service.ts'

const password = 'a password of their own'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** A browser of one's own. Nothing outside this machine is asked. */
async function openPage(browser: Browser, service: Service, contexts: BrowserContext[], path = ''): Promise<Page> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1280, height: 860 } })
  contexts.push(context)
  await context.route(/^https?:\/\/(?!127\.0\.0\.1)/, (route) => route.abort())
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  await page.goto(path.startsWith('http') ? path : `${service.url}/settings${path}`)
  return page
}

async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function enterInvitation(page: Page, email: string): Promise<void> {
  await page.getByRole('link', { name: 'Members' }).click()
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
}

async function invite(page: Page, email: string): Promise<string> {
  await enterInvitation(page, email)
  const link = await page.getByRole('textbox', { name: 'Invitation link' }).inputValue()
  await page.getByText(/^It works once, until [A-Z][a-z]{2} \d/).waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('rowheader', { name: email }).waitFor()
  return link
}

async function join(page: Page, name: string): Promise<void> {
  await heading(page, 'Join Acme').waitFor()
  await page.getByRole('textbox', { name: 'Your name' }).fill(name)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('button', { name: 'Join' }).click()
  await heading(page, 'Deliveries').waitFor()
}

async function resetPassword(page: Page, next: string): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(next)
  await page.getByLabel('Confirm new password').fill(next)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByRole('link', { name: 'Sign in' }).click()
}

async function act(page: Page, name: string, action: string, confirm: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
  await page.getByRole('dialog').getByRole('button', { name: confirm }).click()
}

function heading(page: Page, name: string) {
  return page.getByRole('heading', { name, level: 1 })
}

describe('people in the settings area', () => {
  let provider: IdentityProvider
  let service: Service
  let partner: Partner
  let browser: Browser
  let commands: Commands
  let admin: Person
  const contexts: BrowserContext[] = []
  before(async () => {
    const [engine] = engines
    assert.ok(engine)
    const port = await freePort()
    const appUrl = `http://127.0.0.1:${port}`
    provider = await startIdentityProvider({ redirectUri: `${appUrl}/settings/api/single-sign-on/callback` })
    const guard = createDestinationGuard({ resolve: async () => [], allowCidrs: ['127.0.0.0/8'] })
    service = await startService(engine, { at: { port, appUrl }, guard, destinationCa: provider.ca })
    service.time.now = new Date()
    partner = await service.partner({ name: 'Acme' })
    admin = await newMember(service, 'admin', partner.organizationId)
    commands = commandsOf(service)
    browser = await openBrowser()
  })
  after(async () => {
    for (const context of contexts) await context.close()
    await browser?.close()
    await service?.close()
    await provider?.close()
  })

  const open = (path?: string) => openPage(browser, service, contexts, path)

  test('invited, signed in, second factor, role, signed out everywhere, password forgotten, removed · SET-9 SET-10', async () => {
    const email = 'ada@acme.example'
    const desk = await open()
    await signIn(desk, admin)
    const ada = await open(await invite(desk, email))
    await join(ada, 'Ada')

    await ada.getByRole('button', { name: /^Account/ }).click()
    await ada.getByRole('menuitem', { name: 'Sign-in and sessions' }).click()
    await ada.getByText('This browser').waitFor()
    await ada.getByRole('button', { name: 'Set up' }).click()
    await ada.getByLabel('Your password').fill(password)
    await ada.getByRole('button', { name: 'Continue' }).click()
    const secret = await ada.getByRole('textbox', { name: 'Key', exact: true }).inputValue()
    await ada.getByText('Confirming signs you out everywhere else.').waitFor()
    const close = ada.getByRole('dialog').getByRole('button', { name: 'Close' })
    assert.equal(await close.count(), 1)
    await ada.getByRole('textbox', { name: 'Code from the app' }).fill(oneTimeCode(secret))
    await ada.getByRole('button', { name: 'Confirm' }).click()
    await ada.getByRole('region', { name: 'Recovery codes' }).waitFor()
    assert.equal(await close.count(), 0, 'the codes are shown only once')
    await ada.getByRole('button', { name: 'I’ve saved them' }).click()
    await ada.getByRole('button', { name: 'Turn off' }).waitFor()
    await ada.getByRole('button', { name: 'New recovery codes' }).click()
    await ada.getByLabel('Your password').fill(password)
    await ada.getByRole('button', { name: 'Create codes' }).click()
    const codes = await ada.getByRole('region', { name: 'Recovery codes' }).innerText()
    assert.equal(await close.count(), 0)
    const [recoveryCode = ''] = codes.trim().split('\n')
    await ada.getByRole('button', { name: 'I’ve saved them' }).click()
    await ada.getByRole('dialog').waitFor({ state: 'detached' })

    await ada.getByRole('button', { name: /^Account/ }).click()
    await ada.getByRole('menuitem', { name: 'Sign out' }).click()
    await signIn(ada, { email, password })
    await heading(ada, 'Enter your code').waitFor()
    await ada.getByRole('textbox', { name: 'Code' }).fill('000000')
    await ada.getByRole('button', { name: 'Sign in' }).click()
    await ada.getByRole('alert').waitFor()
    await ada.getByRole('textbox', { name: 'Code' }).fill(oneTimeCode(secret, 1))
    await ada.getByRole('button', { name: 'Sign in' }).click()
    await heading(ada, 'Deliveries').waitFor()
    assert.equal(await ada.getByRole('link', { name: 'API keys' }).count(), 0)

    await desk.reload()
    await desk.getByRole('combobox', { name: 'Role of Ada' }).selectOption('admin')
    await desk.getByText('Ada is now an admin.').waitFor()
    await ada.reload()
    await ada.getByRole('link', { name: 'API keys' }).waitFor()

    await act(desk, 'Ada', 'Sign out everywhere', 'Sign out')
    await desk.getByText('Ada has been signed out everywhere.').waitFor()
    await ada.reload()
    await heading(ada, 'Sign in').waitFor()

    await ada.getByRole('link', { name: 'Forgot password?' }).click()
    await ada.getByText('Ask an admin of your organization').waitFor()
    await act(desk, 'Ada', 'Create password reset link', 'Create link')
    const reset = await desk.getByRole('textbox', { name: 'Password reset link' }).inputValue()
    await desk.getByRole('button', { name: 'Done' }).click()
    await ada.goto(reset)
    await resetPassword(ada, 'quite another horse')
    await signIn(ada, { email, password: 'quite another horse' })
    await ada.getByRole('textbox', { name: 'Code' }).fill(recoveryCode)
    await ada.getByRole('button', { name: 'Sign in' }).click()
    await heading(ada, 'Deliveries').waitFor()

    await act(desk, 'Ada', 'Remove', 'Remove')
    await desk.getByText('Ada is no longer a member.').waitFor()
    await ada.reload()
    await heading(ada, 'Sign in').waitFor()
  })

  test('a link without its token says that it is incomplete · SET-9', async () => {
    for (const path of ['/invitation', '/reset-password']) {
      const page = await open(path)
      await page.getByRole('alert').getByText('Part of the link is missing.').waitFor()
      assert.equal(await page.getByRole('button').count(), 0)
    }
  })

  test('who has no second factor is led to set it up where it is required · SET-10', async () => {
    const strict = await service.partner({ name: 'Strict' })
    const person = await newMember(service, 'viewer', strict.organizationId)
    await service.database.query(
      sql`update organizations set requires_second_factor = true where id = ${strict.organizationId}`,
    )
    const page = await open()
    await signIn(page, person)
    await page.getByText('Required by Strict.').waitFor()
    await page.getByLabel('Your password').fill(person.password)
    await page.getByRole('button', { name: 'Continue' }).click()
    const secret = await page.getByRole('textbox', { name: 'Key', exact: true }).inputValue()
    await page.getByRole('textbox', { name: 'Code from the app' }).fill(oneTimeCode(secret))
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('button', { name: 'I’ve saved them' }).click()
    await heading(page, 'Deliveries').waitFor()
  })

  test('single sign-on: for its own domain, refused for another · SET-10', async () => {
    const desk = await open()
    await signIn(desk, admin)
    await desk.getByRole('link', { name: 'Security' }).click()
    await desk.getByRole('textbox', { name: 'Issuer' }).fill(provider.issuer)
    await desk.getByRole('textbox', { name: 'Client ID' }).fill(provider.clientId)
    await desk.getByLabel('Client secret').fill(provider.clientSecret)
    await desk.getByRole('textbox', { name: 'Email domain' }).fill('acme.example')
    await desk.getByRole('button', { name: 'Save' }).click()
    await desk.getByText('Waiting for confirmation').waitFor()
    const clientId = desk.getByRole('textbox', { name: 'Client ID' })
    await clientId.fill('another client')
    await commands.json('organization', 'confirm-domain', '--id', partner.organizationId, '--domain', 'acme.example')
    await desk.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
    await desk.getByText('Waiting for confirmation').waitFor({ state: 'detached' })
    assert.equal(await clientId.inputValue(), 'another client', 'what was typed stays')
    await invite(desk, 'grace@acme.example')

    const page = await open()
    const start = async (email: string) => {
      await page.goto(`${service.url}/settings/sign-in`)
      await page.getByRole('link', { name: 'Use single sign-on' }).click()
      await page.getByRole('textbox', { name: 'Email' }).fill(email)
      await page.getByRole('button', { name: 'Continue' }).click()
    }
    const signInAtProvider = async (login: string) => {
      await page.waitForURL(`${provider.issuer}/**`)
      await page.locator('input[name=login]').fill(login)
      await page.locator('input[name=password]').fill('anything')
      await page.locator('button[type=submit]').click()
      await page.getByRole('button', { name: 'Continue' }).click()
    }
    await start('eve@other.example')
    await page.getByText('There is no single sign-on for this address').waitFor()
    await start('eve@acme.example')
    await signInAtProvider('eve@other.example')
    await page.getByText('isn’t in your organization’s domain').waitFor()

    await page.context().clearCookies()
    await start('grace@acme.example')
    await signInAtProvider('grace@acme.example')
    await heading(page, 'Deliveries').waitFor()
    await desk.reload()
    await desk.getByRole('rowheader', { name: /Somebody at acme\.example/ }).waitFor()
  })
})

describe('people in the settings area of a server that sends email', () => {
  let service: Service
  let partner: Partner
  let browser: Browser
  let mail: MailServer
  let sending: ReturnType<typeof startMailing>
  const contexts: BrowserContext[] = []
  before(async () => {
    const [engine] = engines
    assert.ok(engine)
    const port = await freePort()
    service = await startService(engine, { at: { port, appUrl: `http://127.0.0.1:${port}` }, mailConfigured: true })
    service.time.now = new Date()
    partner = await service.partner({ name: 'Acme' })
    mail = await startMailServer()
    sending = startMailing(service, mail)
    browser = await openBrowser()
  })
  after(async () => {
    for (const context of contexts) await context.close()
    await browser?.close()
    await sending?.stop()
    await mail?.close()
    await service?.close()
  })

  const open = (path?: string) => openPage(browser, service, contexts, path)

  /** The link in the next email to this address. */
  async function mailedLink(address: string): Promise<string> {
    const find = () => mail.received.findIndex(({ to }) => to.includes(address))
    assert.ok(await eventually(async () => find() >= 0), 'no email came')
    const [received] = mail.received.splice(find(), 1)
    return /http:\/\/\S+#[\w-]{43}/.exec(received?.text ?? '')?.[0] ?? ''
  }

  test('invitations and reset links arrive by email · SET-9', async () => {
    const email = 'ada@acme.example'
    const desk = await open()
    await signIn(desk, await newMember(service, 'admin', partner.organizationId))
    await enterInvitation(desk, email)
    await desk.getByText(`We’re emailing the link to ${email}.`).waitFor()
    const invitation = await mailedLink(email)
    assert.equal(await desk.getByRole('textbox', { name: 'Invitation link' }).count(), 0)
    assert.ok(!(await desk.content()).includes(new URL(invitation).hash.slice(1)))
    await desk.getByRole('button', { name: 'Done' }).click()
    const ada = await open(invitation)
    await join(ada, 'Ada')
    await ada.getByRole('button', { name: /^Account/ }).click()
    await ada.getByRole('menuitem', { name: 'Sign out' }).click()
    await ada.getByRole('link', { name: 'Forgot password?' }).click()
    await ada.getByRole('textbox', { name: 'Email' }).fill(email)
    await ada.getByRole('button', { name: 'Send reset link' }).click()
    await ada.getByText('a link is on its way').waitFor()
    await ada.goto(await mailedLink(email))
    await resetPassword(ada, 'quite another horse')
    await signIn(ada, { email, password: 'quite another horse' })
    await heading(ada, 'Deliveries').waitFor()
  })
})
