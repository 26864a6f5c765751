import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { rotateSecret, setEndpointEnabled } from '../../server/endpoints/endpoint.ts'
import {
  countFailingEndpoints,
  type EndpointState,
  updateEndpointHealth,
  watchEndpoints,
} from '../../server/endpoints/endpoint-health.ts'
import type { CurrentAlert } from '../../server/http/settings/delivery-schemas.ts'
import { type Deliveries, type Subscriber, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { type SignedInMember, signedInMember } from '../../support/members.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

for (const engine of engines) {
  describe(`endpoint alerts on ${engine.name}`, () => {
    let deliveries: Deliveries
    before(async () => {
      deliveries = await startDeliveries(engine)
    })
    after(() => deliveries?.close())

    const advance = (milliseconds: number) => {
      const { time } = deliveries.service
      time.now = new Date(time.now.getTime() + milliseconds)
    }
    const check = () => updateEndpointHealth(deliveries.service.database, deliveries.service.time.now)
    /** What is reported about this organization once all attempts so far are settled. */
    const reported = async ({ organizationId }: Subscriber) => {
      advance(minute)
      return (await check()).filter((one) => one.organizationId === organizationId).map(({ state }) => state)
    }
    const sends = async (subscriber: Subscriber, status: number, options: { image?: null } = {}) => {
      subscriber.answer({ status })
      const { deliveryId } = await subscriber.complete(options)
      await deliveries.attempt(deliveryId)
    }
    const alertFor = async (member: SignedInMember, { organizationId }: Subscriber) => {
      const { status, body } = await member.call<CurrentAlert>('GET', `/organizations/${organizationId}/alert`)
      assert.equal(status, 200)
      return body.alert
    }

    test('failing for a while, for an hour, and the recovery are each reported once, and shown to members', async () => {
      const subscriber = await deliveries.subscriber()
      const viewer = await signedInMember(deliveries.service, 'viewer', subscriber.organizationId)
      assert.equal(await alertFor(viewer, subscriber), null)
      await sends(subscriber, 200)
      assert.deepEqual(await reported(subscriber), [])

      const since = deliveries.service.time.now.toISOString()
      await sends(subscriber, 503)
      advance(4 * second)
      assert.deepEqual(await check(), [], 'other attempts may have ended at the same time without being committed yet')
      advance(second)
      assert.deepEqual(await check(), [], 'it may be brief')
      const seen = { state: 'failing', since, lastError: 'HTTP_5XX', failures: 1 }
      assert.deepEqual(await alertFor(viewer, subscriber), seen, 'members see it at once')
      assert.equal(await countFailingEndpoints(deliveries.service.database), 1)
      await sends(subscriber, 503)
      advance(2 * minute)
      assert.deepEqual(await check(), [], 'no attempt was made since')
      await sends(subscriber, 503)
      advance(minute)
      const failing = { since, lastError: 'HTTP_5XX', failures: 3, failedHost: new URL(subscriber.url).host }
      assert.deepEqual(await check(), [{ organizationId: subscriber.organizationId, state: 'failing', ...failing }])

      await sends(subscriber, 404)
      assert.deepEqual(await reported(subscriber), [])
      const worse = { state: 'failing', since, lastError: 'HTTP_4XX', failures: 4 }
      assert.deepEqual(await alertFor(viewer, subscriber), worse)
      advance(hour)
      assert.deepEqual(await reported(subscriber), ['still_failing'])
      advance(24 * hour)
      assert.deepEqual(await reported(subscriber), [])

      const at = deliveries.service.time.now.toISOString()
      await sends(subscriber, 200)
      assert.deepEqual(await reported(subscriber), ['recovered'])
      assert.deepEqual(await alertFor(viewer, subscriber), { state: 'recovered', at })
      assert.equal(await countFailingEndpoints(deliveries.service.database), 0)
      advance(hour)
      assert.equal(await alertFor(viewer, subscriber), null)
      await sends(subscriber, 404)
      assert.deepEqual(await reported(subscriber), ['failing'], 'an event was given up on')
    })

    test('a brief disturbance is reported to nobody, nor is its end', async () => {
      const subscriber = await deliveries.subscriber()
      for (const status of [503, 503, 503, 200, 503, 200]) {
        await sends(subscriber, status)
        advance(20 * second)
        assert.deepEqual(
          (await check()).filter(({ organizationId }) => organizationId === subscriber.organizationId),
          [],
        )
      }
    })

    test('an endpoint that moved away from a failing host has recovered, which is said of that host', async () => {
      const subscriber = await deliveries.subscriber({ host: 'before' })
      const { database, time } = deliveries.service
      const mine = async () => {
        advance(minute)
        return (await check()).filter(({ organizationId }) => organizationId === subscriber.organizationId)
      }
      await sends(subscriber, 404)
      assert.deepEqual(await reported(subscriber), ['failing'])
      await deliveries.subscriber({ host: 'after' })
      const url = subscriber.url.replace('before', 'after')
      await database.query(sql`
        update webhook_endpoints set url = ${url}, updated_at = ${time.now} where organization_id = ${subscriber.organizationId}`)
      advance(second)
      await sends(subscriber, 503)
      assert.deepEqual(await mine(), [], 'the new host may only be starting')
      await sends(subscriber, 200)
      const [change] = await mine()
      assert.deepEqual([change?.state, change?.failedHost], ['recovered', new URL(subscriber.url).host])
    })

    test('a failure that ends between two checks is not reported; an ongoing one is, with its start time', async () => {
      const subscriber = await deliveries.subscriber()
      await sends(subscriber, 500)
      await sends(subscriber, 200)
      assert.deepEqual(await reported(subscriber), [])
      await sends(subscriber, 200)
      await sends(subscriber, 404)
      assert.deepEqual(await reported(subscriber), ['failing'])
      await sends(subscriber, 200)
      advance(second)
      const since = deliveries.service.time.now.toISOString()
      await sends(subscriber, 500)
      assert.deepEqual(await reported(subscriber), [])
      const admin = await signedInMember(deliveries.service, 'admin', subscriber.organizationId)
      const failing = { state: 'failing', since, lastError: 'HTTP_5XX', failures: 1 }
      assert.deepEqual(await alertFor(admin, subscriber), failing)
    })

    test('an attempt of a process whose clock is a year ahead holds up no alert', async () => {
      const [ahead, subscriber] = [await deliveries.subscriber(), await deliveries.subscriber()]
      const inAYear = new Date(deliveries.service.time.now.getTime() + 365 * 24 * hour)
      const { deliveryId } = await ahead.complete()
      await deliveries.attempt(deliveryId, { with: { clock: () => inAYear } })
      await sends(subscriber, 404)
      assert.deepEqual(await reported(subscriber), ['failing'])
    })

    test('invalid images and other organizations don’t affect an endpoint’s health', async () => {
      const [subscriber, other] = [await deliveries.subscriber(), await deliveries.subscriber()]
      await sends(subscriber, 200, { image: null })
      await sends(other, 404)
      advance(minute)
      const states = new Map((await check()).map(({ organizationId, state }) => [organizationId, state]))
      assert.deepEqual(
        [states.get(subscriber.organizationId), states.get(other.organizationId)],
        [undefined, 'failing'],
      )
    })

    test('disabling or saving an endpoint resets its health', async () => {
      const subscriber = await deliveries.subscriber()
      const admin = await signedInMember(deliveries.service, 'admin', subscriber.organizationId)
      const { database, time } = deliveries.service
      const { secretsKey } = deliveries.out
      await sends(subscriber, 404)
      assert.deepEqual(await reported(subscriber), ['failing'])
      await rotateSecret({ database, secretsKey }, subscriber.organizationId, time.now)
      assert.equal(await alertFor(admin, subscriber), null)
      advance(2 * hour)
      assert.deepEqual(await reported(subscriber), [], 'its health was reset')
      await sends(subscriber, 404)
      assert.deepEqual(await reported(subscriber), ['failing'])
      await setEndpointEnabled(database, subscriber.organizationId, false, time.now)
      assert.equal(await alertFor(admin, subscriber), null)
    })

    test('changes are logged and counted', async () => {
      const subscriber = await deliveries.subscriber()
      const { database, time } = deliveries.service
      const observed: EndpointState[] = []
      const lines: string[] = []
      const say = (level: string) => (fields: object, text: string) => {
        if (JSON.stringify(fields).includes(subscriber.organizationId)) lines.push(`${level}: ${text}`)
      }
      const watch = () =>
        watchEndpoints({
          database,
          clock: () => time.now,
          logger: { warn: say('warn'), info: say('info') },
          observe: (state) => observed.push(state),
        })
      await sends(subscriber, 404)
      advance(minute)
      await watch()
      advance(hour)
      await watch()
      await sends(subscriber, 200)
      advance(minute)
      await watch()
      assert.deepEqual(lines, [
        'warn: endpoint is failing',
        'warn: endpoint has been failing for an hour',
        'info: endpoint recovered',
      ])
      for (const state of ['failing', 'still_failing', 'recovered'] as const) assert.ok(observed.includes(state))
    })
  })
}
