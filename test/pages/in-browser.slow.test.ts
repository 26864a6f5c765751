import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { createThumbnailChecker } from '../../server/images/thumbnail-checker.ts'
import { samplePortrait, sampleScoring } from '../../server/workflows/sandbox.ts'
import { openBrowser } from '../../support/browser.ts'
import { type Deliveries, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { eventually } from '../../support/process.ts'
import type { Partner } from '../../support/service.ts'
import { here, invite, report } from './journey.ts'

const patience = 120_000

describe('the pages in a browser', () => {
  let deliveries: Deliveries
  let partner: Partner
  let browser: Browser
  let shared: string
  before(async () => {
    const [engine] = engines
    assert.ok(engine)
    deliveries = await startDeliveries(engine)
    partner = await deliveries.service.partner({ unlimited: true })
    const { interview } = await invite(partner)
    shared = local((await report(deliveries.service, interview.id, { scoring: sampleScoring })).resultUrl)
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await deliveries?.close()
  })

  test('the shared view fits every width without scrolling sideways, in light and dark', async () => {
    for (const width of [320, 390, 768, 1280]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await using visit = await openPage(shared, { viewport: { width, height: 800 }, colorScheme })
        assert.equal(await sideways(visit.page), 0, `${width} ${colorScheme}`)
        await visit.page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor()
        const bar = visit.page.getByRole('img', { name: 'Soft skills: 84 out of 100' }).locator('.value')
        const track = visit.page.getByRole('img', { name: 'Soft skills: 84 out of 100' })
        const share = ((await bar.boundingBox())?.width ?? 0) / ((await track.boundingBox())?.width ?? 1)
        assert.ok(Math.abs(share - 0.84) < 0.01, `the bar is ${share} long`)
      }
    }
  })

  test('text stands out from its background, in light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await using visit = await openPage(shared, { colorScheme })
      const seen = await visit.page.evaluate<{ text: string; contrast: number }[]>(contrasts)
      assert.ok(seen.length > 20)
      for (const { text, contrast } of seen) assert.ok(contrast >= 4.5, `${colorScheme}, ${contrast}: ${text}`)
    }
  })

  test('the longest words and lists stay inside the page', async () => {
    const { interview } = await invite(partner, {
      firstName: 'W'.repeat(100),
      lastName: 'i'.repeat(100),
      title: 'T'.repeat(200),
      email: 'long@example.com',
    })
    const word = 'x'.repeat(1_000)
    const scoring = {
      ...sampleScoring,
      feedback: word.repeat(10),
      technical_feedback: word,
      highlights: Array(50).fill(word),
      suggestions: [word],
    }
    const { resultUrl } = await report(deliveries.service, interview.id, { scoring })
    await using visit = await openPage(local(resultUrl), { viewport: { width: 390, height: 800 } })
    assert.equal(await sideways(visit.page), 0)
  })

  test('an unknown URL shows a page with a link to the home page, which has the logo and one product name', async () => {
    // Not with openPage(): the browser logs the 404 to its console.
    await using page = await browser.newPage()
    page.setDefaultTimeout(patience)
    await page.goto(`${deliveries.service.url}/nope`)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('heading', { name: 'Partner Interview API' }).waitFor()
    const logo = await page.locator('.logo svg').boundingBox()
    assert.ok(logo && logo.width >= 40, 'the logo is missing')
    const program = await fetch(`${deliveries.service.url}/nope`)
    assert.deepEqual([program.status, await program.json()], [404, { error: 'Not found' }])
    const api = await fetch(`${deliveries.service.url}/settings/api/nope`, { headers: { accept: 'text/html' } })
    assert.match(api.headers.get('content-type') ?? '', /json/)
  })

  test('hostile text is shown as text, and none of it runs', async () => {
    const hostile = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`
    const { interview } = await invite(partner, {
      title: hostile,
      firstName: '<b>Eve</b>',
      lastName: '\u202E',
      email: 'eve@example.com',
    })
    const scoring = { ...sampleScoring, feedback: hostile, highlights: [hostile], suggestions: [hostile] }
    const { resultUrl } = await report(deliveries.service, interview.id, { scoring })
    await using visit = await openPage(local(resultUrl))
    assert.equal(await visit.page.locator('script, img, b').count(), 0)
    assert.equal(await visit.page.getByText(hostile, { exact: true }).count(), 4)
    assert.doesNotMatch(await visit.page.title(), /^taken$/)
  })

  test('the shared view prints on one page', async () => {
    await using visit = await openPage(shared)
    const pdf = await visit.page.pdf({ format: 'A4' })
    assert.equal(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length, 1)
  })

  test('you can play the candidate with your own drawing and watch the event arrive', async () => {
    const subscriber = await deliveries.subscriber()
    const { inviteUrl } = await subscriber.invite()
    const worker = deliveries.startWorker()
    try {
      await using visit = await openPage(local(inviteUrl ?? ''), { viewport: { width: 390, height: 800 } })
      const { page } = visit
      assert.equal(await sideways(page), 0)
      await page.getByLabel('Technical, slider').fill('50')
      assert.equal(await page.locator('#technical_score').inputValue(), '50')
      assert.equal(await page.getByRole('spinbutton', { name: 'Overall' }).getAttribute('placeholder'), '68.4')
      await page.getByRole('radio', { name: 'Draw one' }).check()
      await drawOn(page)
      await page.getByRole('button', { name: 'Complete interview' }).click()
      await page.getByRole('heading', { name: 'Interview completed' }).waitFor()
      await page.getByText('Delivered', { exact: true }).waitFor()
      assert.equal(await sideways(page), 0)

      const event = JSON.parse(String(subscriber.requests[0]?.body))
      assert.equal(event.result.aiAnalysis.scoring.technical_score, 50)
      assert.equal(event.result.aiAnalysis.scoring.weighted_score, 68.4)
      const link = await page.getByRole('link', { name: 'Open result' }).getAttribute('href')
      assert.equal(link, event.resultUrl)
      const picture = Buffer.from(event.thumbnail.dataBase64, 'base64')
      assert.notDeepEqual(picture, samplePortrait)
      await assertMayBeSent(picture)
      await page.goto(local(event.resultUrl))
      await page.getByText('68.4', { exact: true }).waitFor()
    } finally {
      await worker.stop()
    }
  })

  test('the page asks less and less often whether the event has arrived, and not while it is hidden', async () => {
    const { inviteUrl } = await (await deliveries.subscriber()).invite()
    await using visit = await openPage(local(inviteUrl ?? ''))
    const { page } = visit
    await page.addInitScript(`{
      const { setTimeout } = window
      window.waits = []
      window.setTimeout = (run, wait) => {
        waits.push(wait)
        return setTimeout(run, 0)
      }
    }`)
    await page.getByRole('button', { name: 'Complete interview' }).click()
    await page.getByRole('heading', { name: 'Interview completed' }).waitFor()
    assert.ok(await eventually(() => page.evaluate<boolean>('waits.at(-1) === 15_000')))
    assert.equal(await page.evaluate('waits[0]'), 1_000)

    const status = `${local(inviteUrl ?? '')}/status`
    await page.evaluate(`Object.defineProperty(document, 'hidden', { value: true, configurable: true })`)
    // One may be under way.
    const before = await page.evaluate<number>(`fetch('${status}').then(() => waits.length + 1)`)
    for (let index = 0; index < 10; index += 1) await page.evaluate(`fetch('${status}').then(() => undefined)`)
    assert.ok((await page.evaluate<number>('waits.length')) <= before)
    await page.evaluate(`delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))`)
    assert.ok(await eventually(() => page.evaluate<boolean>(`waits.length > ${before}`)))
  })

  test('a form that is rejected loses nothing that was typed', async () => {
    const { inviteUrl } = await (await deliveries.subscriber()).invite()
    // Not with openPage(): the browser logs the 400 to its console.
    await using page = await browser.newPage({ viewport: { width: 390, height: 800 } })
    page.setDefaultTimeout(patience)
    await page.goto(local(inviteUrl ?? ''))
    await page.getByLabel('Technical, slider').fill('50')
    const highlights = page.getByRole('textbox', { name: 'Highlights, one per line' })
    await highlights.fill('x'.repeat(1_001))
    await page.getByRole('button', { name: 'Complete interview' }).click()
    await page.getByRole('alert').getByText('Highlight 1 must be at most 1,000 characters.').waitFor()
    assert.equal(await sideways(page), 0)
    assert.equal(await page.getByRole('spinbutton', { name: 'Technical' }).inputValue(), '50')
    assert.equal(await page.getByRole('spinbutton', { name: 'Overall' }).getAttribute('placeholder'), '68.4')
    assert.equal(await highlights.inputValue(), 'x'.repeat(1_001))
    await highlights.fill('x'.repeat(1_000))
    await page.getByRole('button', { name: 'Complete interview' }).click()
    await page.getByRole('heading', { name: 'Interview completed' }).waitFor()
  })

  test('without JavaScript the form still works, with the sample picture', async () => {
    const subscriber = await deliveries.subscriber()
    const { inviteUrl } = await subscriber.invite()
    await using visit = await openPage(local(inviteUrl ?? ''), { javaScriptEnabled: false })
    const { page } = visit
    assert.equal(await page.getByRole('slider').count(), 0)
    assert.equal(await page.getByRole('radio').count(), 0)
    await page.getByRole('button', { name: 'Complete interview' }).click()
    await page.getByRole('heading', { name: 'Interview completed' }).waitFor()
    const deliveryId = await page.getByText(/^dlv_/).textContent()
    await deliveries.attempt(deliveryId ?? '')
    const event = JSON.parse(String(subscriber.requests[0]?.body))
    assert.equal(event.thumbnail.dataBase64, samplePortrait.toString('base64'))
    assert.equal(event.result.aiAnalysis.scoring.weighted_score, sampleScoring.weighted_score)
  })

  test('if the camera isn’t available the page says so and sends the sample', async () => {
    const subscriber = await deliveries.subscriber()
    const { inviteUrl } = await subscriber.invite()
    await using visit = await openPage(local(inviteUrl ?? ''))
    const { page } = visit
    await page.getByRole('radio', { name: 'Camera' }).check()
    await page.getByText('The camera isn’t available.').waitFor()
    await page.getByRole('button', { name: 'Complete interview' }).click()
    await page.getByRole('heading', { name: 'Interview completed' }).waitFor()
    await deliveries.attempt((await page.getByText(/^dlv_/).textContent()) ?? '')
    const event = JSON.parse(String(subscriber.requests[0]?.body))
    assert.equal(event.thumbnail.dataBase64, samplePortrait.toString('base64'))
  })

  function local(link: string): string {
    return here(deliveries.service, link)
  }

  /** Opens a page in its own context. Any browser error fails the test. */
  async function openPage(url: string, options: BrowserContextOptions = {}) {
    const context = await browser.newContext(options)
    context.setDefaultTimeout(patience)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(url)
    return {
      page,
      async [Symbol.asyncDispose]() {
        await context.close()
        assert.deepEqual(complaints, [])
      },
    }
  }
})

/** By how many pixels the page is wider than the window. */
function sideways(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
}

async function drawOn(page: Page): Promise<void> {
  const canvas = page.locator('canvas')
  await canvas.scrollIntoViewIfNeeded()
  const box = await canvas.boundingBox()
  assert.ok(box)
  await page.mouse.move(box.x + 30, box.y + 30)
  await page.mouse.down()
  await page.mouse.move(box.x + 100, box.y + 120, { steps: 5 })
  await page.mouse.move(box.x + 150, box.y + 40, { steps: 5 })
  await page.mouse.up()
}

async function assertMayBeSent(picture: Buffer): Promise<void> {
  const checker = createThumbnailChecker({ threads: 1 })
  assert.deepEqual(await checker.check(picture), { ok: true })
  await checker.close()
}

// Runs in the page: each piece of text and its contrast with the background.
const contrasts = `(() => {
  const brightness = (color) => {
    const [red, green, blue] = color.match(/[\\d.]+/g).map((part) => {
      const value = part / 255
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const behind = (element) => {
    const { backgroundColor } = getComputedStyle(element)
    return backgroundColor === 'rgba(0, 0, 0, 0)' ? behind(element.parentElement) : backgroundColor
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found = []
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim()
    const element = walker.currentNode.parentElement
    if (text === '') continue
    const style = getComputedStyle(element)
    const front = brightness(element instanceof SVGElement ? style.fill : style.color)
    const back = brightness(behind(element))
    const contrast = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05)
    found.push({ text, contrast: Math.round(contrast * 100) / 100 })
  }
  return found
})()`
