import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { engines } from '../../support/engines.ts'
import { eventually } from '../../support/process.ts'
import { engineToken, type Partner, type Service, startService } from '../../support/service.ts'
import { exchange, requestText } from '../../support/wire.ts'

const script = '/docs/js/scalar.js'
const mebibyte = 1024 * 1024

const [engine] = engines
assert.ok(engine)

describe('requests from strangers', () => {
  let service: Service
  let partner: Partner
  before(async () => {
    service = await startService(engine)
    partner = await service.partner()
  })
  after(() => service.close())

  for (const [name, bytes] of [
    ['QUERY without a type', 'QUERY / HTTP/1.1\r\nhost: a\r\n\r\n'],
    ['QUERY with a body without a type', 'QUERY /docs HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n{}'],
    ['an unclosed bracket as host', 'GET /docs HTTP/1.1\r\nhost: [\r\n\r\n'],
    ['an empty host', 'GET /docs/ HTTP/1.1\r\nhost: \r\n\r\n'],
    ['a host with a path', 'GET /healthz HTTP/1.1\r\nhost: a/b\r\n\r\n'],
    ['two hosts', 'GET /healthz HTTP/1.1\r\nhost: a\r\nHost: b\r\n\r\n'],
    ['the same host twice', 'GET /v1/templates HTTP/1.1\r\nhost: a\r\nhost: a\r\n\r\n'],
  ]) {
    test(`${name}: 400 · ROB-2`, async () => {
      assert.equal((await exchange(service.url, bytes ?? '')).status, 400)
    })
  }

  test('an invalid forwarded protocol changes nothing · ROB-2', async () => {
    for (const path of ['/docs', '/docs/', '/settings', '/']) {
      const { status } = await fetch(service.url + path, { headers: { 'x-forwarded-proto': '1.0.0' } })
      assert.equal(status, 200, path)
    }
  })

  test('a truncated body is not a server error', async () => {
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    const headers = { origin: service.url, 'content-type': 'application/json', 'content-length': '100' }
    socket.write(requestText({ method: 'POST', path: '/settings/api/sign-in', headers, body: '{"email"' }))
    await once(socket, 'connect')
    assert.ok(await eventually(async () => socket.bytesWritten > 0))
    socket.destroy()
    assert.ok(await eventually(async () => service.logged().includes('/settings/api/sign-in')))
    assert.doesNotMatch(service.logged(), /"level":(50|60)/)
  })

  /** The link to the sandbox page of a new interview. */
  async function invite(email: string): Promise<string> {
    const fields = { title: 'T', description: 'D' }
    const { body: template } = await partner.call<{ id: string }>('POST', '/v1/templates', fields)
    const { body: invitation } = await partner.call<{ inviteUrl: string }>('POST', '/v1/interview-invitations', {
      templateId: template.id,
      candidate: { email, firstName: 'Ada' },
    })
    return invitation.inviteUrl
  }

  test('a megabyte of form fields is free without an invitation and cheap with one · ROB-1', async () => {
    const { pathname } = new URL(await invite('ada@example.com'))
    const started = process.cpuUsage()
    for (const [path, body, status] of [
      ['/interview/x', 'a&'.repeat(mebibyte - 1), 404],
      [pathname, 'a&'.repeat(mebibyte - 1), 400],
      [pathname, `feedback=${'+'.repeat(2 * mebibyte - 100)}`, 400],
      [pathname, `feedback=${'%'.repeat(2 * mebibyte - 100)}`, 400],
    ] as const) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const response = await fetch(service.url + path, { method: 'POST', headers, body })
      assert.equal(response.status, status)
      await response.body?.cancel()
    }
    assert.ok(process.cpuUsage(started).user < 2_000_000, `${process.cpuUsage(started).user} µs`)
  })

  test('a form with more fields than the page has is rejected as a whole · ROB-1', async () => {
    const body = Array.from({ length: 33 }, (_, index) => `f${index}=1`).join('&')
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const url = service.url + new URL(await invite('grace@example.com')).pathname
    const response = await fetch(url, { method: 'POST', headers, body })
    assert.equal(response.status, 400)
    assert.match(await response.text(), /a form as a browser sends it/)
  })

  test('a long sign-in request is rejected before it is read · ROB-1', async () => {
    const body = JSON.stringify({ email: 'x'.repeat(20_000), password: 'x' })
    const headers = { origin: service.url, 'content-type': 'application/json' }
    const { status } = await fetch(`${service.url}/settings/api/sign-in`, { method: 'POST', headers, body })
    assert.equal(status, 413)
  })

  test('a query with thousands of parameters is rejected like one with a few · ROB-1', async () => {
    const query = Array.from({ length: 2_000 }, (_, index) => `a${index}`).join('&')
    const response = await partner.call<{ error: string }>('GET', `/v1/templates?${query}`)
    assert.equal(response.status, 400)
    assert.match(response.body.error, /^Unknown query parameter: a0; .*; and 44 more$/)
  })

  test('an Origin with another protocol is a different origin', async () => {
    const { host } = new URL(service.url)
    const attempt = (headers: Record<string, string>) =>
      exchange(
        service.url,
        requestText({ method: 'POST', path: '/settings/api/sign-in', headers: { host, ...headers } }),
      )
    assert.equal((await attempt({ origin: `https://${host}` })).status, 403)
    assert.equal((await attempt({ origin: `http://${host}` })).status, 400)
    assert.equal((await attempt({ origin: `https://${host}`, 'x-forwarded-proto': 'https' })).status, 400)
  })

  test('a result with a million values is rejected quickly, and a long one with few values is accepted · ROB-1', async () => {
    const report = async (body: string) => {
      const headers = { authorization: `Bearer ${engineToken}`, 'content-type': 'application/json' }
      const path = '/internal/v1/interviews/int_01m7efx4xwfztrm1s20bva7r58/result'
      const response = await fetch(service.url + path, { method: 'PUT', headers, body })
      return [response.status, JSON.parse(await response.text()).error]
    }
    const started = process.cpuUsage()
    const tooMany = [400, 'Request body has too many values']
    assert.deepEqual(await report(`{"analysis":{"a":[${'[],'.repeat(2_700_000)}1]}}`), tooMany)
    assert.deepEqual(await report(`{"scoring":{"highlights":[${'0,'.repeat(1_000_000)}0]}}`), tooMany)
    const [, error] = await report(`{"scoring":{"highlights":[${'0,'.repeat(49_000)}0]}}`)
    assert.match(error, /scoring\.highlights must have at most 50 entries/)
    assert.ok(process.cpuUsage(started).user < 1_500_000, `${process.cpuUsage(started).user} µs`)
  })

  test('every response forbids caching and content sniffing unless it may be cached', async () => {
    for (const path of ['/', '/v1/templates', '/v1/%zz', '/nothing', '/healthz', '/internal/v1/x', '/interview/x']) {
      const { headers, body } = await fetch(service.url + path)
      await body?.cancel()
      assert.equal(headers.get('cache-control'), 'no-store', path)
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
    }
    const { headers } = await partner.call('GET', '/v1/templates')
    assert.equal(headers.get('cache-control'), 'no-store')
    const broken = await exchange(service.url, 'no HTTP\r\n\r\n')
    assert.equal(broken.headers.get('cache-control'), 'no-store')
    assert.equal(broken.headers.get('x-content-type-options'), 'nosniff')
    for (const path of [script, '/openapi.json', '/settings', '/interview/sandbox.js']) {
      const { headers, body } = await fetch(service.url + path)
      await body?.cancel()
      assert.equal(headers.get('cache-control'), 'no-cache', path)
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
    }
  })

  test('the reference page has a new nonce each time', async () => {
    const nonces = new Set<string>()
    for (let count = 0; count < 3; count += 1) {
      const response = await fetch(`${service.url}/docs`)
      const [, nonce = ''] = /'nonce-([\w-]+)'/.exec(response.headers.get('content-security-policy') ?? '') ?? []
      assert.ok((await response.text()).includes(`nonce="${nonce}"`))
      nonces.add(nonce)
    }
    assert.equal(nonces.size, 3)
  })

  test('hundreds of clients that request the largest file without reading it share one copy · ROB-3', async () => {
    await (await fetch(service.url + script)).arrayBuffer()
    const { hostname, port } = new URL(service.url)
    const before = process.memoryUsage().arrayBuffers
    const sockets = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const socket = connect(Number(port), hostname)
        socket.write(requestText({ path: script }))
        await once(socket, 'readable')
        return socket
      }),
    )
    // Includes what these clients have read themselves.
    const grown = process.memoryUsage().arrayBuffers - before
    assert.ok(grown < 100 * mebibyte, `${Math.round(grown / mebibyte)} MiB`)
    for (const socket of sockets) socket.destroy()
  })

  test('large files are sent compressed, and not at all if the browser has them', async () => {
    const ask = async (headers: Record<string, string>) => {
      const response = await exchangeBytes(service.url, requestText({ path: script, headers }))
      return { ...response, encoding: response.headers.get('content-encoding') }
    }
    const plain = await ask({})
    const brotli = await ask({ 'accept-encoding': 'gzip, deflate, br, zstd' })
    const gzip = await ask({ 'accept-encoding': 'br;q=0, gzip;q=0.5' })
    assert.deepEqual([plain.encoding, brotli.encoding, gzip.encoding], [null, 'br', 'gzip'])
    assert.ok(plain.body.equals(brotliDecompressSync(brotli.body)))
    assert.ok(plain.body.equals(gunzipSync(gzip.body)))
    assert.equal(brotli.headers.get('vary'), 'accept-encoding')
    const etag = brotli.headers.get('etag') ?? ''
    assert.notEqual(etag, plain.headers.get('etag'))
    const again = await fetch(service.url + script, { headers: { 'if-none-match': etag, 'accept-encoding': 'br' } })
    assert.equal(again.status, 304)
  })
})

/** fetch would decompress the body. */
async function exchangeBytes(url: string, request: string): Promise<{ headers: Headers; body: Buffer }> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(request.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'))
  const received = Buffer.concat(await Array.fromAsync(socket))
  const end = received.indexOf('\r\n\r\n')
  const lines = received.subarray(0, end).toString().split('\r\n').slice(1)
  const headers = new Headers(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  )
  return { headers, body: received.subarray(end + 4) }
}
