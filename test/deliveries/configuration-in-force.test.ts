import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { rotateSecret, setEndpointEnabled } from '../../server/endpoints/endpoint.ts'
import { setOrganizationActive } from '../../server/organizations/organizations.ts'
import { saveWebhook } from '../../server/workflows/administer.ts'
import { eraseCandidate } from '../../server/workflows/erase-candidate.ts'
import {
  type CompletedInterview,
  type Deliveries,
  image,
  type Subscriber,
  startDeliveries,
} from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { padded } from '../../support/jpeg.ts'
import { eventually } from '../../support/process.ts'
import type { ReceivedRequest } from '../../support/receiver.ts'

// The memory for large images has room for two of these per organization.
const large = padded(image, 70_000)

for (const engine of engines) {
  describe(`an event that waits behind a slow endpoint on ${engine.name}`, () => {
    let deliveries: Deliveries
    before(async () => {
      deliveries = await startDeliveries(engine)
    })
    after(() => deliveries?.close())

    for (const [name, change, failureReason] of [
      ['the webhook is disabled', disable, 'WEBHOOK_DISABLED'],
      ['the organization becomes inactive', deactivate, 'ORGANIZATION_INACTIVE'],
      ['the candidate is erased', erase, 'CANDIDATE_ERASED'],
    ] as const) {
      test(`is not sent once ${name} · DLV-16 ${failureReason === 'WEBHOOK_DISABLED' ? 'DLV-6' : 'DLV-18'}`, async () => {
        const subscriber = await deliveries.subscriber()
        const { last } = await whileOneWaits(subscriber, (completed) => change(subscriber, completed))
        const failed = await deliveries.waitForStatus(last.deliveryId, 'FAILED')
        assert.partialDeepStrictEqual(failed, { failureReason, attempts: 0, history: [] })
        assert.equal(subscriber.requests.length, 2)
        assert.equal(await deliveries.job(last.deliveryId), null)
      })
    }

    test('goes to the new URL if it changed in the meantime · DLV-16', async () => {
      const [subscriber, moved] = [await deliveries.subscriber(), await deliveries.subscriber()]
      const { last } = await whileOneWaits(subscriber, async () => {
        const { time } = deliveries.service
        await saveWebhook(
          deliveries.out,
          { organizationId: subscriber.organizationId, actor: 'test' },
          { url: moved.url },
          time.now,
        )
      })
      await deliveries.waitForStatus(last.deliveryId, 'DELIVERED')
      assert.equal(subscriber.requests.length, 2)
      assert.deepEqual(
        moved.requests.map(({ headers }) => headers['x-service-idempotency-key']),
        [last.resultId],
      )
    })

    test('is signed with the new secret if it was rotated in the meantime · DLV-16 SIG-3', async () => {
      const subscriber = await deliveries.subscriber()
      let secret = ''
      const { last } = await whileOneWaits(subscriber, async () => {
        const { time } = deliveries.service
        secret = (await rotateSecret(deliveries.out, subscriber.organizationId, time.now))?.secret ?? ''
      })
      await deliveries.waitForStatus(last.deliveryId, 'DELIVERED')
      const [first, , third] = subscriber.requests
      assert.ok(first && third && subscriber.requests.length === 3)
      assert.ok(isSignedWith(subscriber.secret, first) && !isSignedWith(secret, first))
      assert.ok(isSignedWith(secret, third) && !isSignedWith(subscriber.secret, third))
    })

    /** Three events: two take up all the room until the change is made; the last is loaded before the change and waits. */
    async function whileOneWaits(
      subscriber: Subscriber,
      change: (last: CompletedInterview) => Promise<unknown>,
    ): Promise<{ last: CompletedInterview }> {
      const released = Promise.withResolvers<void>()
      subscriber.answer(async () => {
        await released.promise
        return { status: 200 }
      })
      const [one, two, last] = [
        await subscriber.complete({ image: large }),
        await subscriber.complete({ image: large }),
        await subscriber.complete({ image: large }),
      ]
      const { loader } = deliveries.out
      const loaded = new Set<string>()
      const load = async (id: string) => {
        const delivery = await loader.load(id)
        loaded.add(id)
        return delivery
      }
      const worker = deliveries.startWorker({ loader: { ...loader, load } })
      try {
        assert.ok(await eventually(async () => loaded.has(last.deliveryId) && subscriber.requests.length === 2))
        await change(last)
        released.resolve()
        for (const { deliveryId } of [one, two]) await deliveries.waitForStatus(deliveryId, 'DELIVERED')
        assert.ok(await eventually(async () => (await deliveries.read(last.deliveryId)).status !== 'PENDING'))
      } finally {
        released.resolve()
        await worker.stop()
      }
      return { last }
    }

    function disable({ organizationId }: Subscriber): Promise<unknown> {
      const { database, time } = deliveries.service
      return setEndpointEnabled(database, organizationId, false, time.now)
    }

    function deactivate({ organizationId }: Subscriber): Promise<unknown> {
      return setOrganizationActive(deliveries.service.database, organizationId, false)
    }

    function erase({ organizationId }: Subscriber, { invitation }: CompletedInterview): Promise<unknown> {
      const { database, time } = deliveries.service
      const candidate = { organizationId, email: invitation.candidate.email, actor: 'test' }
      return eraseCandidate(database, candidate, { dryRun: false }, time.now)
    }
  })
}

function isSignedWith(secret: string, { headers, body }: ReceivedRequest): boolean {
  const signature = String(headers['x-service-signature'])
  const t = signature.slice(2, signature.indexOf(','))
  const digest = createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')
  return signature === `t=${t},v1=${digest}`
}
