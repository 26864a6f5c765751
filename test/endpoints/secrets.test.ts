import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { rotateSecret } from '../../server/endpoints/endpoint.ts'
import { createUnseal, seal, unseal } from '../../server/endpoints/secrets.ts'
import { createSigningKey } from '../../server/endpoints/signature.ts'
import { saveWebhook } from '../../server/workflows/administer.ts'
import { type Deliveries, image, scoring, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'

const key = randomBytes(32)

test('a sealed secret opens only for its owner and with its key', () => {
  const property = fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.string(), (secret, owner, other) => {
    const sealed = seal(key, secret, owner)
    assert.equal(unseal(key, sealed, owner), secret)
    if (other !== owner) assert.throws(() => unseal(key, sealed, other))
    assert.throws(() => unseal(randomBytes(32), sealed, owner))
  })
  fc.assert(property)
})

test('a sealed secret with one byte changed, missing or added anywhere does not open', () => {
  const sealed = seal(key, 'whsec_0123456789abcdef', 'org_1')
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Buffer.from(sealed)
    changed[index] = (changed[index] ?? 0) ^ 1
    assert.throws(() => unseal(key, changed, 'org_1'), `byte ${index}`)
  }
  assert.throws(() => unseal(key, sealed.subarray(0, -1), 'org_1'))
  assert.throws(() => unseal(key, Buffer.concat([sealed, Buffer.of(0)]), 'org_1'))
  assert.throws(() => unseal(key, Buffer.alloc(0), 'org_1'))
})

test('sealing the same secret twice gives different bytes', () => {
  assert.notDeepEqual(seal(key, 'whsec_0123456789abcdef', 'org_1'), seal(key, 'whsec_0123456789abcdef', 'org_1'))
})

test('the cached key is that of the secret that was sealed last, and only for its organization', () => {
  const signingKey = createSigningKey(createUnseal({ current: key, previous: null }), 2)
  const cached = (sealed: Buffer, owner: string) => signingKey(sealed, owner).export().toString()
  const first = seal(key, 'whsec_first_0123456789', 'org_1')
  const rotated = seal(key, 'whsec_rotated_0123456789', 'org_1')
  for (const [sealed, secret] of [
    [first, 'whsec_first_0123456789'],
    [first, 'whsec_first_0123456789'],
    [rotated, 'whsec_rotated_0123456789'],
    [first, 'whsec_first_0123456789'],
  ] as const) {
    assert.equal(cached(sealed, 'org_1'), secret)
    for (const other of ['org_2', 'org_3', 'org_4']) {
      assert.equal(cached(seal(key, other, other), other), other)
      assert.throws(() => signingKey(sealed, other))
    }
  }
})

test('only so many keys are cached, the oldest is forgotten first', () => {
  const unseal = createUnseal({ current: key, previous: null })
  const unsealed: string[] = []
  const signingKey = createSigningKey((sealed, owner) => {
    unsealed.push(owner)
    return unseal(sealed, owner)
  }, 2)
  const sealed = new Map(['org_1', 'org_2', 'org_3'].map((owner) => [owner, seal(key, `whsec_${owner}`, owner)]))
  for (const owner of ['org_1', 'org_2', 'org_2', 'org_3', 'org_2', 'org_1']) {
    signingKey(sealed.get(owner) ?? Buffer.alloc(0), owner)
  }
  assert.deepEqual(unsealed, ['org_1', 'org_2', 'org_3', 'org_1'])
})

for (const engine of engines) {
  describe(`secrets in tables and logs on ${engine.name}`, () => {
    let deliveries: Deliveries
    before(async () => {
      deliveries = await startDeliveries(engine)
    })
    after(() => deliveries?.close())

    test('no table contains a signing secret or a key, and no log line a key, secret, body, image or link · AUTH-11', async () => {
      const { database, time } = deliveries.service
      const subscriber = await deliveries.subscriber()
      const { organizationId, url } = subscriber
      const dependencies = { ...deliveries.out, database }
      const secrets = [subscriber.secret, 'chosen-by-an-admin-0123']
      await saveWebhook(dependencies, { organizationId, actor: 'test' }, { url, secret: secrets[1] ?? '' }, time.now)
      const rotated = await rotateSecret(dependencies, organizationId, time.now)
      secrets.push(rotated?.secret ?? '')

      // Every outcome of a delivery: delivered, rejected, connection broken, invalid image, queue unavailable.
      const worker = deliveries.startWorker()
      const analysis = { transcript: 'said-in-confidence' }
      const good = await subscriber.complete({ analysis })
      await deliveries.waitForStatus(good.deliveryId, 'DELIVERED')
      subscriber.answer({ status: 400, body: 'the receiver says no' })
      await deliveries.waitForStatus((await subscriber.complete()).deliveryId, 'FAILED')
      subscriber.answer((_request, response) => void response.destroy())
      await deliveries.waitForStatus((await subscriber.complete()).deliveryId, 'FAILED')
      await deliveries.waitForStatus((await subscriber.complete({ image: Buffer.from('no') })).deliveryId, 'FAILED')
      const mend = await deliveries.breakQueue()
      await subscriber.complete({ analysis })
      await mend()
      await worker.stop()
      await deliveries.engine('PUT', `/interviews/${good.invitation.interview.id}/result`, { scoring, secret: 'x' })
      await subscriber.call('GET', '/v1/interview-results')

      const log = deliveries.logged()
      for (const line of [
        '"msg":"delivered"',
        '"msg":"postponed"',
        'could not be enqueued',
        '"msg":"request completed"',
      ]) {
        assert.ok(log.includes(line), line)
      }
      const token = good.resultUrl.slice(-43)
      const link = good.invitation.inviteUrl?.slice(-43) ?? ''
      const never = [
        ...secrets,
        subscriber.key,
        subscriber.key.split('.')[1] ?? '',
        deliveries.out.secretsKey.toString('base64'),
        image.toString('base64').slice(0, 60),
        'said-in-confidence',
        scoring.technical_feedback,
        good.invitation.candidate.email,
        token,
        link,
      ]
      for (const secret of never) {
        assert.ok(secret.length >= 8)
        assert.ok(!log.includes(secret), `${secret} is in the log`)
      }

      const stored = await everything()
      assert.ok(stored.includes(good.resultId))
      for (const secret of [...secrets, subscriber.key, subscriber.key.split('.')[1] ?? '']) {
        assert.ok(!stored.includes(secret))
        assert.ok(!stored.includes(Buffer.from(secret).toString('hex')))
        assert.ok(!stored.includes(Buffer.from(secret).toString('base64')))
      }
    })

    /** All rows of all tables as text, including the queue's. */
    async function everything(): Promise<string> {
      const { database } = deliveries.service
      const { rows: tables } = await database.execute<{ name: string }>(
        `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
         where schemaname = 'public'`,
      )
      assert.ok(tables.length > 10)
      let text = ''
      for (const { name } of tables) {
        const { rows } = await database.execute<{ row: string }>(`select t::text as row from ${name} t`)
        text += rows.map(({ row }) => row).join('\n')
      }
      return text
    }
  })
}
