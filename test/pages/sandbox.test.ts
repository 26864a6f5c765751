import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { createThumbnailChecker } from '../../server/images/thumbnail-checker.ts'
import { moveInterview } from '../../server/interviews/interviews.ts'
import { samplePortrait, sampleScoring } from '../../server/workflows/sandbox.ts'
import { engines } from '../../support/engines.ts'
import { appUrl, type Partner, type Service, startService } from '../../support/service.ts'
import { fields, here, type Invitation, invite, open } from './journey.ts'

for (const engine of engines) {
  describe(`the sandbox on ${engine.name}`, () => {
    let service: Service
    let partner: Partner
    before(async () => {
      service = await startService(engine)
      partner = await service.partner({ unlimited: true })
    })
    after(() => service.close())

    test('the invitation link opens a page with the template and the candidate, and changes nothing', async () => {
      const invited = await invite(partner, { email: 'visits@example.com' })
      const page = await open(service, invited.inviteUrl)
      assert.equal(page.status, 200)
      assert.match(page.text, /<h1 dir="auto">Senior backend engineer<\/h1>/)
      assert.match(page.text, /Ada Lovelace/)
      assert.equal(await statusOf(invited, 'visits@example.com'), 'SCHEDULED')
      assert.equal(await pictureOf(invited), undefined)
    })

    test('the unchanged form completes the interview with the sample picture', async () => {
      const invited = await invite(partner, { email: 'as-it-is@example.com' })
      const page = await open(service, invited.inviteUrl)
      const sent = await post(invited.inviteUrl, defaultsOf(page.text))
      assert.equal(sent.status, 303)
      assert.equal(new URL(sent.headers.get('location') ?? '', invited.inviteUrl).href, invited.inviteUrl)
      const [result] = await resultsOf(invited)
      assert.equal(result?.overallScore, sampleScoring.weighted_score)
      assert.equal(await pictureOf(invited), samplePortrait.toString('base64'))
      assert.deepEqual(await scoringOf(invited), sampleScoring)

      const done = await open(service, invited.inviteUrl)
      assert.equal(done.status, 200)
      assert.match(done.text, /<h1>Interview completed<\/h1>/)
      assert.ok(done.text.includes(`href="${result?.resultUrl}"`))
      assert.match(done.text, /No webhook was enabled/)
    })

    test('the form is stored as filled in, and the overall score is computed only if its field is empty', async () => {
      const fields = {
        technical_score: '40',
        soft_skills_score: '60.5',
        language_proficiency: '100',
        feedback: ' two\r\nlines ',
        highlights: 'one\r\n\r\n two \r\n',
        suggestions: '',
        duration: '60',
      }
      const computed = await invite(partner, { email: 'computed@example.com' })
      assert.equal((await post(computed.inviteUrl, fields)).status, 303)
      assert.deepEqual(await scoringOf(computed), {
        technical_score: 40,
        technical_feedback: '',
        soft_skills_score: 60.5,
        soft_skills_feedback: '',
        language_proficiency: 100,
        language_proficiency_feedback: '',
        weighted_score: 58.2,
        feedback: 'two\nlines',
        highlights: ['one', 'two'],
        suggestions: [],
        duration: 60,
      })
      const typed = await invite(partner, { email: 'typed@example.com' })
      assert.equal((await post(typed.inviteUrl, { ...fields, weighted_score: '0' })).status, 303)
      assert.equal((await resultsOf(typed))[0]?.overallScore, 0)
    })

    test('completing again changes nothing and shows the existing result', async () => {
      const invited = await invite(partner, { email: 'twice@example.com' })
      assert.equal((await post(invited.inviteUrl, fields())).status, 303)
      const [first] = await resultsOf(invited)
      const again = await post(invited.inviteUrl, { ...fields(), technical_score: '1', picture: '/9j/' })
      assert.equal(again.status, 303)
      assert.deepEqual(await resultsOf(invited), [first])
      assert.equal(await pictureOf(invited), samplePortrait.toString('base64'))
    })

    test('invalid values are named, and nothing is stored', async () => {
      const invited = await invite(partner, { email: 'wrong@example.com' })
      for (const [change, error] of [
        [{ technical_score: '101' }, 'Technical score must be a number between 0 and 100'],
        [{ soft_skills_score: '' }, 'Soft skills score is required'],
        [{ language_proficiency: 'much' }, 'Language score must be a number between 0 and 100'],
        [{ weighted_score: '-1' }, 'Overall score must be a number between 0 and 100'],
        [{ duration: '1.5' }, 'Duration must be an integer between 0 and 1,000,000'],
        [{ feedback: 'x'.repeat(10_001) }, 'Overall feedback must be at most 10,000 characters'],
        [{ highlights: 'x\n'.repeat(51) }, 'Highlights must have at most 50 entries'],
        [{ highlights: 'x\n'.repeat(500_000) }, 'Request body must be a form as a browser sends it'],
        [{ feedback: 'a\0b' }, 'Overall feedback must be text'],
        [{ picture: '<svg>' }, 'Picture must be'],
      ] as const) {
        const response = await post(invited.inviteUrl, { ...fields(), ...change })
        assert.equal(response.status, 400, error)
        assert.ok(response.text.includes(error), response.text)
      }
      assert.equal(await statusOf(invited, 'wrong@example.com'), 'SCHEDULED')
      assert.equal(await pictureOf(invited), undefined)
    })

    test('a rejected form comes back as it was filled in, with what is wrong', async () => {
      const invited = await invite(partner, { email: 'again@example.com' })
      const edited = {
        ...defaultsOf((await open(service, invited.inviteUrl)).text),
        technical_score: '200',
        feedback: 'Typed for <ten> minutes',
        highlights: `${'x'.repeat(1_001)}\nshort`,
      }
      const rejected = await post(invited.inviteUrl, edited)
      assert.equal(rejected.status, 400)
      const said = /role="alert"[^>]*>\s*<p>([^<]*)<\/p>\s*<p class="hint">([^<]*)</.exec(rejected.text)
      assert.deepEqual(said?.slice(1), [
        'Technical score must be a number between 0 and 100; Highlight 1 must be at most 1,000 characters.',
        'Nothing has been sent yet. Your entries are still here.',
      ])
      const shown = { ...edited, feedback: 'Typed for &#60;ten&#62; minutes' }
      assert.deepEqual(defaultsOf(rejected.text), shown)
      const withPicture = await post(invited.inviteUrl, { ...edited, picture: samplePortrait.toString('base64') })
      assert.match(withPicture.text, /but please add your picture again\./)
      const mended = { ...edited, technical_score: '20', highlights: 'short' }
      assert.equal((await post(invited.inviteUrl, mended)).status, 303)
    })

    test('an invalid form for an interview that is over leads to the page that says so', async () => {
      const invited = await invite(partner, { email: 'over@example.com' })
      assert.equal((await post(invited.inviteUrl, fields())).status, 303)
      assert.equal((await post(invited.inviteUrl, { ...fields(), duration: '1.5' })).status, 303)
    })

    test('the body must be a form of limited size', async () => {
      const invited = await invite(partner, { email: 'size@example.com' })
      assert.equal((await open(service, invited.inviteUrl, { method: 'POST' })).status, 400)
      const large = await post(invited.inviteUrl, { ...fields(), picture: 'A'.repeat(2 * 1024 * 1024) })
      assert.equal(large.status, 413)
      for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
        const headers = { 'content-type': type }
        const response = await open(service, invited.inviteUrl, { method: 'POST', headers, body: '{}' })
        assert.equal(response.status, 415, type)
        assert.match(response.text, /Content-Type must be application\/x-www-form-urlencoded/)
      }
      assert.equal(await statusOf(invited, 'size@example.com'), 'SCHEDULED')
    })

    test('an unknown invitation gives a page that says so', async () => {
      const unknown = `${appUrl}/interview/${'A'.repeat(43)}`
      for (const response of [
        await open(service, unknown),
        await post(unknown, fields()),
        await open(service, `${appUrl}/interview/short`),
      ]) {
        assert.equal(response.status, 404)
        assert.match(response.text, /<h1>Invitation not found<\/h1>/)
      }
      assert.equal((await open(service, `${unknown}/status`)).status, 404)
    })

    test('an invitation that is no longer valid gives a page that says so, and accepts no result', async () => {
      const cancelled = await invite(partner, { email: 'cancelled@example.com' })
      await moveInterview(service.database, cancelled.interview.id, 'CANCELLED', service.time.now)
      for (const response of [await open(service, cancelled.inviteUrl), await post(cancelled.inviteUrl, fields())]) {
        assert.equal(response.status, 410)
        assert.match(response.text, /<h1>This invitation is no longer valid<\/h1>/)
        assert.match(response.text, /The interview was canceled\./)
      }
      const expiring = await invite(partner, { email: 'expired@example.com' })
      const now = service.time.now
      service.time.now = new Date(now.getTime() + 31 * 86_400_000)
      try {
        const response = await post(expiring.inviteUrl, fields())
        assert.equal(response.status, 410)
        assert.match(response.text, /It has expired\./)
      } finally {
        service.time.now = now
      }
      assert.deepEqual(await resultsOf(cancelled), [])
      assert.deepEqual(await resultsOf(expiring), [])
    })

    test('hostile text stays text', async () => {
      const hostile = {
        title: '</h1><script>1</script>',
        firstName: '"><img src=x>',
        lastName: "'",
        email: 'h@example.com',
      }
      const invited = await invite(partner, hostile)
      const form = await open(service, invited.inviteUrl)
      await post(invited.inviteUrl, fields())
      const done = await open(service, invited.inviteUrl)
      for (const { text } of [form, done]) {
        assert.doesNotMatch(text, /<script>|<img src=x/)
        assert.match(text, /&#60;\/h1&#62;&#60;script&#62;1/)
      }
    })

    test('only the page’s own script may run, served from this origin', async () => {
      const invited = await invite(partner, { email: 'script@example.com' })
      const { headers, text } = await open(service, invited.inviteUrl)
      const policy = headers.get('content-security-policy') ?? ''
      assert.match(policy, /default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; frame-ancestors 'none'; /)
      assert.match(policy, /; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'$/)
      assert.equal(headers.get('cache-control'), 'no-store')
      const scripts = [...text.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag)
      assert.deepEqual(scripts, ['<script src="sandbox.js" defer>'])
      const script = await open(service, new URL('sandbox.js', invited.inviteUrl).href)
      assert.equal(script.status, 200)
      assert.equal(script.headers.get('content-type'), 'text/javascript; charset=utf-8')
    })

    type Result = { resultUrl: string; overallScore: number }

    async function resultsOf({ id }: Invitation): Promise<Result[]> {
      const polled = await partner.call<{ data: Result[] }>('GET', `/v1/interview-results?invitationId=${id}`)
      return polled.body.data
    }

    async function statusOf({ templateId }: Invitation, email: string): Promise<string> {
      const candidate = { email, firstName: 'Ada', lastName: 'Lovelace' }
      const again = await partner.call<Invitation>('POST', '/v1/interview-invitations', { templateId, candidate })
      assert.equal(again.status, 200)
      return again.body.interview.status
    }

    async function pictureOf({ interview }: Invitation): Promise<string | undefined> {
      const rows = await service.database.query<{ base64: string }>(
        sql`select base64 from thumbnails where interview_id = ${interview.id}`,
      )
      return rows[0]?.base64
    }

    async function scoringOf({ interview }: Invitation): Promise<unknown> {
      const rows = await service.database.query<{ scoring: unknown }>(
        sql`select scoring from results where interview_id = ${interview.id}`,
      )
      return rows[0]?.scoring
    }

    function post(link: string, form: Record<string, string>) {
      return open(service, link, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
    }
  })
}

test('with the sandbox off, none of its pages exist', async () => {
  const [engine] = engines
  assert.ok(engine)
  const service = await startService(engine, { sandbox: false })
  try {
    const { inviteUrl } = await invite(await service.partner())
    for (const link of [inviteUrl, `${inviteUrl}/status`, new URL('sandbox.js', inviteUrl).href]) {
      const response = await open(service, link)
      assert.deepEqual([response.status, response.text], [404, '{"error":"Not found"}'])
    }
    const response = await fetch(here(service, inviteUrl), { method: 'POST', body: new URLSearchParams(fields()) })
    assert.equal(response.status, 404)
    await response.body?.cancel()
  } finally {
    await service.close()
  }
})

test('the sample picture is valid', async () => {
  const checker = createThumbnailChecker({ threads: 1 })
  assert.deepEqual(await checker.check(samplePortrait), { ok: true })
  await checker.close()
})

/** What a browser sends if the form is left unchanged. */
function defaultsOf(page: string): Record<string, string> {
  const inputs = [...page.matchAll(/<input\b([^>]*)>/g)].map(([, attributes = '']) => ({
    name: /\bname="([^"]*)"/.exec(attributes)?.[1],
    value: /\bvalue="([^"]*)"/.exec(attributes)?.[1] ?? '',
    sent: !/type="radio"/.test(attributes) || /\bchecked\b/.test(attributes),
  }))
  const areas = [...page.matchAll(/<textarea\b[^>]*\bname="([^"]*)"[^>]*>\n([^<]*)<\/textarea>/g)]
  return Object.fromEntries([
    ...inputs.flatMap(({ name, value, sent }) => (name && sent ? [[name, value]] : [])),
    ...areas.map(([, name, value]) => [name, value]),
  ])
}
