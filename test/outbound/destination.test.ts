import assert from 'node:assert/strict'
import diagnosticsChannel from 'node:diagnostics_channel'
import { test } from 'node:test'
import { createDestinationGuard, type Resolve } from '../../server/outbound/destination.ts'
import { destinations, names } from './destination-table.ts'

const resolveFromTable: Resolve = async (hostname) => {
  const addresses = names[hostname]
  if (addresses === undefined) throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' })
  return addresses
}
const guard = createDestinationGuard({ resolve: resolveFromTable, allowCidrs: [] })
const soon = () => AbortSignal.timeout(60_000)

test(`each of ${destinations.length} destinations gets the expected verdict, and vetting opens no connection · DST-1 · DST-3`, async () => {
  assert.ok(destinations.length >= 200)
  let sockets = 0
  const count = () => {
    sockets += 1
  }
  diagnosticsChannel.subscribe('net.client.socket', count)
  const wrong: string[] = []
  for (const [input, expected] of destinations) {
    const vetting = await guard.vet(input, soon())
    const actual = vetting.ok ? `dials ${vetting.destination.address}` : vetting.detail
    if (!matches(actual, expected)) wrong.push(`${JSON.stringify(input)}: ${actual}, not ${expected}`)
  }
  diagnosticsChannel.unsubscribe('net.client.socket', count)
  assert.deepEqual(wrong, [])
  assert.equal(sockets, 0)
})

function matches(actual: string, expected: string): boolean {
  const pattern = expected.split('*').map(RegExp.escape).join('.*')
  return new RegExp(`^${pattern}$`).test(actual)
}

test('a refusal names the address and the reason, and includes the verdict on every address of the name · DST-3', async () => {
  const vetting = await guard.vet('https://mixed-last.example/', soon())
  assert.deepEqual(vetting, {
    ok: false,
    error: 'DESTINATION_REFUSED',
    code: null,
    phase: null,
    detail: '10.0.0.7 is private (10.0.0.0/8)',
    addresses: [
      { address: '93.184.216.34', family: 4, allowed: true, reason: 'public' },
      { address: '10.0.0.7', family: 4, allowed: false, reason: 'private (10.0.0.0/8)' },
    ],
  })
})

test('an accepted destination has the name for TLS and the vetted address · DST-2', async () => {
  const vetting = await guard.vet('https://Dual.Example.:8443/hook?a=1#fragment', soon())
  assert.ok(vetting.ok)
  const { url, ...rest } = vetting.destination
  assert.deepEqual(rest, { hostname: 'dual.example', port: 8443, address: '93.184.216.34', family: 4 })
  assert.equal(url.href, 'https://dual.example:8443/hook?a=1')
  assert.equal(vetting.addresses.length, 2)
})

test('an IP address in the URL is vetted without DNS', async () => {
  const silent = createDestinationGuard({ resolve: () => assert.fail('asked'), allowCidrs: [] })
  const six = await silent.vet('https://[2606:4700:4700::1111]/', soon())
  assert.ok(six.ok)
  assert.equal(six.destination.hostname, '2606:4700:4700::1111')
  assert.equal(six.destination.family, 6)
  assert.equal(six.destination.port, 443)
  assert.equal((await silent.vet('https://localhost/', soon())).ok, false)
})

test('a name is resolved every time, so one that becomes private is refused from then on · DST-2', async () => {
  const answers = [['93.184.216.34'], ['127.0.0.1']]
  const rebinding = createDestinationGuard({ resolve: async () => answers.shift() ?? [], allowCidrs: [] })
  const first = await rebinding.vet('https://rebind.example/', soon())
  const second = await rebinding.vet('https://rebind.example/', soon())
  assert.ok(first.ok)
  assert.equal(first.destination.address, '93.184.216.34')
  assert.equal(second.ok ? null : second.detail, '127.0.0.1 is loopback (127.0.0.0/8)')
})

test('ranges the operator allows are allowed, and nothing else', async () => {
  const allowCidrs = ['10.1.0.0/16', '127.0.0.0/8', 'fd12::/16']
  const opened = createDestinationGuard({ resolve: resolveFromTable, allowCidrs })
  const verdicts: Record<string, boolean> = {
    'https://10.1.255.255/': true,
    'https://10.2.0.0/': false,
    'https://127.0.0.1/': true,
    'https://localhost:8443/': true,
    'https://loopback.example/': true,
    'https://private.example/': false,
    'https://[fd12::1]/': true,
    'https://[fd13::1]/': false,
    'https://[::1]/': false,
    'https://[::ffff:127.0.0.1]/': false,
    'https://[::ffff:10.1.0.1]/': false,
    'https://[::127.0.0.1]/': false,
    'https://[64:ff9b::10.1.0.1]/': false,
    'https://[2002:a01:1::]/': false,
    'https://8.8.8.8/': true,
  }
  for (const [url, allowed] of Object.entries(verdicts)) {
    assert.equal((await opened.vet(url, soon())).ok, allowed, url)
  }
  const loopback = await opened.vet('https://127.0.0.1/', soon())
  assert.equal(loopback.addresses[0]?.reason, 'allowed by DESTINATION_ALLOW_CIDRS')
})

test('allowing all of IPv6 does not allow embedded IPv4 addresses', async () => {
  const opened = createDestinationGuard({ resolve: resolveFromTable, allowCidrs: ['::/0', '::ffff:10.0.0.0/104'] })
  assert.equal((await opened.vet('https://[fd00::1]/', soon())).ok, true)
  assert.equal((await opened.vet('https://[::ffff:10.0.0.7]/', soon())).ok, false)
  assert.equal((await opened.vet('https://10.0.0.7/', soon())).ok, false)
})

test('DNS errors are described in plain words', async () => {
  const details: Record<string, string> = {
    ENOTFOUND: 'the name hooks.example.com does not exist',
    ENODATA: 'the name hooks.example.com has no address',
    ETIMEOUT: 'no name server answered for hooks.example.com',
    ESERVFAIL: 'the name server could not look up hooks.example.com',
    ECONNREFUSED: 'no name server could be reached to look up hooks.example.com',
    EBADRESP: 'the name hooks.example.com could not be looked up',
  }
  for (const [code, detail] of Object.entries(details)) {
    const resolve = async () => Promise.reject(Object.assign(new Error(code), { code }))
    const vetting = await createDestinationGuard({ resolve, allowCidrs: [] }).vet('https://hooks.example.com/', soon())
    assert.deepEqual(vetting, { ok: false, error: 'DNS', code, phase: 'resolve', detail, addresses: [] })
  }
})

test('a name that is not resolved by the deadline is a timeout, even if the resolver never returns · DST-5', async () => {
  const stuck = createDestinationGuard({ resolve: () => new Promise(() => {}), allowCidrs: [] })
  const expected = {
    ok: false,
    error: 'TIMEOUT',
    code: null,
    phase: 'resolve',
    detail: 'the name hooks.example.com was not resolved in time',
    addresses: [],
  }
  assert.deepEqual(await stuck.vet('https://hooks.example.com/', AbortSignal.timeout(30)), expected)
  assert.deepEqual(await stuck.vet('https://hooks.example.com/', AbortSignal.abort()), expected)
})
