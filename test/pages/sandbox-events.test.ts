import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setEndpointEnabled } from '../../server/endpoints/endpoint.ts'
import { samplePortrait, sampleScoring } from '../../server/workflows/sandbox.ts'
import { type Deliveries, type Invitation, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { eventually } from '../../support/process.ts'
import { fields, open } from './journey.ts'

for (const engine of engines) {
  describe(`the event of a sandbox interview on ${engine.name}`, () => {
    let deliveries: Deliveries
    before(async () => {
      deliveries = await startDeliveries(engine)
    })
    after(() => deliveries.close())

    test('is sent like that of any other result, and the page shows that it arrived · EVT-1', async () => {
      const subscriber = await deliveries.subscriber()
      const invited = await subscriber.invite()
      const worker = deliveries.startWorker()
      try {
        await complete(invited)
        assert.ok(await eventually(async () => (await progressOf(invited)).state === 'delivered'))
      } finally {
        await worker.stop()
      }
      assert.deepEqual(await progressOf(invited), {
        state: 'delivered',
        heading: 'Delivered',
        text: 'The receiver accepted it after 1 attempt.',
        final: true,
      })
      assert.equal(subscriber.requests.length, 1)
      const event = JSON.parse(String(subscriber.requests[0]?.body))
      assert.equal(event.thumbnail.dataBase64, samplePortrait.toString('base64'))
      assert.deepEqual(event.result.aiAnalysis.scoring, sampleScoring)
      const page = await pageOf(invited)
      assert.match(page, /data-state="delivered" data-final="true"/)
      assert.ok(page.includes(`href="${event.resultUrl}"`))
    })

    test('is on its way until a worker claims it, and between attempts', async () => {
      const subscriber = await deliveries.subscriber()
      const invited = await subscriber.invite()
      await complete(invited)
      const deliveryId = /dlv_[0-9a-z]{26}/.exec(await pageOf(invited))?.[0] ?? ''
      assert.match(await pageOf(invited), /<noscript><meta http-equiv="refresh"/)
      assert.equal((await progressOf(invited)).text, 'It will be sent in a moment.')

      subscriber.answer({ status: 503 })
      await deliveries.attempt(deliveryId)
      const { state, text, final } = await progressOf(invited)
      assert.deepEqual({ state, final }, { state: 'waiting', final: false })
      assert.match(text, /^Your endpoint answered 503: .* the next attempt is automatic\.$/)
    })

    test('is shown as failed, with the reason, if the receiver rejects it', async () => {
      const subscriber = await deliveries.subscriber()
      const invited = await subscriber.invite()
      await complete(invited)
      subscriber.answer({ status: 410 })
      await deliveries.attempt(/dlv_[0-9a-z]{26}/.exec(await pageOf(invited))?.[0] ?? '')
      const { state, text } = await progressOf(invited)
      assert.equal(state, 'failed')
      assert.match(text, /^Your endpoint answered 410: /)
      assert.doesNotMatch(text, /[A-Z]+_[A-Z\d]/, 'no codes')
      assert.match(await pageOf(invited), /data-state="failed"/)
    })

    test('is not sent while the webhook is disabled, and the page says so · EVT-2', async () => {
      const subscriber = await deliveries.subscriber()
      const { database, time } = deliveries.service
      await setEndpointEnabled(database, subscriber.organizationId, false, time.now)
      const invited = await subscriber.invite()
      await complete(invited)
      const { state, final } = await progressOf(invited)
      assert.deepEqual({ state, final }, { state: 'none', final: true })
      assert.doesNotMatch(await pageOf(invited), /dlv_/)
    })

    async function complete({ inviteUrl }: Invitation): Promise<void> {
      const form = { method: 'POST', body: new URLSearchParams(fields()) }
      const done = await open(deliveries.service, inviteUrl ?? '', form)
      assert.equal(done.status, 200)
    }

    async function pageOf({ inviteUrl }: Invitation): Promise<string> {
      return (await open(deliveries.service, inviteUrl ?? '')).text
    }

    async function progressOf({ inviteUrl }: Invitation): Promise<{ state: string; text: string; final: boolean }> {
      const response = await open(deliveries.service, `${inviteUrl}/status`)
      assert.equal(response.status, 200)
      return JSON.parse(response.text)
    }
  })
}
