import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { preflight } from '../../server/endpoints/preflight.ts'
import { createDestinationGuard } from '../../server/outbound/destination.ts'
import { secureContextFor } from '../../server/outbound/tls.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { createAuthority, selfSigned } from '../../support/tls.ts'

const day = 24 * 60 * 60 * 1000
const name = 'hooks.example.com'
const authority = createAuthority('An authority we trust')
const from = new Date(Date.now() - 30 * day)

describe('the preflight', () => {
  const started: Receiver[] = []
  const hanging = createServer()
  let hangingPort: number
  before(async () => {
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
    const address = hanging.address()
    assert.ok(address !== null && typeof address === 'object')
    hangingPort = address.port
  })
  after(async () => {
    for (const receiver of started) await receiver.close()
    hanging.close()
  })

  const run = (url: string, addresses = ['127.0.0.1']) => {
    const guard = createDestinationGuard({ resolve: async () => addresses, allowCidrs: ['127.0.0.0/8'] })
    return preflight({ guard, destinationCa: authority.ca, clock: () => new Date() }, url)
  }
  const receiverWith = async (options: Parameters<typeof startReceiver>[0]) => {
    const receiver = await startReceiver(options)
    started.push(receiver)
    return receiver
  }

  test('reads the trusted authorities once, not on every run · ROB-1', async () => {
    const first = secureContextFor(authority.ca)
    await run(`https://${name}:${hangingPort}/`, [])
    assert.equal(secureContextFor(authority.ca), first)
    assert.notEqual(secureContextFor(null), first)
  })

  test('shows the addresses, the protocol and the certificate, and sends nothing · SET-3', async () => {
    const notAfter = new Date(Date.now() + 40.5 * day)
    const receiver = await receiverWith({
      authority,
      certificate: authority.issue({ names: [name], notBefore: from, notAfter }),
    })
    const seen = await run(receiver.url('/events', name))
    const inSeconds = (time: Date) => new Date(Math.floor(time.getTime() / 1000) * 1000).toISOString()
    assert.deepEqual(seen, {
      ok: true,
      detail: null,
      addresses: [{ address: '127.0.0.1', allowed: true, reason: 'allowed by DESTINATION_ALLOW_CIDRS' }],
      tls: {
        ok: true,
        code: null,
        phase: null,
        detail: null,
        protocol: 'TLSv1.3',
        certificate: {
          subject: name,
          issuer: 'An authority we trust',
          validFrom: inSeconds(from),
          validTo: inSeconds(notAfter),
          daysLeft: 40,
        },
      },
    })
    assert.deepEqual([receiver.connections(), receiver.requests.length], [1, 0])
  })

  const problems = [
    {
      what: 'an expired certificate',
      certificate: authority.issue({ names: [name], notBefore: from, notAfter: new Date(Date.now() - 2.5 * day) }),
      code: 'CERT_HAS_EXPIRED',
      detail: 'the certificate has expired',
      shown: { subject: name, daysLeft: -3 },
    },
    {
      what: 'a certificate for another name',
      certificate: authority.issue({ names: ['other.example.com'] }),
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
      detail: `the certificate is not valid for ${name}`,
      shown: { subject: 'other.example.com' },
    },
    {
      what: 'a certificate from an unknown authority',
      certificate: createAuthority('Nobody').issue({ names: [name] }),
      code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      detail: 'the certificate was not issued by a trusted authority, or an intermediate certificate is missing',
      shown: { issuer: 'Nobody' },
    },
    {
      what: 'a self-signed certificate',
      certificate: selfSigned({ names: [name] }),
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      detail: 'the certificate is self-signed',
      shown: { subject: name, issuer: name },
    },
  ]
  for (const { what, certificate, code, detail, shown } of problems) {
    test(`${what} is shown with the problem`, async () => {
      const receiver = await receiverWith({ certificate })
      const { ok, tls } = await run(receiver.url('/', name))
      assert.deepEqual([ok, tls?.ok], [true, false])
      assert.deepEqual([tls?.phase, tls?.code, tls?.detail], ['handshake', code, detail])
      assert.partialDeepStrictEqual(tls?.certificate, shown)
      assert.equal(receiver.requests.length, 0)
    })
  }

  test('a refused destination gets no connection, and every address has its verdict · SET-3 DST-1', async () => {
    const receiver = await receiverWith({ authority, names: [name] })
    const seen = await run(receiver.url('/', name), ['127.0.0.1', '10.0.0.7', '93.184.215.14'])
    assert.deepEqual(seen, {
      ok: false,
      detail: '10.0.0.7 is private (10.0.0.0/8)',
      addresses: [
        { address: '127.0.0.1', allowed: true, reason: 'allowed by DESTINATION_ALLOW_CIDRS' },
        { address: '10.0.0.7', allowed: false, reason: 'private (10.0.0.0/8)' },
        { address: '93.184.215.14', allowed: true, reason: 'public' },
      ],
      tls: null,
    })
    assert.equal(receiver.connections(), 0)
    assert.partialDeepStrictEqual(await run('http://hooks.example.com/'), { ok: false, addresses: [], tls: null })
  })

  test('says so if nothing is listening', async () => {
    const closed = await startReceiver({ authority, names: [name] })
    await closed.close()
    const { ok, tls } = await run(closed.url('/', name))
    assert.equal(ok, true)
    assert.deepEqual(tls, {
      ok: false,
      code: 'ECONNREFUSED',
      phase: 'connect',
      detail: 'the connection was refused',
      protocol: null,
      certificate: null,
    })
  })

  test('a port that never responds times out after five seconds in total', async () => {
    const begun = performance.now()
    const { tls } = await run(`https://${name}:${hangingPort}/`)
    assert.deepEqual([tls?.ok, tls?.phase], [false, 'handshake'])
    assert.ok(performance.now() - begun < 60_000)
  })
})
