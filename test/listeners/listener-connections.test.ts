import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { imageOfSize } from '../../sdk/src/sample-event.ts'
import { connectionLimits } from '../../server/http/limits.ts'
import { startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { createToken, openListener, requestStream } from '../../support/listener.ts'
import { eventually } from '../../support/process.ts'

const limits = { perProcess: 50, perOrganization: 5, lookEvery: 20, keepAlive: 15_000 }
const largest = Buffer.from(imageOfSize(1_000_000))

for (const engine of engines) {
  test(`a silent stream outlives the server's silence timeout on ${engine.name}`, async () => {
    const deliveries = await startDeliveries(engine, {
      listenerLimits: { ...limits, keepAlive: 20 },
      connectionLimits: { ...connectionLimits, silence: 3_000 },
    })
    try {
      const subscriber = await deliveries.subscriber()
      const { token } = await createToken(deliveries.service, subscriber.organizationId)
      const response = await requestStream(deliveries.service.url, token)
      assert.ok(response.body)
      let text = ''
      const began = performance.now()
      for await (const chunk of response.body) {
        text += Buffer.from(chunk).toString()
        if (performance.now() - began > 4_500) break
      }
      assert.match(text, /^(id: \S+\nevent: ready\ndata: .*\n\n)(: keep-alive\n\n){5,}/)
    } finally {
      await deliveries.close()
    }
  })

  test(`a listener that does not read is dropped, and holds up no other, on ${engine.name} · ROB-3 ROB-4`, async () => {
    const deliveries = await startDeliveries(engine, {
      listenerLimits: { ...limits, perOrganization: 2 },
      connectionLimits: { ...connectionLimits, response: 2_000, checkEvery: 50 },
    })
    try {
      const subscriber = await deliveries.subscriber()
      const { token } = await createToken(deliveries.service, subscriber.organizationId)
      const { hostname, port } = new URL(deliveries.service.url)
      const slow = connect(Number(port), hostname)
      slow.write(`GET /listen/events HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\n\r\n`)
      await once(slow, 'readable')
      const listener = await openListener(deliveries.service.url, token)
      const ids: string[] = []
      const closed = once(slow, 'close')
      // More than the buffers of both sockets hold.
      for (let count = 0; count < 12; count += 1) ids.push((await subscriber.complete({ image: largest })).resultId)
      await listener.events(12)
      assert.deepEqual(listener.resultIds(), ids)
      const makesRoom = async () => {
        const third = await openListener(deliveries.service.url, token).catch(() => null)
        await third?.leave()
        return third !== null
      }
      assert.ok(await eventually(makesRoom))
      slow.on('error', () => {}).resume()
      await closed
      await listener.leave()
    } finally {
      await deliveries.close()
    }
  })

  test(`clients that leave before they are served take no place, on ${engine.name} · ROB-3`, async () => {
    const deliveries = await startDeliveries(engine, { listenerLimits: { ...limits, perOrganization: 1 } })
    try {
      const subscriber = await deliveries.subscriber()
      const { token } = await createToken(deliveries.service, subscriber.organizationId)
      const { hostname, port } = new URL(deliveries.service.url)
      const request = `GET /listen/events HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\n\r\n`
      for (const requests of [1, 3]) {
        const client = connect(Number(port), hostname)
        client.write(request.repeat(requests), () => client.resetAndDestroy())
        await once(client, 'close')
        const isServed = async () => {
          const listener = await openListener(deliveries.service.url, token).catch(() => null)
          await listener?.leave()
          return listener !== null
        }
        assert.ok(await eventually(isServed), `${requests} requests`)
      }
    } finally {
      await deliveries.close()
    }
  })

  test(`a closing server ends its streams at once, on ${engine.name}`, async () => {
    const deliveries = await startDeliveries(engine, { listenerLimits: limits })
    const subscriber = await deliveries.subscriber()
    const { token } = await createToken(deliveries.service, subscriber.organizationId)
    const listener = await openListener(deliveries.service.url, token)
    // With a stream that did not end, this would take the 30 seconds that a stopping server waits.
    await Promise.all([deliveries.close(), listener.ended])
  })
}
