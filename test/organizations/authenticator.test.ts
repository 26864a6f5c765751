import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import type { Database, Queryable } from '../../server/database/database.ts'
import { mintKey, revokeKey, scopes } from '../../server/organizations/api-keys.ts'
import { authenticate, presentKey } from '../../server/organizations/authenticate.ts'
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
      const most = 2 + (performance.now() - started) / 50
      assert.ok(counted.statements() <= most, `${counted.statements()} statements for 501 keys, at most ${most}`)

      const before = counted.statements()
      assert.equal((await authenticate(key)).outcome, 'authenticated')
      assert.equal(counted.statements() - before, 1, 'a known key costs one statement')
    })

    test('requests that arrive together share a statement, and each is counted once · LIM-1 LIM-2', async () => {
      const counted = countingStatements(database)
      const authenticate = createAuthenticator(counted.database)
      const [one, other] = [await mint(), await mint()]
      const forged = `${one.key.split('.')[0]}.${randomBytes(32).toString('base64url')}`
      const keys = Array.from({ length: 150 }, (_, index) => (index % 5 === 4 ? other.key : one.key))
      const results = await Promise.all([...keys, forged].map((key) => authenticate(key)))
      assert.equal(counted.statements(), 1)
      assert.deepEqual(results.pop(), { outcome: 'invalid' })
      const windowsOf = (key: string) =>
        results.flatMap((result, index) => (keys[index] === key && 'window' in result ? [result.window] : []))
      assert.deepEqual(
        windowsOf(one.key).map(({ left }) => left),
        Array.from({ length: 120 }, (_, index) => 119 - index),
      )
      assert.ok(windowsOf(other.key).every(({ left, exceeded }, index) => left === 119 - index && !exceeded))
      const [next, late] = await Promise.all([authenticate(other.key), authenticate(one.key)])
      assert.ok('window' in next && next.window.left === 89 && !next.window.exceeded)
      assert.ok('window' in late && late.window.left === 0 && late.window.exceeded)
    })

    test('the statement is planned once, however many keys it checks', async () => {
      const { key } = await mint()
      const presented = presentKey(key) ?? assert.fail()
      const plans = await database.transaction(async (inside) => {
        for (let count = 1; count <= 10; count++) await authenticate(inside, Array(count).fill(presented))
        return inside.query<{ custom: number }>(sql`
          select custom_plans as custom from pg_prepared_statements
          where statement like '%insert into rate_windows%' and statement not like '%pg_prepared_statements%'`)
      })
      assert.deepEqual(plans, [{ custom: 0 }])
    })

    test('two processes that count the same keys in another order do not block each other', async () => {
      const [one, other] = [await mint(), await mint()]
      const [first, second] = [createAuthenticator(database), createAuthenticator(database)]
      for (let round = 0; round < 20; round++) {
        const results = await Promise.all([first(one.key), first(other.key), second(other.key), second(one.key)])
        assert.ok(results.every(({ outcome }) => outcome === 'authenticated'))
      }
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

    test('a key that was revoked is checked with the wrong ones from then on · ROB-4', async () => {
      const authenticate = createAuthenticator(database)
      const { id, key } = await mint()
      await authenticate(key)
      await revokeKey(database, id, now)
      await authenticate(key)
      const started = performance.now()
      for (let count = 0; count < 5; count++) await authenticate(key)
      assert.ok(performance.now() - started > 150, 'each waits for the rest after a wrong key')
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
