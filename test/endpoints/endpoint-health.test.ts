import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { rotateSecret, setEndpointEnabled } from '../../server/endpoints/endpoint.ts'
import {
  countFailingEndpoints,
  type EndpointState,
  lookAtEndpoints,
  startWatchingEndpoints,
} from '../../server/endpoints/endpoint-health.ts'
import type { CurrentAlert } from '../../server/http/settings/delivery-schemas.ts'
import { type Deliveries, type Subscriber, startDeliveries } from '../support/deliveries.ts'
import { engines } from '../support/engines.ts'
import { type Visitor, visitor } from '../support/members.ts'
import { eventually } from '../support/process.ts'

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
    const look = () => lookAtEndpoints(deliveries.service.database, deliveries.service.time.now)
    /** What a look once its outcome is settled says of this organization. */
    const told = async ({ organizationId }: Subscriber) => {
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

    test('the first failure, an hour of it and the recovery are told once each, and shown to members', async () => {
      const subscriber = await deliveries.subscriber()
      const viewer = await visitor(deliveries.service, 'viewer', subscriber.organizationId)
      assert.equal(await alertFor(viewer, subscriber), null)
      await sends(subscriber, 200)
      assert.deepEqual(await told(subscriber), [])

      const since = deliveries.service.time.now.toISOString()
      await sends(subscriber, 503)
      pass(29 * second)
      assert.deepEqual(await look(), [], 'an attempt that may not have ended yet is left for later')
      pass(second)
      const failing = { since, lastError: 'HTTP_5XX', failures: 1 }
      assert.deepEqual(await look(), [{ organizationId: subscriber.organizationId, state: 'failing', ...failing }])
      assert.deepEqual(await alertFor(viewer, subscriber), { state: 'failing', ...failing })
      assert.equal(await countFailingEndpoints(deliveries.service.database), 1)

      await sends(subscriber, 404)
      assert.deepEqual(await told(subscriber), [])
      const worse = { state: 'failing', since, lastError: 'HTTP_4XX', failures: 2 }
      assert.deepEqual(await alertFor(viewer, subscriber), worse)
      pass(hour)
      assert.deepEqual(await told(subscriber), ['still_failing'])
      pass(24 * hour)
      assert.deepEqual(await told(subscriber), [])

      const at = deliveries.service.time.now.toISOString()
      await sends(subscriber, 200)
      assert.deepEqual(await told(subscriber), ['recovered'])
      assert.deepEqual(await alertFor(viewer, subscriber), { state: 'recovered', at })
      assert.equal(await countFailingEndpoints(deliveries.service.database), 0)
      pass(hour)
      assert.equal(await alertFor(viewer, subscriber), null)
      await sends(subscriber, 500)
      assert.deepEqual(await told(subscriber), ['failing'])
    })

    test('what went well again before anybody looked is not told; what goes on failing is, of the right time', async () => {
      const subscriber = await deliveries.subscriber()
      await sends(subscriber, 500)
      await sends(subscriber, 200)
      assert.deepEqual(await told(subscriber), [])
      await sends(subscriber, 200)
      await sends(subscriber, 500)
      assert.deepEqual(await told(subscriber), ['failing'])
      await sends(subscriber, 200)
      pass(second)
      const since = deliveries.service.time.now.toISOString()
      await sends(subscriber, 500)
      assert.deepEqual(await told(subscriber), [])
      const admin = await visitor(deliveries.service, 'admin', subscriber.organizationId)
      const failing = { state: 'failing', since, lastError: 'HTTP_5XX', failures: 1 }
      assert.deepEqual(await alertFor(admin, subscriber), failing)
    })

    test('an image at fault says nothing about the endpoint, and one organization nothing about another', async () => {
      const [subscriber, other] = [await deliveries.subscriber(), await deliveries.subscriber()]
      await sends(subscriber, 200, { image: null })
      await sends(other, 503)
      pass(minute)
      const fare = new Map((await look()).map(({ organizationId, state }) => [organizationId, state]))
      assert.deepEqual([fare.get(subscriber.organizationId), fare.get(other.organizationId)], [undefined, 'failing'])
    })

    test('an endpoint that is switched off, or saved anew, makes a new beginning', async () => {
      const subscriber = await deliveries.subscriber()
      const admin = await visitor(deliveries.service, 'admin', subscriber.organizationId)
      const { database, time } = deliveries.service
      const { secretsKey } = deliveries.out
      await sends(subscriber, 503)
      assert.deepEqual(await told(subscriber), ['failing'])
      await rotateSecret({ database, secretsKey }, subscriber.organizationId, time.now)
      assert.equal(await alertFor(admin, subscriber), null)
      pass(2 * hour)
      assert.deepEqual(await told(subscriber), [], 'nothing is known of it since')
      await sends(subscriber, 503)
      assert.deepEqual(await told(subscriber), ['failing'])
      await setEndpointEnabled(database, subscriber.organizationId, false, time.now)
      assert.equal(await alertFor(admin, subscriber), null)
    })

    test('it is looked after by itself, in the log and for whoever counts', async () => {
      const subscriber = await deliveries.subscriber()
      const { database, time } = deliveries.service
      const observed: EndpointState[] = []
      const lines: string[] = []
      const say = (level: string) => (fields: object, text: string) => {
        if (JSON.stringify(fields).includes(subscriber.organizationId)) lines.push(`${level}: ${text}`)
      }
      const watching = startWatchingEndpoints({
        ...{ database, intervalSeconds: 0.02, clock: () => time.now, report: assert.fail },
        logger: { warn: say('warn'), info: say('info') },
        observe: (state) => observed.push(state),
      })
      const hears = async (count: number) => {
        assert.ok(await eventually(async () => lines.length === count), lines.join())
      }
      try {
        await sends(subscriber, 503)
        pass(minute)
        await hears(1)
        pass(hour)
        await hears(2)
        await sends(subscriber, 200)
        pass(minute)
        await hears(3)
      } finally {
        await watching.stop()
      }
      assert.deepEqual(lines, [
        'warn: an endpoint fails',
        'warn: an endpoint has been failing for an hour',
        'info: an endpoint works again',
      ])
      for (const state of ['failing', 'still_failing', 'recovered'] as const) assert.ok(observed.includes(state))
    })
  })
}
