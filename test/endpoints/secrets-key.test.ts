import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { rotateSecret } from '../../server/endpoints/endpoint.ts'
import { createUnseal, seal, tryUnseal } from '../../server/endpoints/secrets.ts'
import { checkSecretsKey, reencryptSecrets, SecretsKeyMismatch } from '../../server/endpoints/secrets-key.ts'
import { createSigningKey } from '../../server/endpoints/signature.ts'
import { type Deliveries, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { eventually } from '../../support/process.ts'

for (const engine of engines) {
  describe(`SECRETS_KEY on ${engine.name}`, () => {
    test('a new database accepts the first key, and then no other · ROB-5', async () => {
      const database = await engine.open()
      const [key, other] = [randomBytes(32), randomBytes(32)]
      assert.equal(await checkSecretsKey(database, { current: key, previous: null }), 'current')
      assert.equal(await checkSecretsKey(database, { current: key, previous: null }), 'current')
      assert.equal(await checkSecretsKey(database, { current: other, previous: key }), 'previous')
      await assert.rejects(checkSecretsKey(database, { current: other, previous: null }), SecretsKeyMismatch)
      await assert.rejects(checkSecretsKey(database, { current: other, previous: other }), /Neither SECRETS_KEY nor/)
      await database.close()
    })

    test('if processes with different keys start on a new database at once, one wins · ROB-5', async () => {
      const database = await engine.open()
      const keys = Array.from({ length: 5 }, () => ({ current: randomBytes(32), previous: null }))
      const checked = await Promise.allSettled(keys.map((key) => checkSecretsKey(database, key)))
      assert.equal(checked.filter(({ status }) => status === 'fulfilled').length, 1)
      await database.close()
    })

    describe('with webhooks', () => {
      let deliveries: Deliveries
      before(async () => {
        deliveries = await startDeliveries(engine)
      })
      after(() => deliveries?.close())

      test('a database without a key mark accepts the key that decrypts its secrets · ROB-5', async () => {
        const { database } = deliveries.service
        const { secretsKey } = deliveries.out
        await deliveries.subscriber()
        const other = randomBytes(32)
        for (const [keys, expected] of [
          [{ current: secretsKey, previous: null }, 'current'],
          [{ current: other, previous: secretsKey }, 'previous'],
        ] as const) {
          await database.query(sql`delete from secrets_key_mark`)
          await assert.rejects(checkSecretsKey(database, { current: other, previous: null }), SecretsKeyMismatch)
          assert.equal(await checkSecretsKey(database, keys), expected)
          await assert.rejects(checkSecretsKey(database, { current: other, previous: null }), SecretsKeyMismatch)
        }
      })

      test('re-encrypting changes no secret, can be repeated, and needs the previous key only once · ROB-5', async () => {
        const { database } = deliveries.service
        const { secretsKey: old } = deliveries.out
        const subscribers = [await deliveries.subscriber(), await deliveries.subscriber()]
        const keys = { current: randomBytes(32), previous: old }
        await checkSecretsKey(database, { current: old, previous: null })

        const first = await reencryptSecrets(database, keys)
        assert.ok(first.reencrypted >= 2)
        assert.deepEqual(first.unreadable, [])
        assert.deepEqual(await reencryptSecrets(database, keys), { reencrypted: 0, unreadable: [] })
        const onlyNew = { current: keys.current, previous: null }
        assert.equal(await checkSecretsKey(database, onlyNew), 'current')
        await assert.rejects(checkSecretsKey(database, { current: old, previous: null }), SecretsKeyMismatch)
        for (const { organizationId, secret } of subscribers) {
          const sealed = await sealedOf(organizationId)
          assert.equal(createUnseal(onlyNew)(sealed, organizationId), secret)
          assert.equal(tryUnseal(old, sealed, organizationId), null)
        }
        await reencryptSecrets(database, { current: old, previous: keys.current })
      })

      test('re-encrypting covers every encrypted column in the schema · ROB-5', async () => {
        const columns = await deliveries.service.database.query<{ name: string }>(sql`
          select table_name || '.' || column_name as name from information_schema.columns
          where table_schema = 'public' and column_name like '%sealed%' order by 1`)
        assert.deepEqual(
          columns.map(({ name }) => name),
          [
            // Re-encrypted through notifications/sealed-values.ts.
            'chat_webhooks.sealed_url',
            'outbox.sealed_values',
            'secrets_key_mark.sealed_mark',
            // Re-encrypted through auth/sign-on-settings.ts.
            'single_sign_on.sealed_secret',
            'webhook_endpoints.sealed_next_secret',
            'webhook_endpoints.sealed_secret',
          ],
        )
      })

      test('re-encrypting does not undo a concurrent rotation · ROB-5', async () => {
        const { database, time } = deliveries.service
        const { secretsKey: old } = deliveries.out
        const { organizationId } = await deliveries.subscriber()
        for (let round = 0; round < 10; round += 1) {
          const keys = { current: randomBytes(32), previous: old }
          const [rotated] = await Promise.all([
            rotateSecret({ database, secretsKey: old }, organizationId, time.now),
            reencryptSecrets(database, keys),
          ])
          const sealed = await sealedOf(organizationId)
          assert.equal(createUnseal(keys)(sealed, organizationId), rotated?.secret)
          await reencryptSecrets(database, { current: old, previous: keys.current })
        }
      })

      test('a secret that neither key decrypts is named, the rest is re-encrypted, and the key mark stays · ROB-5', async () => {
        const { database } = deliveries.service
        const { secretsKey: old } = deliveries.out
        const [broken, other] = [await deliveries.subscriber(), await deliveries.subscriber()]
        const { organizationId } = broken
        await checkSecretsKey(database, { current: old, previous: null })
        await store(organizationId, randomBytes(60))
        const keys = { current: randomBytes(32), previous: old }
        const { unreadable } = await reencryptSecrets(database, keys)
        assert.deepEqual(unreadable, [organizationId])
        assert.equal(tryUnseal(keys.current, await sealedOf(other.organizationId), other.organizationId), other.secret)
        assert.equal(await checkSecretsKey(database, keys), 'previous')
        await store(organizationId, seal(old, broken.secret, organizationId))
        await reencryptSecrets(database, { current: old, previous: keys.current })
      })

      test('without the key a worker does not count the receive, and the event arrives once it can be signed · ROB-5', async () => {
        const subscriber = await deliveries.subscriber()
        const { deliveryId } = await subscriber.complete()
        const current = randomBytes(32)
        const wrong = deliveries.startWorker({
          signingKey: createSigningKey(createUnseal({ current, previous: null })),
        })
        const saidSo = new RegExp(`SECRETS_KEY cannot decrypt the secret of ${subscriber.organizationId}`)
        assert.ok(await eventually(async () => saidSo.test(deliveries.logged())))
        await wrong.stop()
        assert.partialDeepStrictEqual(await deliveries.read(deliveryId), {
          status: 'PENDING',
          attempts: 0,
          history: [],
        })
        assert.equal(subscriber.requests.length, 0)

        await deliveries.service.database.query(sql`update delivery_jobs set due_at = now()`)
        const worker = deliveries.startWorker({
          signingKey: createSigningKey(createUnseal({ current, previous: deliveries.out.secretsKey })),
        })
        const delivered = await deliveries.waitForStatus(deliveryId, 'DELIVERED')
        await worker.stop()
        assert.equal(delivered.attempts, 1)
        assert.equal(subscriber.requests.length, 1)
      })

      async function sealedOf(organizationId: string): Promise<Buffer> {
        const [row] = await deliveries.service.database.query<{ sealed: Buffer }>(sql`
          select sealed_secret as sealed from webhook_endpoints where organization_id = ${organizationId}`)
        return row?.sealed ?? Buffer.alloc(0)
      }

      async function store(organizationId: string, sealed: Buffer): Promise<void> {
        await deliveries.service.database.query(sql`
          update webhook_endpoints set sealed_secret = ${sealed} where organization_id = ${organizationId}`)
      }
    })
  })
}
