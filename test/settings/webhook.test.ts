import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { sign } from '../../server/endpoints/signature.ts'
import type {
  ActivityPage,
  ChangedSecret,
  CurrentWebhook,
  RefusedWebhook,
  SavedWebhook,
  SwitchedWebhook,
} from '../../server/http/settings/schemas.ts'
import { type Deliveries, type Subscriber, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { type SignedInMember, signedInMember } from '../../support/members.ts'

const given = 'a-secret-of-our-own-0123456789'

for (const engine of engines) {
  describe(`the webhook in the settings area on ${engine.name}`, () => {
    let deliveries: Deliveries
    let subscriber: Subscriber
    let admin: SignedInMember
    let organization: string
    before(async () => {
      deliveries = await startDeliveries(engine)
    })
    beforeEach(async () => {
      subscriber = await deliveries.subscriber()
      admin = await signedInMember(deliveries.service, 'admin', subscriber.organizationId)
      organization = `/organizations/${subscriber.organizationId}`
    })
    after(() => deliveries.close())

    const ask = <Body>(method: string, path: string, body?: unknown) =>
      admin.call<Body>(method, `${organization}${path}`, body)
    const activity = async () => {
      const { body } = await ask<ActivityPage>('GET', '/activity')
      return body.data.filter(({ actor }) => actor === admin.email).map(({ action, subject }) => [action, subject])
    }

    /** The secret under which the event of a new result arrives. */
    async function signsWith(secret: string): Promise<boolean> {
      const { deliveryId } = await subscriber.complete()
      await deliveries.attempt(deliveryId)
      const request = subscriber.requests.at(-1)
      assert.ok(request)
      const signature = String(request.headers['x-service-signature'])
      const seconds = Number(/t=(\d+)/.exec(signature)?.[1])
      return sign(request.body, secret, new Date(seconds * 1000)) === signature
    }

    test('an address is set, with a secret that is made and shown once · SET-3', async () => {
      assert.equal((await ask('DELETE', '/webhook')).status, 204)
      assert.deepEqual((await ask('GET', '/webhook')).body, { webhook: null })

      const saved = await ask<SavedWebhook>('PUT', '/webhook', { url: ` ${subscriber.url} ` })
      assert.equal(saved.status, 200, saved.text)
      const now = deliveries.service.time.now.toISOString()
      assert.deepEqual(saved.body.webhook, {
        url: subscriber.url,
        enabled: true,
        createdAt: now,
        updatedAt: now,
        pendingSecretSince: null,
        maxPerSecond: null,
      })
      assert.equal(saved.body.preflight.ok, true)
      assert.equal(saved.body.secret?.generated, true)
      assert.match(saved.body.secret.value, /^whsec_/)
      assert.ok(await signsWith(saved.body.secret.value))

      const again = await ask<SavedWebhook>('PUT', '/webhook', { url: subscriber.url })
      assert.deepEqual([again.status, again.body.secret], [200, null], 'the stored secret is kept and not shown')
      const shown = await ask<CurrentWebhook>('GET', '/webhook')
      assert.deepEqual(shown.body.webhook, saved.body.webhook)
      assert.ok(!shown.text.includes('whsec_'))
      const host = new URL(subscriber.url).host
      assert.deepEqual(await activity(), [
        ['webhook.saved', host],
        ['webhook.saved', host],
        ['webhook.removed', host],
      ])
    })

    test('an address that is not public is refused with the reason, and nothing is changed · SET-3 DST-1', async () => {
      const refusals = [
        ['https://10.0.0.7/hook', /10\.0\.0\.7 is /],
        ['http://hooks.example.com/', /must begin with https/],
        ['https://unknown.example.com/', /no address/],
        ['nonsense', /not valid/],
      ] as const
      for (const [url, reason] of refusals) {
        const refused = await ask<RefusedWebhook>('PUT', '/webhook', { url, secret: given })
        assert.deepEqual([refused.status, refused.body.preflight.ok, refused.body.preflight.tls], [422, false, null])
        assert.match(refused.body.error, reason)
        const isPrivate = / is (loopback|private)/.test(refused.body.error)
        assert.equal(refused.body.error.includes('DESTINATION_ALLOW_CIDRS='), isPrivate, refused.body.error)
        assert.match(refused.body.preflight.detail ?? '', reason)
      }
      const { body } = await ask<CurrentWebhook>('GET', '/webhook')
      assert.equal(body.webhook?.url, subscriber.url)
      assert.ok(await signsWith(subscriber.secret))
      assert.deepEqual(await activity(), [])
    })

    test('an endpoint that cannot be reached is saved only on request · SET-3', async () => {
      const url = `https://${new URL(subscriber.url).hostname}:1/events`
      const refused = await ask<RefusedWebhook>('PUT', '/webhook', { url })
      assert.equal(refused.status, 409, refused.text)
      assert.equal(refused.headers.get('x-error-code'), 'endpoint_unreachable')
      assert.deepEqual([refused.body.preflight.ok, refused.body.preflight.tls?.ok], [true, false])
      assert.equal((await ask<CurrentWebhook>('GET', '/webhook')).body.webhook?.url, subscriber.url)
      const saved = await ask<SavedWebhook>('PUT', '/webhook', { url, saveAnyway: true })
      assert.deepEqual([saved.status, saved.body.webhook.url], [200, url])
    })

    test('what reaches out to an address is counted: thirty in a minute, then 429 · SET-3', async () => {
      await deliveries.service.database.query(sql`
        insert into check_windows (organization_id, minute, used)
        values (${subscriber.organizationId}, floor(extract(epoch from now()) / 60)::bigint + 1, 30)
        on conflict (organization_id) do update set minute = excluded.minute, used = excluded.used`)
      const { url } = subscriber
      for (const refused of [await ask('POST', '/webhook/preflight', { url }), await ask('PUT', '/webhook', { url })]) {
        assertRefused(refused, 429, 'Too many checks. Try again later')
        assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
      }
      await deliveries.service.database.query(sql`delete from check_windows`)
      assert.equal((await ask('POST', '/webhook/preflight', { url })).status, 200)
    })

    test('a secret may be given with the address; a poor one is refused · SET-3', async () => {
      const poor = ['short', 'with a space in it', 'ü'.repeat(20), 'x'.repeat(257)]
      for (const secret of poor) {
        const error = 'secret must be 16 to 256 printable characters'
        assertRefused(await ask('PUT', '/webhook', { url: subscriber.url, secret }), 400, error)
        assertRefused(await ask('POST', '/webhook/secret', { secret }), 400, error)
      }
      assert.ok(await signsWith(subscriber.secret))
      const saved = await ask<SavedWebhook>('PUT', '/webhook', { url: subscriber.url, secret: given })
      assert.deepEqual(saved.body.secret, { value: given, generated: false })
      assert.ok(await signsWith(given))
    })

    test('the secret is rotated, to a new one or to one that is given, from the next attempt on · SET-3 SIG-3', async () => {
      const rotated = await ask<ChangedSecret>('POST', '/webhook/secret', {})
      assert.equal(rotated.body.secret.generated, true)
      assert.notEqual(rotated.body.secret.value, subscriber.secret)
      assert.ok(await signsWith(rotated.body.secret.value))
      const chosen = await ask<ChangedSecret>('POST', '/webhook/secret', { secret: given })
      assert.deepEqual(chosen.body.secret, { value: given, generated: false })
      assert.ok(await signsWith(given))
      assert.deepEqual(
        (await activity()).map(([action]) => action),
        ['webhook.secret_changed', 'webhook.secret_changed'],
      )
      const recorded = await ask('GET', '/activity')
      for (const secret of [given, rotated.body.secret.value]) {
        assert.ok(!recorded.text.includes(secret) && !deliveries.logged().includes(secret))
      }
    })

    test('it is disabled, enabled and removed · SET-3', async () => {
      for (const enabled of [false, true]) {
        const { body } = await ask<SwitchedWebhook>('PATCH', '/webhook', { enabled })
        assert.equal(body.webhook.enabled, enabled)
      }
      for (let count = 0; count < 2; count++) assert.equal((await ask('DELETE', '/webhook')).status, 204)
      assertRefused(await ask('PATCH', '/webhook', { enabled: true }), 404, 'No webhook is set')
      assertRefused(await ask('POST', '/webhook/secret', {}), 404, 'No webhook is set')
      assert.deepEqual(
        (await activity()).map(([action]) => action),
        ['webhook.removed', 'webhook.enabled', 'webhook.disabled'],
      )
    })
  })
}
