import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { removeEndpoint, rotateSecret } from '../../server/endpoints/endpoint.ts'
import { checkReceiver, receiverChecks } from '../../server/endpoints/receiver-check.ts'
import { sign } from '../../server/endpoints/signature.ts'
import { listActivity } from '../../server/organizations/activity.ts'
import { type Deliveries, type Subscriber, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import type { ReceivedRequest } from '../../support/receiver.ts'

const actor = 'ada@example.com'

for (const engine of engines) {
  describe(`"Check my receiver" on ${engine.name}`, () => {
    let deliveries: Deliveries
    before(async () => {
      deliveries = await startDeliveries(engine)
    })
    after(() => deliveries.close())

    const check = ({ organizationId }: Subscriber, name: string) =>
      checkReceiver(deliveries.out, { organizationId, actor }, name)
    const checkAll = async (subscriber: Subscriber) => {
      const findings: Record<string, boolean> = {}
      for (const { name } of receiverChecks) {
        const checked = await check(subscriber, name)
        assert.ok(checked.outcome === 'checked')
        assert.equal(checked.finding.ok, checked.finding.advice === null, JSON.stringify(checked.finding))
        findings[name] = checked.finding.ok
      }
      return findings
    }
    /** A receiver that follows the contract. */
    const verifying = (secret: string) => (request: ReceivedRequest) => {
      const signature = String(request.headers['x-service-signature'])
      const at = new Date(Number(/^t=(\d+),/.exec(signature)?.[1]) * 1000)
      const { time } = deliveries.service
      const recent = Math.abs(at.getTime() - time.now.getTime()) <= 300_000
      return { status: recent && sign(request.body, secret, at) === signature ? 200 : 401 }
    }

    test('a correct receiver passes every check, and the samples are marked and leave no record · SET-3', async () => {
      const subscriber = await deliveries.subscriber()
      subscriber.answer(verifying(subscriber.secret))
      assert.deepEqual(await checkAll(subscriber), {
        valid: true,
        wrong_signature: true,
        old_timestamp: true,
        repeated: true,
        largest_body: true,
      })
      for (const { body, headers } of subscriber.requests) {
        if (headers['x-service-event-id'] === undefined) continue
        assert.match(String(headers['x-service-event-id']), /^external_result_completed_sample_/)
        assert.match(JSON.parse(body.toString()).resultId, /^sample_/)
      }
      const { database } = deliveries.service
      const { organizationId } = subscriber
      assert.deepEqual(await database.query(sql`select from deliveries where organization_id = ${organizationId}`), [])
      const activity = await listActivity(database, organizationId, { limit: 10 })
      assert.ok(activity !== 'invalid_cursor')
      assert.deepEqual(
        activity.data.filter((entry) => entry.actor === actor).map(({ action, subject }) => [action, subject]),
        [['webhook.checked', new URL(subscriber.url).host]],
      )
    })

    test('a receiver that accepts anything, or nothing large, fails the check', async () => {
      const subscriber = await deliveries.subscriber()
      subscriber.answer(({ body }) => ({ status: body.length > 1_000_000 ? 413 : 200 }))
      assert.deepEqual(await checkAll(subscriber), {
        valid: true,
        wrong_signature: false,
        old_timestamp: false,
        repeated: true,
        largest_body: false,
      })
    })

    test('samples are signed with the current secret and go only to allowed destinations · DST-1', async () => {
      const subscriber = await deliveries.subscriber()
      const { organizationId } = subscriber
      subscriber.answer(verifying(subscriber.secret))
      const { time } = deliveries.service
      await rotateSecret(deliveries.out, organizationId, time.now)
      assert.partialDeepStrictEqual(await check(subscriber, 'valid'), { finding: { ok: false, status: 401 } })

      const sent = subscriber.requests.length
      subscriber.addresses.now = ['10.0.0.7']
      const refused = await check(subscriber, 'valid')
      assert.ok(refused.outcome === 'checked' && !refused.finding.ok && refused.finding.status === null)
      assert.match(refused.finding.detail, /DESTINATION_REFUSED: 10\.0\.0\.7 is private/)
      assert.equal(subscriber.requests.length, sent)

      assert.deepEqual(await check(subscriber, 'nothing'), { outcome: 'unknown_check' })
      await removeEndpoint(deliveries.service.database, organizationId)
      assert.deepEqual(await check(subscriber, 'valid'), { outcome: 'no_webhook' })
    })

    test('an organization may run thirty checks a minute', async () => {
      const subscriber = await deliveries.subscriber()
      const { database } = deliveries.service
      // In the next minute's window, so that this minute's end doesn't reset it.
      await database.query(sql`
        insert into check_windows (organization_id, minute, used)
        values (${subscriber.organizationId}, floor(extract(epoch from now()) / 60)::bigint + 1, 29)`)
      assert.equal((await check(subscriber, 'valid')).outcome, 'checked')
      const sent = subscriber.requests.length
      const refused = await check(subscriber, 'valid')
      assert.ok(refused.outcome === 'too_many' && refused.secondsToReset > 0 && refused.secondsToReset <= 60)
      assert.equal(subscriber.requests.length, sent)
      assert.equal((await check(await deliveries.subscriber(), 'valid')).outcome, 'checked')

      // A clock that was an hour ahead and is corrected doesn't block the organization for that hour.
      await database.query(sql`update check_windows set minute = minute + 60`)
      assert.equal((await check(subscriber, 'valid')).outcome, 'checked')
    })
  })
}
