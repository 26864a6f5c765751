import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import type { Browser, Locator, Page, Route } from 'playwright-core'
import { openBrowser } from '../../support/browser.ts'
import { type Deliveries, type Subscriber, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { oneTimeCode } from '../../support/one-time-codes.ts'
import { eventually } from '../../support/process.ts'
import type { Service, ServiceOptions } from '../../support/service.ts'
import { type Visit, type VisitOptions, visit } from './visit.ts'

export type Stage = {
  deliveries: Deliveries
  service: Service
  /** An interview whose event is answered with this status, and its delivery. */
  deliver(subscriber: Subscriber, status: number): Promise<string>
  /** A new browser session on the settings page. */
  visit(options?: VisitOptions): Promise<Visit>
}

/** A suite of browser tests that share one service and one browser. */
export function inBrowser(
  name: string,
  define: (stage: () => Stage) => void,
  options: Pick<ServiceOptions, 'mailConfigured'> = {},
): void {
  describe(name, () => {
    let browser: Browser
    let deliveries: Deliveries
    before(async () => {
      const [engine] = engines
      assert.ok(engine)
      deliveries = await startDeliveries(engine, options)
      // The page shows relative times by the browser's clock.
      deliveries.service.time.now = new Date()
      browser = await openBrowser()
    })
    after(async () => {
      await browser?.close()
      await deliveries?.close()
    })
    define(() => {
      const { service } = deliveries
      const deliver = async (subscriber: Subscriber, status: number) => {
        subscriber.answer({ status })
        const { deliveryId } = await subscriber.complete()
        await deliveries.attempt(deliveryId)
        return deliveryId
      }
      return { deliveries, deliver, service, visit: (options) => visit(browser, service, options) }
    })
  })
}

/** Waits until the element with this label or text has focus: it moves there with the next frame, not with the click. */
export async function waitForFocus(page: Page, wanted: string | RegExp): Promise<void> {
  let focused = ''
  const found = await eventually(async () => {
    focused = await page.evaluate<string>(`(() => {
      const { activeElement: element, body } = document
      if (element === body) return ''
      return element.labels?.[0]?.innerText ?? element.getAttribute('aria-label') ?? element.innerText
    })()`)
    return typeof wanted === 'string' ? focused === wanted : wanted.test(focused)
  })
  assert.ok(found, `focus is on ${JSON.stringify(focused)} instead of ${wanted}`)
}

/** Keeps these requests from the service until they are released, or responds to them then with `instead`. */
export async function holdResponse(page: Page, url: RegExp, method: string, instead?: Parameters<Route['fulfill']>[0]) {
  const asked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  let isReleased = false
  await page.route(url, async (route) => {
    if (isReleased || route.request().method() !== method) return route.fallback()
    asked.resolve()
    await released.promise
    await (instead ? route.fulfill(instead) : route.continue())
  })
  return {
    asked: asked.promise,
    release() {
      isReleased = true
      released.resolve()
    },
  }
}

/** Evaluates an expression in the page, in which the located node is called `element`. */
export function inspect(locator: Locator, expression: string): Promise<unknown> {
  const read = new Function('element', `return ${expression}`) as (element: unknown) => unknown
  return locator.evaluate(read)
}

/** The message slides in, so for a moment it may be anywhere. */
export async function waitForNoOverlap(first: Locator, second: Locator): Promise<void> {
  const apart = await eventually(async () => {
    const [a, b] = [await first.boundingBox(), await second.boundingBox()]
    assert.ok(a && b)
    return a.x >= b.x + b.width || b.x >= a.x + a.width || a.y >= b.y + b.height || b.y >= a.y + a.height
  })
  assert.ok(apart)
}

/** Sets up two-step verification with a code from the app, up to its confirmation. */
export async function enterFirstCode(page: Page, password: string): Promise<void> {
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  const secret = await page.getByRole('textbox', { name: 'Key', exact: true }).inputValue()
  await page.getByRole('textbox', { name: 'Code from the app' }).fill(oneTimeCode(secret))
}
