import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openBrowser } from '../../support/browser.ts'
import { sharedPostgres } from '../../support/postgres.ts'
import { postgresEnvironment, type ServerProcess, startServer } from '../../support/process.ts'
import { accessibilityFaults } from '../settings/visit.ts'
import { operations, readDocument } from './read-document.ts'

describe('the reference page in a browser', () => {
  let server: ServerProcess
  let browser: Browser

  before(async () => {
    server = await startServer(postgresEnvironment(await (await sharedPostgres()).createDatabase()))
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await server?.kill()
  })

  test('it shows every operation and the event, and connects only to the service', async () => {
    const { page, asked, complaints } = await openReference()
    const document = await readDocument(server.url)
    const event = document.webhooks['result.completed']?.post
    assert.ok(event)
    for (const { summary } of [...operations(document).values(), event]) {
      await page.getByRole('link', { name: summary }).click()
      await page.getByRole('heading', { name: summary }).waitFor()
    }
    assert.ok(asked.includes(`${server.url}/openapi.json`))
    assert.deepEqual(asked.filter(isForeign), [])
    assert.deepEqual(complaints, [])
    await page.close()
  })

  test('it has no accessibility violation, in light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await openReference({ colorScheme })
      const document = await readDocument(server.url)
      // What is further down is drawn when it comes into view.
      for (const { summary } of operations(document).values()) {
        await page.getByRole('link', { name: summary }).click()
        await page.getByRole('heading', { name: summary }).waitFor()
      }
      assert.deepEqual(await accessibilityFaults(page, 'at everything'), [], colorScheme)
      await page.close()
    }
  })

  test('the authentication box asks for an API key of ours, and its words stand side by side', async () => {
    const { page } = await openReference()
    await page.locator('[placeholder^="service_live_"]').first().waitFor()
    const heading = await page.getByText('Authentication', { exact: true }).first().boundingBox()
    const choice = await page.getByText('apiKeyHeader', { exact: true }).first().boundingBox()
    const required = await page.getByText('Required', { exact: true }).first().boundingBox()
    assert.ok(heading && choice && required)
    assert.ok(heading.x + heading.width <= required.x, 'the first two')
    assert.ok(required.x + required.width <= choice.x, 'the last two')
    await page.close()
  })

  test('a request sent from it goes only to the service', async () => {
    const { page, asked } = await openReference()
    await page.getByRole('link', { name: 'Poll for results' }).click()
    await page.getByRole('button', { name: /^Test Request.*\/v1\/interview-results/ }).click()
    const answered = page.waitForResponse((response) => response.url().includes('/v1/interview-results'))
    await page.getByRole('button', { name: /^Send/ }).first().click()
    assert.equal((await answered).status(), 401)
    assert.deepEqual(asked.filter(isForeign), [])
    await page.close()
  })

  test('its content security policy allows only this origin', async () => {
    const { page, asked } = await openReference()
    const outcome = await page.evaluate<string>(`new Promise((resolve) => {
      addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective))
      const refused = () => setTimeout(() => resolve('refused by something else'), 60_000)
      fetch('https://example.com/').then(() => resolve('answered'), refused)
    })`)
    assert.equal(outcome, 'connect-src')
    assert.deepEqual(asked.filter(isForeign), [])
    await page.close()
  })

  /** Opens the page and records its requests and the browser's errors. Requests to other origins are blocked. */
  async function openReference(
    options: BrowserContextOptions = {},
  ): Promise<{ page: Page; asked: string[]; complaints: string[] }> {
    const look = { viewport: { width: 1440, height: 1000 }, colorScheme: 'light', reducedMotion: 'reduce' } as const
    const page = await browser.newPage({ ...look, ...options })
    page.setDefaultTimeout(120_000)
    const asked: string[] = []
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('websocket', (socket) => asked.push(socket.url()))
    await page.route('**/*', (route) => {
      const url = route.request().url()
      asked.push(url)
      return isForeign(url) ? route.abort() : route.continue()
    })
    await page.goto(`${server.url}/docs`)
    await page.getByRole('heading', { name: 'Partner Interview API' }).waitFor()
    return { page, asked, complaints }
  }

  function isForeign(url: string): boolean {
    return !url.startsWith(`${server.url}/`) && !url.startsWith('data:')
  }
})
