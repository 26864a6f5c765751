import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { sharedPostgres } from '../../support/postgres.ts'
import { startServer } from '../../support/process.ts'

test('a client that connects while the server is still starting is served once it has started', async (t) => {
  const postgres = await sharedPostgres()
  const database = new URL(await postgres.createDatabase())
  const held = await holdConnections(Number(database.port))
  t.after(held.close)
  database.port = String(held.port)
  const port = await freePort()
  const starting = startServer({
    PORT: String(port),
    DATABASE_URL: database.href,
    ENGINE_TOKEN: 'x'.repeat(32),
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
  })

  const client = await connectWhenOpen(port)
  client.write('GET /readyz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  let response = ''
  client.setEncoding('utf8').on('data', (text: string) => {
    response += text
  })
  assert.equal(response, '')
  held.release()
  await once(client, 'close')
  assert.match(response, /^HTTP\/1.1 200 /)
  await using _server = await starting
})

/** A proxy to a port that forwards nothing until it is released. */
async function holdConnections(to: number): Promise<{ port: number; release(): void; close(): void }> {
  const released = Promise.withResolvers<void>()
  const sockets = new Set<Socket>()
  const proxy = createServer(async (inbound) => {
    sockets.add(inbound)
    inbound.on('error', () => {})
    await released.promise
    const outbound = connect(to, '127.0.0.1').on('error', () => inbound.destroy())
    sockets.add(outbound)
    inbound.pipe(outbound).pipe(inbound)
  })
  const port = await listen(proxy)
  return {
    port,
    release: released.resolve,
    close() {
      proxy.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

async function connectWhenOpen(port: number): Promise<Socket> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const connected = await once(socket, 'connect').catch(() => null)
    if (connected) return socket
    await setImmediate()
  }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  const port = await listen(probe)
  probe.close()
  await once(probe, 'close')
  return port
}

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return address.port
}
