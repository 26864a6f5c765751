import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../../support/browser.ts'
import { type Deliveries, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { type Scene, setScene } from './scene.ts'
import { views } from './views.ts'
import { accessibilityFaults, visit } from './visit.ts'

describe('the settings area for everybody', () => {
  let deliveries: Deliveries
  let scene: Scene
  let browser: Browser
  before(async () => {
    const [engine] = engines
    assert.ok(engine)
    deliveries = await startDeliveries(engine, { mailConfigured: true })
    scene = await setScene(deliveries)
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await deliveries?.close()
  })

  for (const view of views) {
    test(`${view.name}: no violation, in light and dark, on a phone and a desk`, async () => {
      const { service } = deliveries
      const as = view.signedOut ? {} : { as: scene.admin }
      await view.given?.(deliveries, scene)
      await using visited = await visit(browser, service, { ...as, at: view.at(scene) })
      const { page } = visited
      await view.ready(page)
      const faults: string[] = []
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 844 })
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
          const found = await accessibilityFaults(page, colorScheme === 'light' ? 'at everything' : 'at colors')
          faults.push(...found.map((fault) => `${width} ${colorScheme} ${fault}`))
        }
        assert.equal(await sideways(page), 0, `at ${width} the page scrolls sideways`)
      }
      assert.deepEqual(faults, [])
    })
  }

  test('by keyboard alone: past the navigation, into a delivery, and back to its row', async () => {
    const at = `/${scene.organizationId}/deliveries`
    await using visited = await visit(browser, deliveries.service, { as: scene.admin, at })
    const { page } = visited
    const row = page.getByRole('link', { name: 'Grace Hopper' }).first()
    await row.waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    assert.equal(await focused(page), 'content')
    await row.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: /Grace Hopper/ }).waitFor()
    for (let step = 0; step < 12; step += 1) await page.keyboard.press('Tab')
    assert.ok(await page.evaluate(`document.activeElement.closest('[role=dialog]') !== null`), 'the focus stays within')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal(await focused(page), await row.getAttribute('id'))
  })

  test('the colors can be chosen, and stay chosen', async () => {
    const at = `/${scene.organizationId}/activity`
    await using visited = await visit(browser, deliveries.service, { as: scene.admin, at, colorScheme: 'light' })
    const { page } = visited
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await page.reload()
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  })
})

function focused(page: Page): Promise<string> {
  return page.evaluate('document.activeElement.id')
}

function sideways(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}
