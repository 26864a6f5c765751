import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { inspect } from 'node:util'
import { createClient } from '../../sdk/src/client.ts'
import { ApiError, ConnectionError } from '../../sdk/src/errors.ts'
import type { ClientOptions, Retry } from '../../sdk/src/http.ts'
import { reconcile } from '../../sdk/src/reconcile.ts'
import { engines } from '../../support/engines.ts'
import { finish } from '../../support/results.ts'
import { type Partner, type Service, setWindow, startService } from '../../support/service.ts'
import { selfSigned } from '../../support/tls.ts'
import { listen } from './receiving.ts'

const [engine] = engines
const fields = { title: 'Backend engineer', description: 'Queues.' }

let service: Service
before(async () => {
  assert.ok(engine)
  service = await startService(engine)
})
after(() => service.close())

const clientOf = ({ key }: Partner, options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: service.url, apiKey: key, ...options })

/** A fetch that returns the given responses before it calls the real service, and a clock that only counts. */
function disturbed(...prepared: (Response | Error)[]) {
  const requests: string[] = []
  const waits: number[] = []
  const disturbedFetch: typeof fetch = async (address, options) => {
    requests.push(`${options?.method} ${new URL(String(address)).pathname}`)
    const next = prepared.shift()
    if (next instanceof Error) throw next
    return next ?? fetch(address, options)
  }
  const wait = async (milliseconds: number) => void waits.push(milliseconds)
  return { requests, waits, options: { fetch: disturbedFetch, wait } }
}

describe('every /v1 call against the real service', () => {
  test('templates are created, reused, read, changed and listed', async () => {
    const { templates } = clientOf(await service.partner())
    const first = await templates.create({ ...fields, externalPostingId: 'job-1' })
    assert.equal(first.created, true)
    const again = await templates.create({ ...fields, title: 'Other', externalPostingId: 'job-1' })
    assert.deepEqual(again, { created: false, template: first.template })
    assert.deepEqual(await templates.get(first.template.id), first.template)
    const changed = await templates.update(first.template.id, { externalPostingId: null, whiteboardEnabled: true })
    assert.partialDeepStrictEqual(changed, { externalPostingId: null, whiteboardEnabled: true })
    assert.deepEqual((await templates.page({ limit: 1 })).data, [changed])
  })

  test('an invitation is created and reused', async () => {
    const { templates, invitations } = clientOf(await service.partner())
    const { template } = await templates.create(fields)
    const input = { templateId: template.id, candidate: { email: 'ada@example.com', firstName: 'Ada' } }
    const { created, invitation } = await invitations.create(input)
    assert.equal(created, true)
    assert.equal(invitation.interview.status, 'SCHEDULED')
    assert.deepEqual(await invitations.create(input), { created: false, invitation })
  })

  test('null in an optional field is the same as leaving it out', async () => {
    const { templates, invitations } = clientOf(await service.partner())
    const { template } = await templates.create({ ...fields, externalPostingId: null, whiteboardEnabled: null })
    assert.partialDeepStrictEqual(template, { externalPostingId: null, whiteboardEnabled: false })
    const changed = await templates.update(template.id, { title: 'New', description: null, whiteboardEnabled: null })
    assert.partialDeepStrictEqual(changed, { title: 'New', whiteboardEnabled: false })
    const candidate = { email: 'ada@example.com', firstName: 'Ada', lastName: null }
    const { invitation } = await invitations.create({ templateId: template.id, candidate, expiresInDays: null })
    assert.equal(invitation.candidate.lastName, '')
  })

  test('lists fetch all pages automatically, and stop when the reader does', async () => {
    const partner = await service.partner()
    const { options, requests } = disturbed()
    const { templates } = clientOf(partner, options)
    for (const title of ['one', 'two', 'three', 'four', 'five']) await templates.create({ ...fields, title })
    requests.length = 0
    const titles: string[] = []
    for await (const { title } of templates.list({ limit: 2 })) titles.push(title)
    assert.deepEqual(titles, ['five', 'four', 'three', 'two', 'one'])
    assert.equal(requests.length, 3)
    for await (const { title } of templates.list({ limit: 2 })) if (title === 'four') break
    assert.equal(requests.length, 4)
  })

  test('reconcile finds exactly the results that are missing · RES-1', async () => {
    const partner = await service.partner()
    const finished = []
    for (let day = 1; day <= 5; day += 1) {
      finished.push(await finish(service, partner.organizationId, { completedAt: `2026-02-0${day}T00:00:00.000Z` }))
    }
    const ids = finished.map(({ resultId }) => resultId)
    const client = clientOf(partner)
    const known = new Set([ids[1], ids[3]])
    const missing = await reconcile({ client, since: '2026-02-02T00:00:00Z', has: (id) => known.has(id) })
    assert.deepEqual(
      missing.map(({ resultId }) => resultId),
      [ids[2], ids[4]],
    )
    assert.partialDeepStrictEqual(missing[0], { overallScore: 87.5 })
    const all = await reconcile({ client, since: new Date(0), has: async (id) => ids.includes(id) })
    assert.deepEqual(all, [])
  })

  test('an error response is an error with its status, text and request ID', async () => {
    const { templates } = clientOf(await service.partner({ scopes: ['templates:read'] }))
    const error = await templates.create(fields).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof ApiError)
    assert.equal(error.status, 403)
    assert.equal(error.text, 'API key scope templates:write is required')
    assert.match(String(error.requestId), /^[0-9a-f-]{36}$/)
    assert.match(service.logged(), new RegExp(String(error.requestId)))
    await assert.rejects(templates.get('tpl_1/../x?y'), { status: 404, text: 'Template not found' })
  })

  test('an ID that would lead to another path is rejected before anything is sent', async () => {
    const { options, requests } = disturbed()
    const { templates } = clientOf(await service.partner(), options)
    for (const id of ['', '.', '..', '...']) {
      const expected = { name: 'TypeError', message: `The template ID must not be empty or only dots: '${id}'` }
      await assert.rejects(templates.get(id), expected)
      await assert.rejects(templates.update(id, { title: 'New' }), expected)
    }
    assert.deepEqual(requests, [])
  })

  test('after a 429 the client waits as long as the service says · LIM-1', async () => {
    const partner = await service.partner()
    await setWindow(service.database, partner.keyId, 120)
    const { options, waits } = disturbed()
    const wait = async (milliseconds: number) => {
      waits.push(milliseconds)
      await setWindow(service.database, partner.keyId, 0)
    }
    await clientOf(partner, { ...options, wait }).templates.create(fields)
    assert.equal(waits.length, 1)
    assert.ok(Number.isInteger(waits[0]) && Number(waits[0]) >= 1_000)
  })
})

describe('retries', () => {
  const unavailable = () =>
    new Response('{"error":"Service unavailable"}', { status: 503, headers: { 'retry-after': '5' } })
  const limited = () =>
    new Response('{"error":"API key rate limit exceeded"}', { status: 429, headers: { 'retry-after': '7' } })
  const lost = () => new TypeError('fetch failed')

  test('reads, changes, invitations and mapped templates are retried after a 503 or a lost connection', async () => {
    const partner = await service.partner()
    const { template } = await clientOf(partner).templates.create(fields)
    const candidate = { email: 'eva@example.com', firstName: 'Eva' }
    const calls: ((client: ReturnType<typeof createClient>) => Promise<unknown>)[] = [
      ({ templates }) => templates.get(template.id),
      ({ templates }) => templates.update(template.id, { title: 'New' }),
      ({ templates }) => templates.create({ ...fields, externalPostingId: 'job-9' }),
      ({ invitations }) => invitations.create({ templateId: template.id, candidate }),
      ({ results }) => results.page(),
    ]
    for (const call of calls) {
      const { options, requests, waits } = disturbed(unavailable(), lost(), limited())
      await call(clientOf(partner, options))
      assert.equal(requests.length, 4)
      assert.deepEqual([waits[0], waits[2]], [5_000, 7_000])
      assert.ok(Number(waits[1]) > 0 && Number(waits[1]) < 2_000)
    }
  })

  test('a template without a posting is retried only if it was certainly not created', async () => {
    const partner = await service.partner()
    for (const template of [fields, { ...fields, externalPostingId: null }]) {
      for (const next of [unavailable(), lost()]) {
        const { options, requests } = disturbed(next)
        await assert.rejects(clientOf(partner, options).templates.create(template))
        assert.equal(requests.length, 1)
      }
    }
    const { options, requests } = disturbed(limited())
    await clientOf(partner, options).templates.create(fields)
    assert.equal(requests.length, 2)
  })

  test('other errors are not retried, and nothing is retried forever or after too long a wait', async () => {
    const partner = await service.partner()
    const internal = new Response('{"error":"Internal server error"}', { status: 500 })
    const tomorrow = new Response('{"error":"x"}', { status: 503, headers: { 'retry-after': '86400' } })
    for (const next of [internal, tomorrow]) {
      const { options, requests } = disturbed(next)
      await assert.rejects(clientOf(partner, options).results.page(), ApiError)
      assert.equal(requests.length, 1)
    }
    const { options, requests } = disturbed(...Array.from({ length: 9 }, lost))
    await assert.rejects(clientOf(partner, { ...options, retries: 2 }).results.page(), ConnectionError)
    assert.equal(requests.length, 3)
  })

  test('a date in Retry-After is understood, and a response that is not JSON is an error', async () => {
    const partner = await service.partner()
    const headers = { date: 'Sun, 01 Mar 2026 12:00:00 GMT', 'retry-after': 'Sun, 01 Mar 2026 12:00:09 GMT' }
    const { options, waits } = disturbed(new Response('busy', { status: 503, headers }))
    await clientOf(partner, options).results.page()
    assert.deepEqual(waits, [9_000])
    const page = disturbed(new Response('<html>', { status: 200 }))
    await assert.rejects(clientOf(partner, page.options).results.page(), {
      status: 200,
      text: 'The response is not JSON. Is baseUrl the address of the API?',
    })
  })
})

test('a service that does not respond in time is given up on', async () => {
  const silent = await listen(() => {})
  const client = createClient({ baseUrl: silent.url, apiKey: 'k', timeoutMilliseconds: 20, retries: 0 })
  const error = await client.results.page().catch((thrown: unknown) => thrown)
  assert.ok(error instanceof ConnectionError && error.timedOut)
  assert.match(error.message, /GET http:.*\/v1\/interview-results failed: no response within 0.02 seconds/)
  await silent.close()
})

describe('errors name the cause', () => {
  const messageOf = (baseUrl: string) =>
    createClient({ baseUrl, apiKey: 'k', retries: 0 })
      .results.page()
      .then(
        () => 'it worked',
        (error: Error) => error.message,
      )

  test('a failed connection: the host, the reason and its code', async () => {
    const gone = await listen(() => {})
    await gone.close()
    const client = createClient({ baseUrl: gone.url, apiKey: 'k', retries: 0 })
    const error = await client.results.page().catch((thrown: unknown) => thrown)
    assert.ok(error instanceof ConnectionError)
    const { host } = new URL(gone.url)
    assert.deepEqual([error.host, error.code, error.timedOut], [host, 'ECONNREFUSED', false])
    assert.equal(
      error.message,
      `GET http://${host}/v1/interview-results failed: connection refused, so nothing is listening there (ECONNREFUSED)`,
    )
  })

  test('a broken connection, a server without TLS, an untrusted certificate', async () => {
    const cut = await listen((request) => void request.socket.destroy())
    assert.match(await messageOf(cut.url), /the connection closed before the response was complete/)
    assert.match(await messageOf(cut.url.replace('http:', 'https:')), /does not speak TLS on this port/)
    await cut.close()
    const secure = await listen(() => {}, selfSigned({ names: ['127.0.0.1'] }))
    assert.match(await messageOf(secure.url), /not trusted.*NODE_EXTRA_CA_CERTS=/)
    await secure.close()
  })

  test('an invalid URL and a missing key', () => {
    for (const baseUrl of ['localhost:3000', 'api.example.com', '', 'ftp://x', 'http://']) {
      assert.throws(() => createClient({ baseUrl, apiKey: 'k' }), /baseUrl must be a full address such as https:/)
    }
    for (const apiKey of ['', ' key', 'key\n', 'service_live_…']) {
      assert.throws(
        () => createClient({ baseUrl: service.url, apiKey }),
        /apiKey is missing, or has a space or another/,
      )
    }
  })

  test('a timeout that no timer can keep', () => {
    const create = (timeoutMilliseconds: unknown) =>
      createClient({ baseUrl: service.url, apiKey: 'k', timeoutMilliseconds: timeoutMilliseconds as number })
    const message = 'timeoutMilliseconds must be a whole number from 1 to 2147483647'
    for (const wrong of [2 ** 31, Infinity, NaN, '5', 0, -1, 1.5, null]) {
      assert.throws(() => create(wrong), { name: 'TypeError', message })
    }
    for (const right of [1, 2 ** 31 - 1, undefined]) assert.ok(create(right))
  })

  test('errors that the caller can fix', async () => {
    const { options } = disturbed(
      new Response('{"error":"API key is required"}', { status: 401 }),
      new Response('{"error":"Invalid API key"}', { status: 401 }),
      new Response('{"error":"Request body is too large"}', { status: 413, headers: { 'x-request-id': 'req-1' } }),
      new Response('', { status: 308 }),
    )
    const { results } = clientOf(await service.partner(), options)
    await assert.rejects(results.page(), { text: 'API key is required', message: /X-Service-Api-Key: check .* proxy/ })
    await assert.rejects(results.page(), { text: 'Invalid API key', message: /neither expired nor revoked/ })
    const tooLarge = '413 Request body is too large. The limit is 256 KiB (request req-1)'
    await assert.rejects(results.page(), { text: 'Request body is too large', message: tooLarge })
    await assert.rejects(results.page(), { message: /Redirects are not followed/ })
  })
})

test('a URL that ends in /v1 is the same URL', async () => {
  const partner = await service.partner()
  for (const baseUrl of [`${service.url}/v1`, `${service.url}/v1/`, `${service.url}/`]) {
    assert.deepEqual(await clientOf(partner, { baseUrl }).results.page(), { data: [], nextCursor: null })
  }
})

test('onRetry is called before every wait', async () => {
  const limited = new Response('{"error":"API key rate limit exceeded"}', {
    status: 429,
    headers: { 'retry-after': '7' },
  })
  const { options } = disturbed(limited, new TypeError('fetch failed'))
  const retries: Retry[] = []
  await clientOf(await service.partner(), { ...options, onRetry: (retry) => retries.push(retry) }).results.page()
  const [first, second] = retries
  assert.partialDeepStrictEqual(first, { request: 'GET /v1/interview-results', retry: 1, waitMilliseconds: 7_000 })
  assert.ok(first?.error instanceof ApiError && first.error.status === 429)
  assert.ok(second?.error instanceof ConnectionError && second.retry === 2)
  assert.equal(retries.length, 2)
})

test('redirects are not followed, so the key goes nowhere else', async () => {
  const visited: (string | undefined)[] = []
  const elsewhere = await listen((request, response) => {
    visited.push(request.url)
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  const client = createClient({ baseUrl: `${elsewhere.url}/base/`, apiKey: 'k' })
  await assert.rejects(client.results.page(), { status: 302 })
  assert.deepEqual(visited, ['/base/v1/interview-results'])
  await elsewhere.close()
})

test('neither the client nor its errors show the key · AUTH-11', async () => {
  const partner = await service.partner()
  const { options } = disturbed(new TypeError('fetch failed'))
  const client = clientOf(partner, { ...options, retries: 0 })
  const lost = await client.results.page().catch((thrown: unknown) => thrown)
  const refused = await clientOf({ ...partner, key: `${partner.key}x` })
    .results.page()
    .catch((thrown: unknown) => thrown)
  for (const shown of [client, lost, refused]) {
    for (const text of [inspect(shown, { depth: 9, showHidden: true }), JSON.stringify(shown), String(shown)]) {
      assert.ok(!text.includes(partner.key))
    }
  }
})
