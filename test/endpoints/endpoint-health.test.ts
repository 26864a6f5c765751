import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { rotateSecret, setEndpointEnabled } from '../../server/endpoints/endpoint.ts'
import {
  countFailingEndpoints,
  type EndpointState,
  noteEndpointHealth,
  watchEndpoints,
} from '../../server/endpoints/endpoint-health.ts'
import type { CurrentAlert } from '../../server/http/settings/delivery-schemas.ts'
import { type Deliveries, type Subscriber, startDeliveries } from '../support/deliveries.ts'
import { engines } from '../support/engines.ts'
import { type Visitor, visitor } from '../support/members.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

for (const engine of engines) {
  describe(`alerts about endpoints on ${engine.name}`, () => {
    let deliveries: Deliveries
    before(async () => {
      deliveries = await startDeliveries(engine)
    })
    after(() => deliveries?.close())

    const pass = (milliseconds: number) => {
      const { time } = deliveries.service
      time.now = new Date(time.now.getTime() + milliseconds)
    }
    const look = () => noteEndpointHealth(deliveries.service.database, deliveries.service.time.now)
    /** What is reported about this organization once the attempts so far are settled. */
    const reported = async ({ organizationId }: Subscriber) => {
      pass(minute)
      return (await look()).filter((one) => one.organizationId === organizationId).map(({ state }) => state)
    }
    const sends = async (subscriber: Subscriber, status: number, options: { image?: null } = {}) => {
      subscriber.answer({ status })
      const { deliveryId } = await subscriber.complete(options)
      await deliveries.attempt(deliveryId)
    }
    const alertFor = async (member: Visitor, { organizationId }: Subscriber) => {
      const { status, body } = await member.call<CurrentAlert>('GET', `/organizations/${organizationId}/alert`)
      assert.equal(status, 200)
      return body.alert
    }

    test('the first failure, an hour of it and the recovery are reported once each, and shown to members', async () => {
      const subscriber = await deliveries.subscriber()
      const viewer = await visitor(deliveries.service, 'viewer', subscriber.organizationId)
      assert.equal(await alertFor(viewer, subscriber), null)
      await sends(subscriber, 200)
      assert.deepEqual(await reported(subscriber), [])

      const since = deliveries.service.time.now.toISOString()
      await sends(subscriber, 503)
      pass(4 * second)
      assert.deepEqual(await look(), [], 'others may have ended at the same time and not be committed yet')
      pass(second)
      const failing = { since, lastError: 'HTTP_5XX', failures: 1 }
      assert.deepEqual(await look(), [{ organizationId: subscriber.organizationId, state: 'failing', ...failing }])
      assert.deepEqual(await alertFor(viewer, subscriber), { state: 'failing', ...failing })
      assert.equal(await countFailingEndpoints(deliveries.service.database), 1)

      await sends(subscriber, 404)
      assert.deepEqual(await reported(subscriber), [])
      const worse = { state: 'failing', since, lastError: 'HTTP_4XX', failures: 2 }
      assert.deepEqual(await alertFor(viewer, subscriber), worse)
      pass(hour)
      assert.deepEqual(await reported(subscriber), ['still_failing'])
      pass(24 * hour)
      assert.deepEqual(await reported(subscriber), [])

      const at = deliveries.service.time.now.toISOString()
      await sends(subscriber, 200)
      assert.deepEqual(await reported(subscriber), ['recovered'])
      assert.deepEqual(await alertFor(viewer, subscriber), { state: 'recovered', at })
      assert.equal(await countFailingEndpoints(deliveries.service.database), 0)
      pass(hour)
      assert.equal(await alertFor(viewer, subscriber), null)
      await sends(subscriber, 500)
      assert.deepEqual(await reported(subscriber), ['failing'])
    })

    test('a failure that was over before anybody looked is not reported; one that goes on is, with the right time', async () => {
      const subscriber = await deliveries.subscriber()
      await sends(subscriber, 500)
      await sends(subscriber, 200)
      assert.deepEqual(await reported(subscriber), [])
      await sends(subscriber, 200)
      await sends(subscriber, 500)
      assert.deepEqual(await reported(subscriber), ['failing'])
      await sends(subscriber, 200)
      pass(second)
      const since = deliveries.service.time.now.toISOString()
      await sends(subscriber, 500)
      assert.deepEqual(await reported(subscriber), [])
      const admin = await visitor(deliveries.service, 'admin', subscriber.organizationId)
      const failing = { state: 'failing', since, lastError: 'HTTP_5XX', failures: 1 }
      assert.deepEqual(await alertFor(admin, subscriber), failing)
    })

    test('a bad image says nothing about the endpoint, and one organization nothing about another', async () => {
      const [subscriber, other] = [await deliveries.subscriber(), await deliveries.subscriber()]
      await sends(subscriber, 200, { image: null })
      await sends(other, 503)
      pass(minute)
      const states = new Map((await look()).map(({ organizationId, state }) => [organizationId, state]))
      assert.deepEqual(
        [states.get(subscriber.organizationId), states.get(other.organizationId)],
        [undefined, 'failing'],
      )
    })

    test('an endpoint that is disabled or saved again starts over', async () => {
      const subscriber = await deliveries.subscriber()
      const admin = await visitor(deliveries.service, 'admin', subscriber.organizationId)
      const { database, time } = deliveries.service
      const { secretsKey } = deliveries.out
      await sends(subscriber, 503)
      assert.deepEqual(await reported(subscriber), ['failing'])
      await rotateSecret({ database, secretsKey }, subscriber.organizationId, time.now)
      assert.equal(await alertFor(admin, subscriber), null)
      pass(2 * hour)
      assert.deepEqual(await reported(subscriber), [], 'nothing is known of it since')
      await sends(subscriber, 503)
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
          ...{ database, clock: () => time.now },
          logger: { warn: say('warn'), info: say('info') },
          observe: (state) => observed.push(state),
        })
      await sends(subscriber, 503)
      pass(minute)
      await watch()
      pass(hour)
      await watch()
      await sends(subscriber, 200)
      pass(minute)
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
