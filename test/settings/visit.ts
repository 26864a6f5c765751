import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { SignedInMember } from '../../support/members.ts'
import type { Service } from '../../support/service.ts'

/** Somebody at the settings area with a browser of their own. Leaving it fails if the page did what it must not. */
export type Visit = { page: Page; [Symbol.asyncDispose](): Promise<void> }

export type VisitOptions = BrowserContextOptions & {
  /** Signed in already; otherwise nobody is. */
  as?: Pick<SignedInMember, 'cookie'>
  /** An address within /settings. */
  at?: string
}

export async function visit(browser: Browser, service: Service, options: VisitOptions = {}): Promise<Visit> {
  const { as: visitor, at = '', ...wanted } = options
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...wanted })
  if (visitor) await context.addCookies(cookiesOf(service, visitor.cookie))
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  const problems = watch(page, service.url)
  await page.goto(`${service.url}/settings${at}`)
  return {
    page,
    async [Symbol.asyncDispose]() {
      await context.close()
      if (problems.length > 0) throw new Error(`The page is at fault:\n${problems.join('\n')}`)
    },
  }
}

export function cookiesOf(service: Service, header: string) {
  return header.split('; ').map((pair) => {
    const [name = '', ...value] = pair.split('=')
    return { name, value: value.join('='), domain: new URL(service.url).hostname, path: '/', secure: true }
  })
}

/** Errors in the console, whatever breaks the page's policy included, and requests to anywhere else. */
function watch(page: Page, home: string): string[] {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    // The browser itself notes every refusal of the server; the page shows those.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      problems.push(message.text())
    }
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(`${home}/`)) problems.push(`asked for ${request.url()}`)
  })
  return problems
}

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

type Fault = { id: string; help: string; nodes: { html: string; failureSummary: string }[] }

// All that can differ between light and dark.
const ofColors = { runOnly: ['color-contrast', 'link-in-text-block'] }

/** What keeps people with a disability from using the page as it stands, in words. */
export async function accessibilityFaults(page: Page, look: 'at everything' | 'at colors'): Promise<string[]> {
  await page.evaluate(axe)
  await page.evaluate(`Promise.all(document.getAnimations()
    .filter((animation) => animation.effect.getTiming().iterations !== Infinity)
    .map((animation) => animation.finished.catch(() => {})))`)
  const options = JSON.stringify({ resultTypes: ['violations'], ...(look === 'at colors' && ofColors) })
  const faults = await page.evaluate<Fault[]>(`axe.run(${options}).then(({ violations }) => violations)`)
  return faults.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}\n  ${node.html}\n  ${node.failureSummary}`),
  )
}
