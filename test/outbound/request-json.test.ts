import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDestinationGuard } from '../../server/outbound/destination.ts'
import { createRequestJson } from '../../server/outbound/request-json.ts'
import { startRawReceiver } from '../../support/receiver.ts'

const guard = createDestinationGuard({ resolve: async () => ['127.0.0.1'], allowCidrs: ['127.0.0.0/8'] })

for (const [what, response] of [
  [
    'upgrades a connection that nobody asked to upgrade',
    'HTTP/1.1 101 Yes\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
  ],
  ['announces a response and closes', 'HTTP/1.1 103 Early\r\n\r\n'],
] as const) {
  test(`a request to a server that ${what} ends`, async () => {
    const server = await startRawReceiver((socket) => void socket.end(response))
    try {
      const requestJson = createRequestJson({ guard, extraCa: server.ca, signal: new AbortController().signal })
      const result = await requestJson({ method: 'GET', url: server.url('/.well-known/openid-configuration') })
      assert.equal(result.ok, false)
    } finally {
      await server.close()
    }
  })
}
