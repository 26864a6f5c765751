import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { ActivityPage, CurrentPace, CurrentWebhook, SwitchedWebhook } from '../../server/http/settings/schemas.ts'
import { pauseOrganization } from '../../server/queue/pauses.ts'
import { type Deliveries, type Subscriber, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { type SignedInMember, signedInMember } from '../../support/members.ts'

for (const engine of engines) {
  describe(`the pace in the settings area on ${engine.name}`, () => {
    let deliveries: Deliveries
    let subscriber: Subscriber
    let admin: SignedInMember
    before(async () => {
      deliveries = await startDeliveries(engine)
    })
    beforeEach(async () => {
      subscriber = await deliveries.subscriber()
      admin = await signedInMember(deliveries.service, 'admin', subscriber.organizationId)
    })
    after(() => deliveries.close())

    const ask = <Body>(method: string, path: string, body?: unknown) =>
      admin.call<Body>(method, `/organizations/${subscriber.organizationId}${path}`, body)
    const pace = async () => (await ask<CurrentPace>('GET', '/pace')).body

    test('a limit is set, shown, kept when the URL is saved, and removed · DLV-19', async () => {
      const none = { maxPerSecond: null, pausedUntil: null, perSecond: null, waiting: 0 }
      assert.deepEqual(await pace(), none)
      const set = await ask<SwitchedWebhook>('PUT', '/webhook/pace', { maxPerSecond: 25 })
      assert.equal(set.body.webhook.maxPerSecond, 25, set.text)
      await subscriber.complete()
      assert.deepEqual(await pace(), { ...none, maxPerSecond: 25, perSecond: 25, waiting: 1 })
      await ask('PUT', '/webhook', { url: subscriber.url })
      assert.equal((await ask<CurrentWebhook>('GET', '/webhook')).body.webhook?.maxPerSecond, 25)
      await ask('PUT', '/webhook/pace', { maxPerSecond: null })
      assert.deepEqual(await pace(), none)
      const { data } = (await ask<ActivityPage>('GET', '/activity')).body
      const changes = data.filter(({ action }) => action === 'webhook.pace_changed').map(({ detail }) => detail)
      assert.deepEqual(changes, ['no limit', 'at most 25 a second'])
    })

    test('a limit is a whole number from 1 to 1000, and needs a webhook', async () => {
      for (const maxPerSecond of [0, 1_001, 1.5, '10', undefined]) {
        const refused = await ask('PUT', '/webhook/pace', { maxPerSecond })
        assert.equal(refused.status, 400, String(maxPerSecond))
      }
      await ask('DELETE', '/webhook')
      assertRefused(await ask('PUT', '/webhook/pace', { maxPerSecond: 1 }), 404, 'No webhook is set')
    })

    test('a pause is shown to viewers, with how many wait; saving the endpoint ends it · DLV-19', async () => {
      const { database } = deliveries.service
      await pauseOrganization(database, subscriber.organizationId, 120)
      for (let count = 0; count < 3; count += 1) await subscriber.complete()
      admin = await signedInMember(deliveries.service, 'viewer', subscriber.organizationId)
      const { pausedUntil, ...rest } = await pace()
      assert.deepEqual(rest, { maxPerSecond: null, perSecond: 1, waiting: 3 })
      const seconds = (Date.parse(pausedUntil ?? '') - Date.now()) / 1_000
      assert.ok(seconds > 0 && seconds <= 120, pausedUntil ?? 'none')
      admin = await signedInMember(deliveries.service, 'admin', subscriber.organizationId)
      await ask('PUT', '/webhook', { url: subscriber.url })
      assert.equal((await pace()).pausedUntil, null)
    })
  })
}
