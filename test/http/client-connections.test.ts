import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { createConnections } from '../../server/http/client-connections.ts'
import { type ConnectionLimits, connectionLimits } from '../../server/http/limits.ts'

const get = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n'
const large = Buffer.alloc(32 * 1024 * 1024)

test('a client that does not read its response is dropped · ROB-3', async () => {
  await using server = await serve((_request, response) => response.end(large), { response: 50, checkEvery: 10 })
  const { accepted } = await server.open(get)
  await once(accepted, 'close')
})

test('a client that stops reading is dropped after a timeout · ROB-3', async () => {
  await using server = await serve((_request, response) => response.end(large), { silence: 50 })
  const { accepted } = await server.open(get)
  await once(accepted, 'close')
})

test('a client that does not finish its request gets an error and is dropped · ROB-3', async () => {
  await using server = await serve((_request, response) => response.end(), { request: 50, checkEvery: 10 })
  const { client } = await server.open('GET / HTTP/1.1\r\nhost: a\r\n')
  client.resume()
  await once(client, 'close')
})

test('pipelined requests are served up to a limit, then the connection is closed · ROB-3', async () => {
  let served = 0
  const count: RequestListener = () => {
    served += 1
  }
  await using server = await serve(count, { pipelined: 3 })
  const { client, accepted } = await server.open(get.repeat(1_000))
  client.resume()
  await once(accepted, 'close')
  assert.equal(served, 3)
})

test('sequential requests on one connection are not limited', async () => {
  await using server = await serve((_request, response) => response.end('ok'), { pipelined: 1 })
  const { client } = await server.open('')
  for (let count = 0; count < 50; count += 1) {
    client.write(get)
    assert.match(String((await once(client, 'data'))[0]), /^HTTP\/1\.1 200/)
  }
})

test('when all connections are taken, the longest idle one is closed · ROB-3', async () => {
  await using server = await serve((_request, response) => response.end('ok'), { connections: 2 })
  const first = await server.open('')
  const second = await server.open('')
  first.client.write(get)
  await once(first.client, 'data')
  const third = await server.open(get)
  await once(second.accepted, 'close')
  assert.match(String((await once(third.client, 'data'))[0]), /^HTTP\/1\.1 200/)
  assert.equal(first.accepted.destroyed, false)
})

for (const [slow, bytes, answer] of [
  ['an unfinished body', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nx', null],
  ['an unread response', get, large],
] as const) {
  test(`when none is idle, the oldest with ${slow} is closed · ROB-3`, async () => {
    const started = Promise.withResolvers<void>()
    const respond: RequestListener = ({ url }, response) => {
      if (url === '/other') response.end('ok')
      else if (answer) response.end(answer, () => {})
      started.resolve()
    }
    await using server = await serve(respond, { connections: 1 })
    const first = await server.open(bytes)
    await started.promise
    const other = await server.open(get.replace('/', '/other'))
    assert.match(String((await once(other.client, 'data'))[0]), /^HTTP\/1\.1 200/)
    assert.equal(first.accepted.destroyed, true)
  })
}

test('when all connections are busy, a new one is closed · ROB-3', async () => {
  const started = Promise.withResolvers<void>()
  await using server = await serve(() => started.resolve(), { connections: 1 })
  const first = await server.open(get)
  await started.promise
  const second = await server.open(get)
  second.client.resume()
  await once(second.client, 'close')
  assert.equal(first.accepted.destroyed, false)
})

test('stopping closes unused connections immediately and the rest after a timeout', async () => {
  await using server = await serve(() => {}, {})
  const unused = await server.open('')
  const half = await server.open('GET / HTTP/1.1\r\n')
  const running = await server.open(get)
  await once(running.accepted, 'data')
  server.connections.closeUnused()
  await once(unused.accepted, 'close')
  assert.deepEqual([half.accepted.destroyed, running.accepted.destroyed], [false, false])
  server.connections.closeAllIn(1)
  await Promise.all([once(half.accepted, 'close'), once(running.accepted, 'close')])
})

async function serve(handle: RequestListener, limits: Partial<ConnectionLimits>) {
  const connections = createConnections({ ...connectionLimits, ...limits })
  const server = connections.serve(handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const clients: Socket[] = []
  return {
    connections,
    /** Both ends of a connection. The client reads only what the test asks for. */
    async open(bytes: string): Promise<{ client: Socket; accepted: Socket }> {
      const client = connect(port, '127.0.0.1').on('error', () => {})
      clients.push(client)
      const [[accepted]] = await Promise.all([once(server, 'connection'), once(client, 'connect')])
      if (bytes !== '') client.write(bytes)
      return { client, accepted }
    },
    async [Symbol.asyncDispose]() {
      connections.stop()
      for (const client of clients) client.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
