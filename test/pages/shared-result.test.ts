import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { sampleScoring } from '../../server/workflows/sandbox.ts'
import { type Deliveries, image, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { appUrl, engineToken, type Partner, type Service } from '../../support/service.ts'
import { type Invitation, invite, open, report } from './journey.ts'

const unknownLink = `${appUrl}/shared/interview-details/${'A'.repeat(43)}`

for (const engine of engines) {
  describe(`the shared result view on ${engine.name}`, () => {
    let deliveries: Deliveries
    let service: Service
    let partner: Partner
    let invited: Invitation
    let link: string
    before(async () => {
      deliveries = await startDeliveries(engine)
      service = deliveries.service
      partner = await service.partner()
      invited = await invite(partner)
      const result = {
        completedAt: '2026-02-27T14:32:00Z',
        scoring: { ...sampleScoring, debug_weights: 'inner workings' },
        analysis: { transcript: [{ text: 'words of the transcript' }], whiteboard: 'strokes of the whiteboard' },
      }
      link = (await report(service, invited.interview.id, result)).resultUrl
    })
    after(() => deliveries.close())

    test('the link from polling opens the view · EVT-6', async () => {
      const polled = await partner.call<{ data: { resultUrl: string }[] }>('GET', '/v1/interview-results')
      const [result] = polled.body.data
      assert.match(result?.resultUrl ?? '', /^https:\/\/interviews\.example\/shared\/interview-details\/[\w-]{43}$/)
      const page = await open(service, result?.resultUrl ?? '')
      assert.equal(page.status, 200)
      assert.match(page.text, /<h1 dir="auto">Ada Lovelace<\/h1>/)
    })

    test('the link from the event opens the view · EVT-6', async () => {
      const subscriber = await deliveries.subscriber()
      const { resultUrl, deliveryId } = await subscriber.complete({
        scoring: { ...sampleScoring, weighted_score: 12.5 },
      })
      await deliveries.attempt(deliveryId)
      const event = JSON.parse(String(subscriber.requests[0]?.body))
      assert.equal(event.resultUrl, resultUrl)
      const page = await open(service, event.resultUrl)
      assert.equal(page.status, 200)
      assert.match(page.text, /aria-label="12\.5 out of 100"/)
    })

    test('it shows the template, the candidate, the completion time, the duration, every score and every text', async () => {
      const { text } = await open(service, link)
      for (const shown of [
        'Senior backend engineer',
        'Ada Lovelace',
        '<time datetime="2026-02-27T14:32:00.000Z">February 27, 2026 at 14:32 UTC</time>',
        '42 min 14 s',
        'aria-label="87.4 out of 100"',
        'aria-label="Technical: 88 out of 100"',
        'aria-label="Soft skills: 84 out of 100"',
        'aria-label="Language: 91 out of 100"',
        'width="84%"',
        sampleScoring.feedback,
        sampleScoring.technical_feedback,
        sampleScoring.soft_skills_feedback,
        sampleScoring.language_proficiency_feedback,
        ...sampleScoring.highlights,
        ...sampleScoring.suggestions,
      ]) {
        assert.ok(text.includes(shown), shown)
      }
    })

    test('it contains nothing from the analysis, no email address and no internal scoring', async () => {
      const { text } = await open(service, link)
      assert.doesNotMatch(text, /transcript|whiteboard|inner workings|debug|ada@example\.com/i)
    })

    test('an incomplete result is not shown, and once it is final the same link shows it', async () => {
      const { interview } = await invite(partner, { email: 'later@example.com' })
      const early = await report(service, interview.id, { scoring: sampleScoring }, '?final=false')
      const hidden = await open(service, early.resultUrl)
      assert.equal(hidden.status, 404)
      assert.doesNotMatch(hidden.text, /Lovelace|87\.4/)
      assert.equal((await report(service, interview.id, { scoring: sampleScoring })).resultUrl, early.resultUrl)
      assert.equal((await open(service, early.resultUrl)).status, 200)
    })

    test('an unknown link gives a page that says so', async () => {
      for (const wrong of [unknownLink, link.slice(0, -1), `${link}x`, `${appUrl}/shared/interview-details/%00`]) {
        const page = await open(service, wrong)
        assert.equal(page.status, 404, wrong)
        assert.match(page.text, /<h1>Result not found<\/h1>/)
      }
    })

    test('the page is private: not cached, not indexed, not framed, no referrer, no script', async () => {
      for (const [name, expected] of [
        [link, 200],
        [unknownLink, 404],
        [`${appUrl}/shared/elsewhere`, 404],
      ] as const) {
        const { status, headers, text } = await open(service, name)
        assert.equal(status, expected)
        assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
        assert.equal(headers.get('cache-control'), 'no-store')
        assert.equal(headers.get('x-robots-tag'), 'noindex, nofollow')
        assert.equal(headers.get('referrer-policy'), 'no-referrer')
        assert.equal(headers.get('x-content-type-options'), 'nosniff')
        assert.equal(headers.get('x-frame-options'), 'DENY')
        assert.match(headers.get('x-request-id') ?? '', /./)
        assert.match(text, /<meta name="robots" content="noindex, nofollow">/)
        assert.doesNotMatch(text, /<script|javascript:|\son\w+=|style="/i)

        const style = /<style>(.*?)<\/style>/s.exec(text)?.[1] ?? ''
        const hash = createHash('sha256').update(style).digest('base64')
        const policy = headers.get('content-security-policy')?.split('; ')
        assert.deepEqual(policy, [
          "default-src 'none'",
          `style-src 'sha256-${hash}'`,
          "base-uri 'none'",
          "frame-ancestors 'none'",
          "form-action 'none'",
        ])
      }
    })

    test('hostile text stays text', async () => {
      const hostile = `</p><script>document.title='taken'</script><img src=x onerror="alert(1)"> & "quoted" 'single'`
      const { interview } = await invite(partner, {
        title: `${hostile} title`,
        firstName: '<b>Eve</b>',
        lastName: '\u202Egnitide"><script>',
        email: 'eve@example.com',
      })
      const scoring = {
        ...sampleScoring,
        feedback: hostile,
        technical_feedback: hostile,
        soft_skills_feedback: hostile,
        language_proficiency_feedback: hostile,
        highlights: [hostile],
        suggestions: [hostile],
      }
      const { resultUrl } = await report(service, interview.id, { scoring })
      const { text } = await open(service, resultUrl)
      assert.doesNotMatch(text, /<script|<img|<b>|onerror="/)
      assert.equal(
        text.split('&#60;script&#62;document.title=&#39;taken&#39;').length - 1,
        8,
        'six texts and two titles',
      )
      assert.doesNotMatch(/<title>(.*?)<\/title>/s.exec(text)?.[1] ?? '\u202E', /\u202E/)
      assert.match(text, /<h1 dir="auto">&#60;b&#62;Eve/)
    })

    test('empty texts and lists have no headings', async () => {
      const { interview } = await invite(partner, { lastName: '', email: 'mononym@example.com' })
      const texts = {
        feedback: '',
        technical_feedback: ' ',
        soft_skills_feedback: '',
        language_proficiency_feedback: '',
      }
      const scoring = { ...sampleScoring, ...texts, highlights: [], suggestions: [], weighted_score: 0, duration: 0 }
      const { resultUrl } = await report(service, interview.id, { scoring })
      const { status, text } = await open(service, resultUrl)
      assert.equal(status, 200)
      assert.doesNotMatch(text, /Overall feedback<|Highlights|Suggestions|<p class="text"|<ul/)
      assert.match(text, /<h1 dir="auto">Ada<\/h1>/)
      assert.match(text, /aria-label="0 out of 100"/)
    })

    test('no route serves the picture or a PDF · EVT-9', async () => {
      assert.equal((await deliveries.uploadImage(invited.interview.id, image)).status, 200)
      const page = await open(service, link)
      assert.doesNotMatch(page.text, /<img|<picture|image\/|\.jpe?g|\.pdf|data:/i)
      const result = link.slice(appUrl.length)
      const { id } = invited.interview
      for (const path of [
        ...['/thumbnail', '/thumbnail.jpg', '/pdf', '.pdf', '.jpg'].map((end) => result + end),
        `/internal/v1/interviews/${id}/thumbnail`,
        `/v1/interviews/${id}/thumbnail`,
        `/v1/interview-results/thumbnail`,
        `/shared/thumbnails/${id}`,
      ]) {
        const headers = { authorization: `Bearer ${path.startsWith('/v1') ? partner.key : engineToken}` }
        const response = await fetch(service.url + path, { headers })
        assert.ok([404, 405].includes(response.status), `${path}: ${response.status}`)
        assert.match(response.headers.get('content-type') ?? '', /^(text\/html|application\/json)/)
        await response.body?.cancel()
      }
    })

    test('the page is read-only', async () => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const response = await open(service, link, { method })
        assert.equal(response.status, 405, method)
        assert.equal(response.headers.get('allow'), 'GET, HEAD')
      }
      const head = await open(service, link, { method: 'HEAD' })
      assert.deepEqual([head.status, head.text], [200, ''])
    })

    test('an internal error is a page, too, and reveals nothing · LIM-4', async () => {
      await service.database.query(
        sql`update results set scoring = 'null'::json where interview_id = ${invited.interview.id}`,
      )
      const page = await open(service, link)
      assert.equal(page.status, 500)
      assert.match(page.text, /<h1>Something went wrong<\/h1>/)
      assert.doesNotMatch(page.text, /TypeError|null|\.ts/)
      assert.match(service.logged(), /request failed/)
      assert.ok(!service.logged().includes(link.slice(-43)), 'the log contains the token')
    })
  })
}
