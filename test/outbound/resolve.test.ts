import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createDestinationGuard } from '../../server/outbound/destination.ts'
import { createResolver } from '../../server/outbound/resolve.ts'
import { type NameAnswer, startNameServer } from '../../support/name-server.ts'

const soon = () => AbortSignal.timeout(60_000)
const six = '2606:2800:220:1:248:1893:25c8:1946'

const zone: Record<string, NameAnswer> = {
  'A dual.example': [
    { type: 'A', address: '93.184.216.34' },
    { type: 'A', address: '93.184.216.35' },
  ],
  'AAAA dual.example': [{ type: 'AAAA', address: six }],
  'A four.example': [{ type: 'A', address: '93.184.216.34' }],
  'AAAA four.example': [],
  'AAAA six.example': [{ type: 'AAAA', address: six }],
  'A six.example': [],
  'A alias.example': [
    { type: 'CNAME', target: 'next.example' },
    { type: 'CNAME', target: 'internal.example' },
    { type: 'A', address: '10.0.0.7' },
  ],
  'AAAA alias.example': [
    { type: 'CNAME', target: 'next.example' },
    { type: 'CNAME', target: 'internal.example' },
  ],
  'A stumbling.example': [{ type: 'A', address: '93.184.216.34' }],
  'AAAA stumbling.example': 'SERVFAIL',
  'A empty.example': [],
  'AAAA empty.example': [],
  'A broken.example': 'SERVFAIL',
  'AAAA broken.example': [],
  'A silent.example': 'silence',
  'AAAA silent.example': 'silence',
}

test('both address families are queried, and aliases are followed', async (context) => {
  const server = await startNameServer((type, name) => zone[`${type} ${name}`] ?? 'NXDOMAIN')
  context.after(server.close)
  const resolve = createResolver({ servers: [server.address] })

  assert.deepEqual(await resolve('dual.example', soon()), ['93.184.216.34', '93.184.216.35', six])
  assert.deepEqual(server.questions.sort(), ['A dual.example', 'AAAA dual.example'])
  assert.deepEqual(await resolve('four.example', soon()), ['93.184.216.34'])
  assert.deepEqual(await resolve('six.example', soon()), [six])
  assert.deepEqual(await resolve('alias.example', soon()), ['10.0.0.7'])
  assert.deepEqual(await resolve('stumbling.example', soon()), ['93.184.216.34'])
})

test('an alias for a private address is refused like the address itself · DST-3', async (context) => {
  const server = await startNameServer((type, name) => zone[`${type} ${name}`] ?? 'NXDOMAIN')
  context.after(server.close)
  const guard = createDestinationGuard({ resolve: createResolver({ servers: [server.address] }), allowCidrs: [] })

  const details: Record<string, string> = {
    'alias.example': '10.0.0.7 is private (10.0.0.0/8)',
    'unknown.example': 'the name unknown.example does not exist',
    'empty.example': 'the name empty.example has no address',
    'broken.example': 'the name server could not look up broken.example',
  }
  for (const [name, detail] of Object.entries(details)) {
    const vetting = await guard.vet(`https://${name}/`, soon())
    assert.equal(vetting.ok ? null : vetting.detail, detail)
  }
})

test('a silent name server delays nobody beyond the deadline, and other names not at all · DST-5', async (context) => {
  const server = await startNameServer((type, name) => zone[`${type} ${name}`] ?? 'NXDOMAIN')
  context.after(server.close)
  const resolve = createResolver({ servers: [server.address] })
  const guard = createDestinationGuard({ resolve, allowCidrs: [] })

  let ended = 0
  const silent = Array.from({ length: 50 }, async () => {
    const vetting = await guard.vet('https://silent.example/', AbortSignal.timeout(600))
    ended += 1
    return vetting
  })
  const other = await guard.vet('https://four.example/', soon())
  assert.ok(other.ok)
  assert.equal(ended, 0)
  for (const vetting of await Promise.all(silent)) assert.equal(vetting.ok ? null : vetting.error, 'TIMEOUT')

  await assert.rejects(resolve('silent.example', AbortSignal.timeout(50)), { code: 'ECANCELLED' })
  await assert.rejects(resolve('four.example', AbortSignal.abort()), { name: 'AbortError' })
})

test('a lost query is repeated within the deadline', async (context) => {
  let asked = 0
  const server = await startNameServer((type) => {
    if (type === 'AAAA') return []
    asked += 1
    return asked === 1 ? 'silence' : [{ type: 'A', address: '93.184.216.34' }]
  })
  context.after(server.close)
  const resolve = createResolver({ servers: [server.address] })
  assert.deepEqual(await resolve('lossy.example', soon()), ['93.184.216.34'])
  assert.equal(asked, 2)
})

test('a name in the hosts file resolves to its entry there', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'hosts-'))
  context.after(() => rm(folder, { recursive: true }))
  const hostsFile = join(folder, 'hosts')
  await writeFile(hostsFile, '# private\r\n10.0.0.7\tReceiver.test receiver # the old one\nfd00::7 receiver.test\n\n')
  const server = await startNameServer(() => 'NXDOMAIN')
  context.after(server.close)
  const resolve = createResolver({ servers: [server.address], hostsFile })

  assert.deepEqual(await resolve('receiver.test', soon()), ['10.0.0.7', 'fd00::7'])
  assert.deepEqual(await resolve('receiver', soon()), ['10.0.0.7'])
  assert.deepEqual(server.questions, [])
  await assert.rejects(resolve('old', soon()), { code: 'ENOTFOUND' })
  await assert.rejects(
    createResolver({ servers: [server.address], hostsFile: join(folder, 'none') })('receiver', soon()),
  )
})
