import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { Database, Queryable } from '../../server/database/database.ts'
import { mintKey, revokeKey, scopes } from '../../server/organizations/api-keys.ts'
import { createAuthenticator } from '../../server/organizations/authenticator.ts'
import { createOrganization } from '../../server/organizations/organizations.ts'
import { engines } from '../../support/engines.ts'

const now = new Date('2026-03-01T12:00:00.000Z')

for (const engine of engines) {
  describe(`valid keys among invalid ones on ${engine.name}`, () => {
    let database: Database
    before(async () => {
      database = await engine.open()
    })
    after(() => database?.close())

    test('a flood of invalid keys costs at most 20 statements a second, and a valid key is never rejected · ROB-4 AUTH-6', async () => {
      const counted = countingStatements(database)
      const authenticate = createAuthenticator(counted.database)
      const { key } = await mint()
      const started = performance.now()
      const flood = Array.from({ length: 50 }, async () => {
        for (let count = 0; count < 10; count++) {
          assert.deepEqual(await authenticate(wrongKey()), { outcome: 'invalid' })
        }
      })
      assert.equal((await authenticate(key)).outcome, 'authenticated')
      await Promise.all(flood)
      const lookups = counted.statements() - 1
      const limit = 2 + (performance.now() - started) / 50
      assert.ok(lookups <= limit, `${lookups} lookups for 501 keys, at most ${limit}`)

      const before = counted.statements()
      assert.equal((await authenticate(key)).outcome, 'authenticated')
      assert.equal(counted.statements() - before, 1, 'a known key costs one statement')
    })

    test('a valid public part with a wrong secret is invalid · AUTH-2 AUTH-6', async () => {
      const { key } = await mint()
      const authenticate = createAuthenticator(database)
      const forged = `${key.split('.')[0]}.${randomBytes(32).toString('base64url')}`
      assert.deepEqual(await authenticate(forged), { outcome: 'invalid' })
      assert.equal((await authenticate(key)).outcome, 'authenticated')
      assert.deepEqual(await authenticate(forged), { outcome: 'invalid' })
    })

    test('creating and revoking a key take effect immediately in every process · AUTH-6', async () => {
      const processes = [createAuthenticator(database), createAuthenticator(database)]
      for (const authenticate of processes) await authenticate(wrongKey())
      const { id, key } = await mint()
      for (const authenticate of processes) assert.equal((await authenticate(key)).outcome, 'authenticated')
      await revokeKey(database, id, now)
      for (const authenticate of processes) {
        assert.deepEqual(await authenticate(key), { outcome: 'invalid' })
        assert.deepEqual(await authenticate(key), { outcome: 'invalid' })
      }
    })

    async function mint() {
      const { id: organizationId } = await createOrganization(database, 'Acme', now)
      return mintKey(database, { organizationId, label: 'ATS', scopes: [...scopes], createdBy: 'test' }, now)
    }
  })
}

function countingStatements(database: Database): { database: Queryable; statements(): number } {
  let statements = 0
  const query: Queryable['query'] = (...args) => {
    statements += 1
    return database.query(...args)
  }
  return { database: { ...database, query }, statements: () => statements }
}

function wrongKey(): string {
  return `service_live_${randomBytes(8).toString('hex')}.${randomBytes(32).toString('base64url')}`
}
