import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createClient } from '../../sdk/src/client.ts'
import { createMemoryStore } from '../../sdk/src/memory-store.ts'
import { createReceiver } from '../../sdk/src/receiver.ts'
import { reconcile } from '../../sdk/src/reconcile.ts'
import type { ResultCompleted } from '../../sdk/src/types.ts'
import { type Deliveries, image, scoring, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import type { ReceivedRequest } from '../../support/receiver.ts'

let deliveries: Deliveries
before(async () => {
  const [engine] = engines
  assert.ok(engine)
  deliveries = await startDeliveries(engine)
})
after(() => deliveries.close())

/** A partner whose endpoint is the SDK's receiver. */
async function startPartner() {
  const subscriber = await deliveries.subscriber()
  const processed: { event: ResultCompleted; image: Uint8Array }[] = []
  const seen = createMemoryStore()
  const receiver = createReceiver({
    secret: subscriber.secret,
    seen,
    onResult: (event, image) => void processed.push({ event, image }),
    now: () => deliveries.service.time.now,
  })
  const receive = async ({ method, rawHeaders, body }: ReceivedRequest) => {
    const headers = new Headers()
    for (let at = 0; at < rawHeaders.length; at += 2) headers.set(String(rawHeaders[at]), String(rawHeaders[at + 1]))
    const request = new Request('http://partner.example/', { method, headers, body: new Uint8Array(body) })
    const response = await receiver.handle(request)
    await receiver.idle()
    return { status: response.status, body: await response.text() }
  }
  subscriber.answer(receive)
  return { subscriber, processed, seen, receive }
}

test('an event from the real service arrives complete, and polling finds nothing missing · EVT-1 · THU-1', async () => {
  const { subscriber, processed, seen } = await startPartner()
  const { resultId, resultUrl, deliveryId } = await subscriber.complete()
  const client = createClient({ baseUrl: deliveries.service.url, apiKey: subscriber.key })
  const missing = () => reconcile({ client, since: new Date(0), has: seen.has })
  assert.deepEqual(
    (await missing()).map((result) => result.resultId),
    [resultId],
  )

  await deliveries.attempt(deliveryId)
  assert.equal((await deliveries.read(deliveryId)).status, 'DELIVERED')
  const [only, ...more] = processed
  assert.ok(only && more.length === 0)
  assert.partialDeepStrictEqual(only.event, { resultId, resultUrl, result: { aiAnalysis: { scoring } } })
  assert.deepEqual(Buffer.from(only.image), image)
  assert.deepEqual(await missing(), [])
})

test('an event sent again because its response was lost is processed once · DLV-11 · DLV-2', async () => {
  const { subscriber, processed, receive } = await startPartner()
  const { deliveryId } = await subscriber.complete()
  subscriber.answer(async (request, response) => {
    await receive(request)
    response.destroy()
    return undefined
  })
  await deliveries.attempt(deliveryId)
  assert.equal((await deliveries.read(deliveryId)).status, 'PENDING')
  subscriber.answer(receive)
  await deliveries.attempt(deliveryId)
  assert.equal((await deliveries.read(deliveryId)).status, 'DELIVERED')
  assert.deepEqual([subscriber.requests.length, processed.length], [2, 1])
})
