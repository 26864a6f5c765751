import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { type Partner, type Service, startService } from '../../support/service.ts'
import { exchange, type RequestParts, requestText } from '../../support/wire.ts'

const json = { 'content-type': 'application/json' }
const badText = 'must be text without NUL characters or unpaired surrogates'
const manyFields = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`field${index}`, index]))
const firstFields = Object.keys(manyFields).slice(0, 18)
const tooDeep = 'Request body is nested too deeply'
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

const notJson = 'Request body must be valid JSON'
const notObject = 'Request body must be a JSON object'
const otherType = 'Content-Type must be application/json'
const tooLarge = 'Request body is too large'
const type = (value: string) => ({ 'content-type': value })
const chunks = `40001\r\n${'x'.repeat(0x40001)}\r\n0\r\n\r\n`
const named = firstFields.map((name) => `Unknown field: ${name}`).join('; ')

/** Sent to POST /v1/templates, as JSON by default. */
const bodies: [
  name: string,
  body: string | undefined,
  status: number,
  error: string,
  headers?: Record<string, string>,
][] = [
  ['a truncated body', '{"title": "T", ', 400, notJson],
  ['a body of two values', '{} {}', 400, notJson],
  ['an empty body', '', 400, notJson],
  ['a body of whitespace', ' \r\n ', 400, notJson],
  ['no body at all', undefined, 400, notObject, {}],
  ['a list', '[]', 400, notObject],
  ['a text', '"title"', 400, notObject],
  ['null', 'null', 400, notObject],
  ['lists in lists, 16 deep', nested(16), 400, notObject],
  ['lists in lists, 17 deep', nested(17), 400, tooDeep],
  ['lists in lists, 100,000 deep', nested(100_000), 400, tooDeep],
  ['a field 100,000 deep', `{"title": ${nested(100_000)}, "description": "D"}`, 400, tooDeep],
  ['another content type', '{}', 415, otherType, type('text/plain')],
  ['a form', 'x', 415, otherType, type('multipart/form-data; boundary=x')],
  ['a type similar to JSON', '{}', 415, otherType, type('application/jsonx')],
  ['a malformed type', '{}', 415, otherType, type('application/')],
  ['a body without a type', '{}', 415, otherType, {}],
  [
    'a compressed body',
    '{}',
    415,
    'Content-Encoding is not supported: send the body as it is',
    { ...json, 'content-encoding': 'gzip' },
  ],
  ['another charset', '{}', 415, 'charset must be UTF-8', type('application/json; charset=latin1')],
  ['an explicit UTF-8 charset, which is accepted', '[]', 400, notObject, type('application/json; charset="UTF-8"')],
  ['exactly 256 KiB, which is accepted', `{}${' '.repeat(262_142)}`, 400, 'title is required; description is required'],
  ['a body declared too large', undefined, 413, tooLarge, { ...json, 'content-length': '262145' }],
  ['a body that turns out too large', chunks, 413, tooLarge, { ...json, 'transfer-encoding': 'chunked' }],
  ['a NUL in a text', '{"title": "a\\u0000", "description": "D"}', 400, `title ${badText}`],
  ['a lone surrogate', '{"title": "T", "description": "\\udc00\\ud800"}', 400, `description ${badText}`],
  ['numbers for texts', '{"title": 1, "description": ""}', 400, 'title must be a string; description is required'],
  ['a key __proto__', '{"title": "T", "description": "D", "__proto__": {"a": 1}}', 400, 'Unknown field: __proto__'],
  ['a key constructor', '{"title": "T", "description": "D", "constructor": {}}', 400, 'Unknown field: constructor'],
  [
    '10,000 unknown fields',
    JSON.stringify(manyFields),
    400,
    `title is required; description is required; ${named}; and 9982 more`,
  ],
]

const addresses: [name: string, path: string, status: number, error: string][] = [
  ['an unknown route', '/v1/interviews', 404, 'Not found'],
  ['the root of the API', '/v1', 404, 'Not found'],
  ['the root of the API with a slash', '/v1/', 404, 'Not found'],
  ['a route in another case', '/v1/Templates', 404, 'Not found'],
  ['a route outside the API', '/nothing', 404, 'Not found'],
  ['a URL that can’t be decoded', '/v1/templates/%zz', 400, 'Request URL is not valid'],
  ['a URL with a lone surrogate', '/v1/templates/%ed%a0%80', 400, 'Request URL is not valid'],
  ['a URL that can’t be decoded outside the API', '/%ff', 400, 'Request URL is not valid'],
  ['an id with a NUL', '/v1/templates/tpl_%00', 404, 'Template not found'],
  ['an id of 10,000 characters', `/v1/templates/${'t'.repeat(10_000)}`, 404, 'Template not found'],
  ['a NUL in a query', '/v1/templates?externalPostingId=%00', 400, `externalPostingId ${badText}`],
  ['a NUL in a queried id', '/v1/interview-results?templateId=tpl_%00', 404, 'Template not found'],
  ['an unknown query parameter', '/v1/templates?x=1', 400, 'Unknown query parameter: x'],
  ['a query parameter __proto__', '/v1/templates?__proto__=1', 400, 'Unknown query parameter: __proto__'],
  ['a query parameter given twice', '/v1/templates?cursor=a&cursor=b', 400, 'cursor must be a string'],
  ['a limit given twice', '/v1/templates?limit=1&limit=2', 400, 'limit must be an integer between 1 and 100'],
]

/** Some clients send these with every request. They only matter for a body. */
const bodyHeaders: [name: string, headers: Record<string, string>][] = [
  ['a charset', type('application/json; charset=latin1')],
  ['an encoding', { 'content-encoding': 'gzip' }],
  ['a length of zero', { ...type('text/plain; charset=latin1'), 'content-length': '0' }],
]

const methods: [path: string, allow: string, refused: string[]][] = [
  ['/v1/templates', 'POST, GET, HEAD', ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'M-SEARCH']],
  ['/v1/templates/tpl_1', 'GET, HEAD, PATCH', ['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']],
  ['/v1/interview-invitations', 'POST', ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']],
  ['/v1/interview-results', 'GET, HEAD', ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'LINK']],
  ['/healthz', 'GET, HEAD', ['POST', 'OPTIONS']],
]

// Bytes that never become a request.
const broken: [name: string, bytes: string, status: number, error: string][] = [
  ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nhost: example.com\r\n\r\n', 405, 'Method not allowed'],
  ['noise', 'hello\r\n\r\n', 400, 'Request is not valid HTTP'],
  ['a TLS ClientHello', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001', 400, 'Request is not valid HTTP'],
  ['an unknown method', 'FETCH / HTTP/1.1\r\nhost: a\r\n\r\n', 400, 'Request is not valid HTTP'],
  ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', 400, 'Request is not valid HTTP'],
  [
    'two content lengths',
    'POST /v1/templates HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
    400,
    'Request is not valid HTTP',
  ],
  [
    'a content length that is not a number',
    'POST /v1/templates HTTP/1.1\r\nhost: a\r\ncontent-length: x\r\n\r\n',
    400,
    'Request is not valid HTTP',
  ],
  [
    'an invalid chunk',
    'POST /v1/templates HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    400,
    'Request is not valid HTTP',
  ],
  [
    'oversized headers',
    `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
    'Request header fields are too large',
  ],
  [
    'an oversized URL',
    `GET /v1/templates/${'x'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`,
    431,
    'Request header fields are too large',
  ],
]

for (const engine of engines) {
  describe(`framework errors on ${engine.name}`, () => {
    let service: Service
    let partner: Partner
    before(async () => {
      service = await startService(engine)
      partner = await service.partner({ unlimited: true })
    })
    after(() => service.close())

    const withKey = (request: RequestParts) =>
      requestText({ ...request, headers: { 'x-service-api-key': partner.key, ...request.headers } })

    for (const [name, body, status, error, headers = json] of bodies) {
      test(`${name}: ${status} with a single error text · LIM-3 LIM-4`, async () => {
        const request = { method: 'POST', path: '/v1/templates', headers, ...(body !== undefined && { body }) }
        assertRefused(await exchange(service.url, withKey(request)), status, error)
      })
    }

    for (const [name, path, status, error] of addresses) {
      test(`${name}: ${status} with a single error text · LIM-3 LIM-4`, async () => {
        assertRefused(await exchange(service.url, withKey({ path })), status, error)
      })
    }

    for (const [name, headers] of bodyHeaders) {
      test(`${name} without a body is ignored`, async () => {
        const { status } = await exchange(service.url, withKey({ path: '/v1/templates', headers }))
        assert.equal(status, 200)
      })
    }

    test('a path with a trailing slash is the same path', async () => {
      const json = { 'content-type': 'application/json' }
      const listed = await exchange(service.url, withKey({ path: '/v1/templates/?limit=1' }))
      const body = '{"title": "Backend engineer", "description": "Queues"}'
      const created = await exchange(
        service.url,
        withKey({ method: 'POST', path: '/v1/templates/', headers: json, body }),
      )
      const refused = await exchange(
        service.url,
        withKey({ method: 'PUT', path: '/v1/templates/', headers: json, body }),
      )
      assert.deepEqual([listed.status, created.status, refused.status], [200, 201, 405])
    })

    for (const [path, allow, refused] of methods) {
      test(`other methods on ${path}: 405 with Allow · LIM-3`, async () => {
        for (const method of refused) {
          const response = await exchange(service.url, withKey({ method, path, headers: json, body: '{}' }))
          assert.equal(response.headers.get('allow'), allow, method)
          if (method === 'HEAD') assert.equal(response.status, 405)
          else assertRefused(response, 405, 'Method not allowed')
        }
      })
    }

    for (const [name, bytes, status, error] of broken) {
      test(`${name}: ${status} in the usual error format · LIM-3 LIM-4`, async () => {
        const response = await exchange(service.url, bytes)
        assertRefused(response, status, error)
        assert.equal(response.headers.has('allow'), status === 405)
      })
    }

    test('a body that is not UTF-8 is not valid JSON · LIM-3', async () => {
      const head = requestText({
        method: 'POST',
        path: '/v1/templates',
        headers: { ...json, 'content-length': '3', 'x-service-api-key': partner.key },
      })
      const request = Buffer.concat([Buffer.from(head), Buffer.from([0x22, 0xff, 0x22])])
      assertRefused(await exchange(service.url, request), 400, 'Request body must be valid JSON')
    })

    test('the rest of a body that is too large is thrown away, and the connection stays open for a proxy', async () => {
      const { hostname, port } = new URL(service.url)
      const socket = connect(Number(port), hostname).setEncoding('latin1')
      for (const path of ['/v1/templates', '/nothing']) {
        const headers = { ...json, 'content-length': '3000000', 'x-service-api-key': partner.key }
        socket.write(requestText({ method: 'POST', path, headers }))
        const [refused] = await once(socket, 'data')
        assert.match(String(refused), /^HTTP\/1\.1 413/, path)
        assert.doesNotMatch(String(refused), /connection: close/i, path)
        socket.write('x'.repeat(3_000_000))
        socket.write(requestText({ path: '/healthz' }))
        assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 200/, path)
      }
      socket.destroy()
      const huge = { ...json, 'content-length': String(17 * 1024 * 1024) }
      const response = await exchange(service.url, withKey({ method: 'POST', path: '/v1/templates', headers: huge }))
      assert.deepEqual([response.status, response.headers.get('connection')], [413, 'close'])
    })

    for (const expect of ['100-continue', 'a miracle']) {
      test(`a request that expects ${expect} is served`, async () => {
        const response = await exchange(service.url, withKey({ path: '/v1/templates', headers: { expect } }))
        assert.equal(response.status, 200)
      })
    }

    test('a request with an absolute URL or an Upgrade header is served', async () => {
      const absolute = await exchange(service.url, withKey({ path: 'http://test/v1/templates' }))
      assert.equal(absolute.status, 200)
      const headers = { connection: 'upgrade', upgrade: 'websocket' }
      const upgrade = await exchange(service.url, withKey({ path: '/v1/templates', headers }))
      assert.equal(upgrade.status, 200)
    })

    test('a client that resets its connection before the response does not crash the server', async () => {
      const { hostname, port } = new URL(service.url)
      for (const bytes of ['CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n', 'no HTTP at all\r\n\r\n']) {
        for (let count = 0; count < 20; count += 1) {
          const socket = connect(Number(port), hostname)
          await once(socket, 'connect')
          socket.on('error', () => {})
          socket.write(bytes)
          // Some before the server has read the request, some while it responds.
          for (let turn = 0; turn < count % 5; turn += 1) await new Promise(setImmediate)
          socket.resetAndDestroy()
          await once(socket, 'close')
        }
      }
      assert.equal((await exchange(service.url, withKey({ path: '/v1/templates' }))).status, 200)
    })

    test('a valid X-Request-Id is kept, on errors too', async () => {
      for (const id of ['a', 'trace-1_2.3', 'x'.repeat(128)]) {
        for (const path of ['/v1/templates', '/v1/nothing', '/v1/%zz', '/nothing', '/healthz']) {
          const response = await exchange(service.url, withKey({ path, headers: { 'x-request-id': id } }))
          assert.equal(response.headers.get('x-request-id'), id, path)
        }
      }
    })

    test('any other X-Request-Id is replaced', async () => {
      const seen = new Set<string | null>()
      const others = ['', 'two words', 'x'.repeat(129), 'a/b', 'é', 'a, b']
      for (const id of others) {
        const response = await exchange(
          service.url,
          withKey({ path: '/v1/templates', headers: { 'x-request-id': id } }),
        )
        assert.match(response.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
        seen.add(response.headers.get('x-request-id'))
      }
      assert.equal(seen.size, others.length)
    })
  })
}
