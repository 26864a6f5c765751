import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import type { Database } from '../../server/database/database.ts'
import { findEndpoint, removeEndpoint, rotateSecret, setEndpointEnabled } from '../../server/endpoints/endpoint.ts'
import { unseal } from '../../server/endpoints/secrets.ts'
import { createOrganization } from '../../server/organizations/organizations.ts'
import { createDestinationGuard } from '../../server/outbound/destination.ts'
import { saveWebhook } from '../../server/workflows/administer.ts'
import { engines } from '../../support/engines.ts'

// What host names resolve to.
const names: Record<string, string[]> = {
  'hooks.example.com': ['93.184.216.34'],
  'other.example.com': ['93.184.216.35', '2606:2800:220:1:248:1893:25c8:1946'],
  'inside.example.com': ['10.1.2.3'],
  'half.example.com': ['93.184.216.34', '192.168.0.1'],
  'metadata.example.com': ['169.254.169.254'],
}

const refusals: [string, RegExp][] = [
  ['http://hooks.example.com/', /^the URL must begin with https:\/\/$/],
  ['ftp://hooks.example.com/', /^the URL must begin with https:\/\/$/],
  ['hooks.example.com', /^the URL is not valid$/],
  ['', /^the URL is not valid$/],
  ['https://user:password@hooks.example.com/', /^the URL must not contain a user name or password$/],
  ['https://user@hooks.example.com/', /^the URL must not contain a user name or password$/],
  ['https://localhost/', /^127\.0\.0\.1 is loopback/],
  ['https://127.0.0.1/', /^127\.0\.0\.1 is loopback/],
  ['https://0x7f.1/', /^127\.0\.0\.1 is loopback/],
  ['https://[::1]/', /^::1 is loopback/],
  ['https://[::ffff:10.0.0.1]/', /10\.0\.0\.1|::ffff/],
  ['https://192.168.1.1:8443/', /^192\.168\.1\.1 is private/],
  ['https://inside.example.com/', /^10\.1\.2\.3 is private/],
  ['https://half.example.com/', /^192\.168\.0\.1 is private/],
  ['https://metadata.example.com/', /^169\.254\.169\.254 is link-local/],
  ['https://nobody.example.com/', /^the name nobody\.example\.com does not exist/],
  [`https://hooks.example.com/${'x'.repeat(2_048)}`, /^the URL is longer than 2048 characters$/],
]

const url = 'https://hooks.example.com/interviews?tenant=1'
const now = new Date('2026-03-01T12:00:00.000Z')
const later = new Date('2026-03-01T13:00:00.000Z')

const plain = { pendingSecretSince: null, maxPerSecond: null }

for (const engine of engines) {
  describe(`an organization’s endpoint on ${engine.name}`, () => {
    let database: Database
    before(async () => {
      database = await engine.open()
    })
    after(() => database?.close())

    const secretsKey = randomBytes(32)
    const resolve = async (name: string) => {
      const addresses = names[name]
      if (addresses) return addresses
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
    }
    const guard = createDestinationGuard({ resolve, allowCidrs: [] })
    const newOrganization = async () => (await createOrganization(database, 'Acme', now)).id
    const save = (organizationId: string, settings: { url: string; secret?: string }, at = now) =>
      saveWebhook({ database, guard, secretsKey }, { organizationId, actor: 'test' }, settings, at)

    test('a public https URL is saved and enabled with a generated secret · DST-1', async () => {
      const organizationId = await newOrganization()
      const saved = await save(organizationId, { url })
      assert.ok(saved.outcome === 'saved' && saved.generated && saved.secret !== null)
      const time = now.toISOString()
      const endpoint = { url, enabled: true, createdAt: time, updatedAt: time, ...plain }
      assert.deepEqual(saved.endpoint, endpoint)
      assert.deepEqual(await findEndpoint(database, organizationId), endpoint)
      assert.match(saved.secret, /^whsec_[\w-]{43}$/)
      assert.equal(await storedSecret(organizationId), saved.secret)
    })

    for (const [url, reason] of refusals) {
      test(`${url.slice(0, 60)} is rejected with a reason, and nothing is saved · DST-1`, async () => {
        const organizationId = await newOrganization()
        const saved = await save(organizationId, { url })
        assert.ok(saved.outcome === 'refused')
        assert.match(saved.vetting.detail, reason)
        assert.equal(await findEndpoint(database, organizationId), null)
      })
    }

    test('a rejected URL leaves the current one unchanged · DST-1', async () => {
      const organizationId = await newOrganization()
      const first = await save(organizationId, { url })
      assert.ok(first.outcome === 'saved')
      assert.equal((await save(organizationId, { url: 'https://10.0.0.1/' }, later)).outcome, 'refused')
      assert.deepEqual(await findEndpoint(database, organizationId), first.endpoint)
      assert.equal(await storedSecret(organizationId), first.secret)
    })

    test('there is one per organization: saving replaces the URL and keeps the secret and the enabled flag · DST-6', async () => {
      const organizationId = await newOrganization()
      const first = await save(organizationId, { url })
      await setEndpointEnabled(database, organizationId, false, now)
      const second = await save(organizationId, { url: 'https://other.example.com/' }, later)
      assert.ok(first.outcome === 'saved' && second.outcome === 'saved')
      assert.deepEqual([second.secret, second.generated], [null, false])
      assert.equal(await storedSecret(organizationId), first.secret)
      assert.deepEqual(second.endpoint, {
        url: 'https://other.example.com/',
        enabled: false,
        createdAt: now.toISOString(),
        updatedAt: later.toISOString(),
        ...plain,
      })
      const rows = await database.query(sql`select from webhook_endpoints where organization_id = ${organizationId}`)
      assert.equal(rows.length, 1)
    })

    test('ten concurrent saves leave one consistent endpoint · DST-6', async () => {
      const organizationId = await newOrganization()
      const secrets = Array.from({ length: 10 }, (_, index) => `secret-number-000${index}`)
      await Promise.all(
        secrets.map((secret, index) => save(organizationId, { url: `https://hooks.example.com/${index}`, secret })),
      )
      const endpoint = await findEndpoint(database, organizationId)
      assert.equal(`secret-number-000${endpoint?.url.slice(-1)}`, await storedSecret(organizationId))
    })

    test('each organization has its own', async () => {
      const [one, other] = [await newOrganization(), await newOrganization()]
      await save(one, { url })
      assert.equal(await findEndpoint(database, other), null)
      assert.equal(await removeEndpoint(database, other), null)
      assert.equal(await setEndpointEnabled(database, other, false, later), null)
      assert.equal(await rotateSecret({ database, secretsKey }, other, later), null)
      assert.equal((await findEndpoint(database, one))?.enabled, true)
    })

    test('a secret of 16 to 256 printable characters is accepted unchanged, any other is rejected', async () => {
      const organizationId = await newOrganization()
      for (const secret of ['0123456789abcdef', '~'.repeat(256), '!"#$%&\'()*+,-./:;<=>?@[]^_`{|}']) {
        const saved = await save(organizationId, { url, secret })
        assert.ok(saved.outcome === 'saved' && saved.secret === secret && !saved.generated)
        assert.equal(await storedSecret(organizationId), secret)
      }
      for (const secret of [
        '',
        '0123456789abcde',
        'x'.repeat(257),
        'with spaces in the middle',
        'schlüssel-schlüssel',
        'line\nline\nline\nline',
      ]) {
        assert.deepEqual(await save(organizationId, { url, secret }), { outcome: 'invalid_secret' })
      }
    })

    test('rotation generates a new secret and changes nothing else', async () => {
      const organizationId = await newOrganization()
      const first = await save(organizationId, { url })
      assert.ok(first.outcome === 'saved')
      const rotated = await rotateSecret({ database, secretsKey }, organizationId, later)
      assert.ok(rotated)
      assert.deepEqual(rotated.endpoint, { ...first.endpoint, updatedAt: later.toISOString() })
      assert.match(rotated.secret, /^whsec_[\w-]{43}$/)
      assert.notEqual(rotated.secret, first.secret)
      assert.equal(await storedSecret(organizationId), rotated.secret)
    })

    test('a concurrent save never undoes a rotation · SIG-3', async () => {
      const organizationId = await newOrganization()
      await save(organizationId, { url })
      for (let round = 0; round < 20; round += 1) {
        const [saved, rotated] = await Promise.all([
          save(organizationId, { url }),
          rotateSecret({ database, secretsKey }, organizationId, later),
        ])
        assert.equal(saved.outcome, 'saved')
        assert.equal(await storedSecret(organizationId), rotated?.secret)
      }
    })

    test('it can be disabled, enabled and removed', async () => {
      const organizationId = await newOrganization()
      await save(organizationId, { url })
      assert.equal((await setEndpointEnabled(database, organizationId, false, later))?.enabled, false)
      assert.equal((await setEndpointEnabled(database, organizationId, true, later))?.enabled, true)
      assert.equal((await removeEndpoint(database, organizationId))?.url, url)
      assert.equal(await findEndpoint(database, organizationId), null)
      const again = await save(organizationId, { url })
      assert.ok(again.outcome === 'saved' && again.generated)
    })

    async function storedSecret(organizationId: string): Promise<string> {
      const [row] = await database.query<{ sealed: Buffer }>(
        sql`select sealed_secret as sealed from webhook_endpoints where organization_id = ${organizationId}`,
      )
      return unseal(secretsKey, row?.sealed ?? Buffer.alloc(0), organizationId)
    }
  })
}
