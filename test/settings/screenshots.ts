/**
 * Writes docs/images: every page of the settings area on a desk and on a phone, in light and dark. With names of views as
 * arguments, only those.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../../support/browser.ts'
import { type Deliveries, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { type Scene, setScene } from './scene.ts'
import { type View, views } from './views.ts'
import { visit } from './visit.ts'

const folder = join(import.meta.dirname, '..', '..', 'docs', 'images')
const sizes = { desk: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } }
const wanted = new Set(process.argv.slice(2))

const [engine] = engines
if (!engine) throw new Error('There is no database to show it on')
await mkdir(folder, { recursive: true })
const deliveries = await startDeliveries(engine, { mailConfigured: true })
const scene = await setScene(deliveries, { results: 90, answersIn: 90 })
const browser = await openBrowser()
try {
  for (const view of views.filter(({ name }) => wanted.size === 0 || wanted.has(name))) {
    await view.given?.(deliveries, scene)
    await take(view, 'light')
    await take(view, 'dark')
  }
} finally {
  await browser.close()
  await deliveries.close()
}

async function take(view: View, colorScheme: 'light' | 'dark'): Promise<void> {
  for (const [size, viewport] of Object.entries(sizes)) {
    const path = join(folder, `${view.name}-${size}${colorScheme === 'dark' ? '-dark' : ''}.png`)
    await takeOne(browser, deliveries, scene, { view, viewport, colorScheme, path })
    process.stdout.write(`${path}\n`)
  }
}

type Shot = { view: View; viewport: { width: number; height: number }; colorScheme: 'light' | 'dark'; path: string }

async function takeOne(browser: Browser, { service }: Deliveries, scene: Scene, shot: Shot): Promise<void> {
  const { view, viewport, colorScheme, path } = shot
  const as = view.signedOut ? {} : { as: scene.admin }
  const options = { ...as, at: view.at(scene), viewport, colorScheme, reducedMotion: 'reduce' } as const
  await using visited = await visit(browser, service, options)
  await view.ready(visited.page)
  await visited.page.screenshot({ path, animations: 'disabled' })
}
