import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { rotateSecret } from '../../server/endpoints/endpoint.ts'
import { activateSecret } from '../../server/endpoints/pending-secret.ts'
import { reencryptSecrets } from '../../server/endpoints/secrets-key.ts'
import { sign } from '../../server/endpoints/signature.ts'
import type { SecretCheck } from '../../server/http/settings/delivery-schemas.ts'
import type {
  ActivityPage,
  ChangedSecret,
  CurrentWebhook,
  SwitchedWebhook,
} from '../../server/http/settings/schemas.ts'
import { type Deliveries, type Subscriber, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { type SignedInMember, signedInMember } from '../../support/members.ts'
import type { ReceivedRequest } from '../../support/receiver.ts'

const own = 'a-secret-of-our-own-0123456789'

for (const engine of engines) {
  describe(`a signing secret in two steps on ${engine.name}`, () => {
    let deliveries: Deliveries
    let subscriber: Subscriber
    let admin: SignedInMember
    let accepted: string[]
    before(async () => {
      deliveries = await startDeliveries(engine)
    })
    beforeEach(async () => {
      subscriber = await deliveries.subscriber()
      admin = await signedInMember(deliveries.service, 'admin', subscriber.organizationId)
      accepted = [subscriber.secret]
      subscriber.answer((request) => ({ status: accepted.some((secret) => isSignature(request, secret)) ? 200 : 401 }))
    })
    after(() => deliveries.close())

    const ask = <Body>(method: string, path: string, body?: unknown) =>
      admin.call<Body>(method, `/organizations/${subscriber.organizationId}/webhook${path}`, body)
    const prepare = async (body: { secret?: string } = {}) => {
      const { status, text, body: prepared } = await ask<ChangedSecret>('POST', '/pending-secret', body)
      assert.equal(status, 200, text)
      return prepared
    }
    const activate = <Body = unknown>(preparedAt: string | null, activateAnyway = false) =>
      ask<Body>('POST', '/pending-secret/activation', { preparedAt, activateAnyway })
    const check = <Body = unknown>(preparedAt: string | null) =>
      ask<Body>('POST', '/pending-secret/checks', { preparedAt })
    const discard = <Body = unknown>(preparedAt: string | null) =>
      ask<Body>('DELETE', `/pending-secret?preparedAt=${preparedAt}`)
    const current = async () => (await ask<CurrentWebhook>('GET', '')).body.webhook
    const activity = async () => {
      const path = `/organizations/${subscriber.organizationId}/activity`
      const { body } = await admin.call<ActivityPage>('GET', path)
      return body.data.filter(({ actor }) => actor === admin.email).map(({ action }) => action)
    }
    const signsWith = async (secret: string) => {
      const { deliveryId } = await subscriber.complete()
      await deliveries.attempt(deliveryId)
      const request = subscriber.requests.at(-1)
      assert.ok(request)
      return isSignature(request, secret)
    }

    test('prepare, both accepted, activate: no event is lost on the way · SET-7 SET-6', async () => {
      const before = await current()
      const { webhook, secret } = await prepare()
      assert.match(secret.value, /^whsec_[\w-]{43}$/)
      assert.equal(secret.generated, true)
      assert.deepEqual(webhook, { ...before, pendingSecretSince: deliveries.service.time.now.toISOString() })
      assert.deepEqual(await current(), webhook)
      assert.ok(await signsWith(subscriber.secret))

      const early = await activate<{ error: string; check: SecretCheck }>(webhook.pendingSecretSince)
      assert.deepEqual([early.status, early.headers.get('x-error-code')], [409, 'secret_not_accepted'])
      assert.deepEqual([early.body.check.next.status, early.body.check.current.status], [401, 200])
      assert.ok(await signsWith(subscriber.secret), 'the receiver does not accept it yet, so nothing changes')

      accepted.push(secret.value)
      const checked = await check<SecretCheck>(webhook.pendingSecretSince)
      assert.deepEqual([checked.body.next.ok, checked.body.current.ok], [true, true], checked.text)
      const activated = await activate<SwitchedWebhook>(webhook.pendingSecretSince)
      assert.deepEqual([activated.status, activated.body.webhook.pendingSecretSince], [200, null])
      assert.ok(await signsWith(secret.value))
      assert.deepEqual(await activity(), ['webhook.secret_activated', 'webhook.secret_prepared'])
      for (const text of [(await ask('GET', '')).text, deliveries.logged()]) assert.ok(!text.includes(secret.value))
    })

    test('an admin may give the next secret, and activate it against advice · SET-7', async () => {
      const error = 'secret must be 16 to 256 printable characters'
      assertRefused(await ask('POST', '/pending-secret', { secret: 'short' }), 400, error)
      const { webhook, secret } = await prepare({ secret: own })
      assert.deepEqual(secret, { value: own, generated: false })
      assert.equal((await activate(webhook.pendingSecretSince, true)).status, 200)
      accepted.push(own)
      assert.ok(await signsWith(own))
    })

    test('a prepared secret is discarded, by request or by an immediate change · SET-7', async () => {
      const none = 'This signing secret is no longer prepared'
      const { time } = deliveries.service
      const refuseAll = async () => {
        const now = time.now.toISOString()
        assertRefused(await discard(now), 409, none)
        assertRefused(await check(now), 409, none)
        assertRefused(await activate(now), 409, none)
        assertRefused(await activate(now, true), 409, none)
      }
      await refuseAll()
      const { webhook } = await prepare()
      const discarded = await discard<SwitchedWebhook>(webhook.pendingSecretSince)
      assert.deepEqual([discarded.status, discarded.body.webhook.pendingSecretSince], [200, null])
      await refuseAll()
      assert.ok(await signsWith(subscriber.secret))

      await prepare()
      await ask('PUT', '', { url: subscriber.url })
      assert.notEqual((await current())?.pendingSecretSince, null, 'saving the URL keeps it')
      await ask('POST', '/secret', { secret: own })
      await refuseAll()
      assert.deepEqual(
        (await activity()).filter((action) => action.startsWith('webhook.secret')),
        [
          ...['webhook.secret_changed', 'webhook.secret_prepared'],
          ...['webhook.secret_discarded', 'webhook.secret_prepared'],
        ],
      )
      await ask('DELETE', '')
      assertRefused(await ask('POST', '/pending-secret', {}), 404, 'No webhook is set')
    })

    test('what is meant for one prepared secret does nothing to one that another admin prepared meanwhile · SET-7', async () => {
      const { webhook: mine } = await prepare()
      const { webhook: theirs } = await prepare({ secret: own })
      accepted.push(own)
      const since = mine.pendingSecretSince
      const refused = [await check(since), await discard(since), await activate(since), await activate(since, true)]
      for (const answer of refused) assertRefused(answer, 409, 'This signing secret is no longer prepared')
      assert.equal(subscriber.requests.length, 0, 'the other one is not even checked')
      assert.ok(await signsWith(subscriber.secret))
      assert.equal((await activate(theirs.pendingSecretSince)).status, 200)
      assert.ok(await signsWith(own))
    })

    test('a prepared secret is re-encrypted with the others · SET-7 ROB-5', async () => {
      const { database } = deliveries.service
      const { secretsKey: old } = deliveries.out
      const { organizationId } = subscriber
      const next = randomBytes(32)
      await prepare({ secret: own })
      const { unreadable } = await reencryptSecrets(database, { current: next, previous: old })
      assert.deepEqual(unreadable, [])
      await reencryptSecrets(database, { current: old, previous: next })
      await activateSecret(database, organizationId, deliveries.service.time.now)
      accepted.push(own)
      assert.ok(await signsWith(own))
      await rotateSecret({ database, secretsKey: old }, organizationId, deliveries.service.time.now)
    })
  })
}

function isSignature({ headers, body }: ReceivedRequest, secret: string): boolean {
  const signature = String(headers['x-service-signature'])
  return signature === sign(body, secret, new Date(Number(/t=(\d+)/.exec(signature)?.[1]) * 1000))
}
