import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import sql, { raw } from 'sql-template-tag'
import { listKeys, mintKey, revokeKey, type Scope, scopes } from '../../server/organizations/api-keys.ts'
import { createAuthenticator } from '../../server/organizations/authenticator.ts'
import { createOrganization, setOrganizationActive } from '../../server/organizations/organizations.ts'
import { engines } from '../../support/engines.ts'
import { assertErrorShape } from '../../support/error-responses.ts'
import { call, type Service, startService } from '../../support/service.ts'

const now = new Date('2026-03-01T12:00:00.000Z')

for (const engine of engines) {
  describe(`API keys on ${engine.name}`, () => {
    let service: Service
    before(async () => {
      service = await startService(engine)
    })
    after(() => service.close())

    async function mint(granted: Scope[] = [...scopes]) {
      const { id: organizationId } = await createOrganization(service.database, 'Acme', now)
      return mintKey(service.database, { organizationId, label: 'ATS', scopes: granted, createdBy: 'test' }, now)
    }

    test('a key is service_live_<16 letters and digits>.<32 random bytes>, and unique · AUTH-2', async () => {
      const keys = new Set<string>()
      for (let count = 0; count < 20; count++) {
        const { key } = await mint()
        assert.match(key, /^service_live_[A-Za-z0-9]{16}\.[A-Za-z0-9_-]{43}$/)
        keys.add(key)
      }
      assert.equal(keys.size, 20)
    })

    test('only a key’s public part and its hash are stored · AUTH-2 AUTH-11', async () => {
      const { id, key } = await mint(['templates:read'])
      const [row] = await service.database.query<Record<string, unknown>>(sql`select * from api_keys where id = ${id}`)
      assert.deepEqual(row?.public_id, key.slice('service_live_'.length, key.indexOf('.')))
      assert.deepEqual(row?.hash, createHash('sha256').update(key).digest())
      assert.deepEqual(row?.scopes, ['templates:read'])
    })

    test('a key without scopes is not created · AUTH-9', async () => {
      const { id: organizationId } = await createOrganization(service.database, 'Acme', now)
      const options = { organizationId, label: 'ATS', scopes: [], createdBy: 'test' }
      await assert.rejects(mintKey(service.database, options, now), /at least one scope/)
      assert.deepEqual(await listKeys(service.database, organizationId, { limit: 1 }), { data: [], nextCursor: null })
    })

    for (const refused of [[], ['templates:delete'], ['templates:read', 'everything']]) {
      test(`the database rejects a key with the scopes [${refused}] · AUTH-9`, async () => {
        const { id } = await mint()
        await assert.rejects(
          service.database.query(sql`update api_keys set scopes = ${refused} where id = ${id}`),
          /check constraint/,
        )
      })
    }

    test('a key has the scopes it was created with, and one from before scopes existed has all four · AUTH-10', async () => {
      const authenticate = createAuthenticator(service.database)
      const { id, key } = await mint(['results:read', 'templates:read'])
      const limited = await authenticate(key)
      assert.ok(limited.outcome === 'authenticated')
      assert.deepEqual(limited.caller.scopes, ['results:read', 'templates:read'])

      await service.database.query(sql`update api_keys set scopes = null where id = ${id}`)
      const legacy = await authenticate(key)
      assert.ok(legacy.outcome === 'authenticated')
      assert.deepEqual([...legacy.caller.scopes].sort(), [...scopes].sort())

      await revokeKey(service.database, id, now)
      assert.deepEqual(await authenticate(key), { outcome: 'invalid' })
    })

    test('a public part with another key’s secret is invalid · AUTH-2', async () => {
      const authenticate = createAuthenticator(service.database)
      const one = await mint()
      const other = await mint()
      const mixed = one.key.slice(0, one.key.indexOf('.')) + other.key.slice(other.key.indexOf('.'))
      assert.deepEqual(await authenticate(mixed), { outcome: 'invalid' })
      assert.equal((await authenticate(one.key)).outcome, 'authenticated')
    })

    test('revoking twice keeps the first time, and revoking an unknown key does nothing · AUTH-6', async () => {
      const { id } = await mint()
      const first = await revokeKey(service.database, id, now)
      const second = await revokeKey(service.database, id, new Date('2026-04-01T00:00:00.000Z'))
      assert.equal(first?.revokedAt, '2026-03-01T12:00:00.000Z')
      assert.deepEqual(second, first)
      assert.equal(await revokeKey(service.database, 'key_unknown', now), null)
    })

    test('listing keys does not reveal them · AUTH-11', async () => {
      const { id: organizationId } = await createOrganization(service.database, 'Acme', now)
      const options = { organizationId, label: 'ATS', scopes: [...scopes], createdBy: 'ada' }
      const { id, key } = await mintKey(service.database, options, now)
      const listed = await listKeys(service.database, organizationId, { limit: 1 })
      const publicId = key.slice('service_live_'.length, key.indexOf('.'))
      const times = { createdAt: now.toISOString(), lastUsedAt: null, revokedAt: null }
      assert.deepEqual(listed, { data: [{ id, ...options, publicId, ...times }], nextCursor: null })
    })

    test('no key is in the database, in the log or in an error response · AUTH-11', async () => {
      const { id, key } = await mint(['templates:read', 'templates:write'])
      const secret = key.slice(key.indexOf('.') + 1)
      const [row] = await service.database.query<{ organization: string }>(
        sql`select organization_id as organization from api_keys where id = ${id}`,
      )
      const requests: [method: string, path: string, body?: unknown][] = [
        ['GET', '/v1/templates'],
        ['POST', '/v1/templates', { title: 'T', description: 'D', whiteboardEnabled: true }],
        ['POST', '/v1/templates', { title: 1 }],
        ['GET', '/v1/interview-results'],
        ['GET', '/v1/nothing'],
        ['DELETE', '/v1/templates'],
        ['GET', '/v1/%zz'],
      ]
      const use = async () => {
        for (const [method, path, body] of requests) {
          for (const headers of [{ 'x-service-api-key': key }, { authorization: `Bearer ${key}` }]) {
            const response = await call(service.url, method, path, headers, body)
            if (response.status >= 400) assertErrorShape(response)
            assert.ok(!response.text.includes(secret))
            assert.ok(!JSON.stringify([...response.headers]).includes(secret))
          }
        }
      }
      await use()
      await service.database.script('alter table templates rename to moved_away')
      await use()
      await service.database.script('alter table moved_away rename to templates')
      await setOrganizationActive(service.database, row?.organization ?? '', false)
      await use()
      await revokeKey(service.database, id, now)
      await use()

      const stored = [service.logged(), ...(await everything())].join('\n')
      assert.match(stored, /request failed/)
      assert.ok(stored.includes(createHash('sha256').update(key).digest('hex')), 'the hash is in the dump')
      for (const bytes of [key, secret].flatMap(spellings)) assert.ok(!stored.includes(bytes), bytes)
    })

    /** Every row of every table as text, including the queue's. */
    async function everything(): Promise<string[]> {
      const tables = await service.database.query<{ name: string }>(sql`
        select format('%I.%I', table_schema, table_name) as name from information_schema.tables
        where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`)
      assert.ok(tables.length > 5)
      const rows: string[] = []
      for (const { name } of tables) {
        const found = await service.database.query<{ row: string }>(sql`select t::text as row from ${raw(name)} t`)
        rows.push(...found.map(({ row }) => row))
      }
      return rows
    }
  })
}

function spellings(text: string): string[] {
  const bytes = Buffer.from(text)
  return [text, bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')]
}
