import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { createOutbound, type Outbound } from '../../support/outbound.ts'
import { type Receiver, type ReceiverOptions, startReceiver } from '../../support/receiver.ts'
import { createAuthority, selfSigned } from '../../support/tls.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

type Setting = { receiver: Receiver; outbound: Outbound }

async function start(context: TestContext, options: ReceiverOptions = {}): Promise<Setting> {
  const receiver = await startReceiver(options)
  const outbound = createOutbound({ ca: receiver.ca })
  context.after(async () => {
    await outbound.close()
    await receiver.close()
  })
  return { receiver, outbound }
}

test('the request arrives byte for byte, with its headers and our version, and SNI and Host have the name · DST-2', async (context) => {
  const { receiver, outbound } = await start(context)
  receiver.answer({ status: 202, body: 'thanks' })
  const body = randomBytes(1_340_000)
  const headers = { 'Content-Type': 'application/json', 'X-Service-Event': 'result.completed' }
  const result = await outbound.send(receiver.url('/hook?a=1#fragment', 'hooks.example.com'), { body, headers })

  assert.equal(result.error, null)
  assert.equal(result.status, 202)
  assert.equal(result.detail, null)
  assert.equal(result.address, '127.0.0.1')
  assert.equal(result.answer.toString(), 'thanks')
  const [request] = receiver.requests
  assert.ok(request)
  assert.equal(request.method, 'POST')
  assert.equal(request.url, '/hook?a=1')
  assert.equal(request.servername, 'hooks.example.com')
  assert.ok(request.body.equals(body))
  assert.deepEqual(request.rawHeaders, [
    ...['host', `hooks.example.com:${receiver.port}`, 'connection', 'keep-alive'],
    ...['user-agent', `PartnerInterview/${version}`],
    ...['Content-Type', 'application/json', 'X-Service-Event', 'result.completed', 'content-length', '1340000'],
  ])
})

test('a large body arrives complete, with its length and not chunked', async (context) => {
  const { receiver, outbound } = await start(context)
  const body = randomBytes(300_000)
  await outbound.send(receiver.url(), { body })
  const [request] = receiver.requests
  assert.ok(request?.body.equals(body))
  assert.equal(request?.headers['content-length'], '300000')
  assert.equal(request?.headers['transfer-encoding'], undefined)
})

test('an IP address as host is dialed without SNI, and its certificate must be for the address', async (context) => {
  const { receiver, outbound } = await start(context, { names: ['127.0.0.1'] })
  const result = await outbound.send(receiver.url('/', '127.0.0.1'))
  assert.equal(result.error, null)
  assert.equal(receiver.requests[0]?.servername, null)
  assert.equal(receiver.requests[0]?.headers.host, `127.0.0.1:${receiver.port}`)

  const other = await start(context, { names: ['localhost', '127.0.0.2'] })
  assert.equal((await other.outbound.send(other.receiver.url('/', '127.0.0.1'))).error, 'TLS')
})

test('an IPv6 address as host works the same way', async (context) => {
  const setting = await start(context, { host: '::1', names: ['::1'] }).catch((error) => error)
  if (setting instanceof Error) return context.skip('this machine has no IPv6')
  const result = await setting.outbound.send(setting.receiver.url('/', '[::1]'))
  assert.equal(result.error, null)
  assert.equal(result.address, '::1')
  assert.equal(setting.receiver.requests[0]?.headers.host, `[::1]:${setting.receiver.port}`)
})

test('each class of status has its outcome, and redirects are not followed · DST-4', async (context) => {
  const { receiver, outbound } = await start(context)
  const elsewhere = await startReceiver()
  context.after(elsewhere.close)
  const outcomes: Record<number, string | null> = {
    200: null,
    201: null,
    204: null,
    299: null,
    300: 'HTTP_3XX',
    301: 'HTTP_3XX',
    302: 'HTTP_3XX',
    303: 'HTTP_3XX',
    304: 'HTTP_3XX',
    307: 'HTTP_3XX',
    308: 'HTTP_3XX',
    400: 'HTTP_4XX',
    401: 'HTTP_4XX',
    404: 'HTTP_4XX',
    410: 'HTTP_4XX',
    429: 'HTTP_4XX',
    500: 'HTTP_5XX',
    502: 'HTTP_5XX',
    503: 'HTTP_5XX',
    599: 'HTTP_5XX',
    600: 'NETWORK',
  }
  for (const [status, error] of Object.entries(outcomes)) {
    for (const location of [elsewhere.url(), 'https://169.254.169.254/latest/meta-data']) {
      receiver.answer({ status: Number(status), headers: { location } })
      const result = await outbound.send(receiver.url())
      assert.equal(result.status, Number(status))
      assert.equal(result.error, error, status)
    }
  }
  assert.equal(elsewhere.connections(), 0)
})

test('the first 1 KiB of the response is stored, and a compressed response is not decompressed', async (context) => {
  const { receiver, outbound } = await start(context)
  receiver.answer({ status: 400, body: 'x'.repeat(5000) })
  assert.equal((await outbound.send(receiver.url())).answer.toString(), 'x'.repeat(1024))

  const compressed = randomBytes(500)
  receiver.answer({ headers: { 'content-encoding': 'gzip' }, body: compressed })
  const result = await outbound.send(receiver.url())
  assert.equal(result.error, null)
  assert.ok(result.answer.equals(compressed))
  assert.equal(receiver.requests[0]?.headers['accept-encoding'], undefined)
})

test('the phases of a new connection are timed, and a reused one is not dialed', async (context) => {
  const { receiver, outbound } = await start(context)
  const first = (await outbound.send(receiver.url())).timing
  assert.ok(first.connect !== null && first.tls !== null && first.firstByte !== null)
  assert.ok(first.connect > 0 && first.tls > 0 && first.firstByte > 0)
  assert.ok(first.total >= first.connect + first.tls + first.firstByte)
  assert.equal(first.dns, null)

  const second = (await outbound.send(receiver.url())).timing
  assert.deepEqual([second.connect, second.tls], [null, null])
  assert.ok(second.firstByte !== null && second.total >= second.firstByte)
})

test('a rejected certificate is a TLS failure with its code and a plain description', async (context) => {
  const authority = createAuthority()
  const outbound = createOutbound({ ca: authority.ca })
  context.after(outbound.close)
  const name = 'hooks.example.com'
  const year = 365 * 24 * 60 * 60 * 1000
  const now = Date.now()
  const past = { notBefore: new Date(now - 2 * year), notAfter: new Date(now - year) }
  const future = { notBefore: new Date(now + year), notAfter: new Date(now + 2 * year) }
  const wrongName = ['ERR_TLS_CERT_ALTNAME_INVALID', /^the certificate is not valid for hooks\.example\.com$/] as const
  const cases: [ReceiverOptions, string, RegExp][] = [
    [{ certificate: selfSigned({ names: [name] }) }, 'DEPTH_ZERO_SELF_SIGNED_CERT', /^the certificate is self-signed$/],
    [{ authority: createAuthority('Another') }, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', /not issued by a trusted authority/],
    [{ certificate: authority.issue({ names: [name], ...past }) }, 'CERT_HAS_EXPIRED', /^the certificate has expired$/],
    [{ certificate: authority.issue({ names: [name], ...future }) }, 'CERT_NOT_YET_VALID', /is not valid yet$/],
    [{ certificate: authority.issue({ names: ['other.example.com'] }) }, ...wrongName],
    [{ certificate: authority.issue({ names: ['127.0.0.1'] }) }, ...wrongName],
  ]
  for (const [options, code, detail] of cases) {
    const receiver = await startReceiver(options)
    // Twice, because a failed session must not be resumed the second time.
    for (let round = 1; round <= 2; round += 1) {
      const result = await outbound.send(receiver.url('/', name))
      assert.deepEqual([result.error, result.code, result.phase], ['TLS', code, 'handshake'])
      assert.match(result.detail ?? '', detail)
      assert.equal(result.status, null)
    }
    assert.equal(receiver.requests.length, 0)
    await receiver.close()
  }
})

test('a private CA is trusted only if it was added', async (context) => {
  const { receiver, outbound } = await start(context)
  const strict = createOutbound()
  context.after(strict.close)
  assert.equal((await outbound.send(receiver.url())).error, null)
  assert.equal((await strict.send(receiver.url())).error, 'TLS')
})

test('environment variables can neither add a proxy nor disable certificate checks · DST-7', async (context) => {
  const receiver = await startReceiver()
  context.after(receiver.close)
  let proxied = 0
  const proxy = createServer((socket) => {
    proxied += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  context.after(() => proxy.close())
  const address = proxy.address()
  assert.ok(address !== null && typeof address === 'object')

  const url = `http://127.0.0.1:${address.port}`
  const proxies = { HTTPS_PROXY: url, https_proxy: url, HTTP_PROXY: url, http_proxy: url, ALL_PROXY: url, NO_PROXY: '' }
  const script = `
    import { createOutbound } from ${JSON.stringify(import.meta.resolve('../../support/outbound.ts'))}
    const trusting = createOutbound({ ca: ${JSON.stringify(receiver.ca)} }), strict = createOutbound()
    const results = [await trusting.send(${JSON.stringify(receiver.url())}), await strict.send(${JSON.stringify(receiver.url())})]
    console.log(JSON.stringify(results.map((result) => result.error)))
    process.exit()
  `
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, ...proxies, NODE_USE_ENV_PROXY: '1', NODE_TLS_REJECT_UNAUTHORIZED: '0' },
  })
  assert.deepEqual(JSON.parse(stdout), [null, 'TLS'])
  assert.equal(receiver.requests.length, 1)
  assert.equal(proxied, 0)
})

test('a header that can’t be sent is our own bug and throws', async (context) => {
  const { receiver, outbound } = await start(context)
  await assert.rejects(outbound.send(receiver.url(), { headers: { 'X-Bad': 'a\r\nb: c' } }), /invalid X-Bad header/)
  assert.equal((await outbound.send(receiver.url())).error, null)
})
