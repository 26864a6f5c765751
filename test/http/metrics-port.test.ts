import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { serveMetrics } from '../../server/http/metrics.ts'

const host = '127.0.0.1'
const logger = { error: (_: object, text: string) => assert.fail(text) }

test('the metrics port responds while clients hold more connections than it allows · ROB-3', async (t) => {
  const port = await freePort()
  const metrics = await serveMetrics({ text: async () => 'up 1\n', token: null, logger }, { host, port })
  t.after(() => metrics.close())
  const strangers = Array.from({ length: 100 }, () => connect(port, host))
  t.after(() => {
    for (const stranger of strangers) stranger.destroy()
  })
  const closed = strangers.map((stranger) => once(stranger.resume(), 'close'))
  await Promise.all(strangers.map((stranger) => once(stranger, 'connect')))
  await Promise.all(closed.slice(0, 36))

  const response = await fetch(`http://${host}:${port}/metrics`)
  assert.equal(await response.text(), 'up 1\n')
})

test('CONNECT followed by a reset does not crash the process that serves metrics · ROB-1', async (t) => {
  const port = await freePort()
  const metrics = await serveMetrics({ text: async () => 'up 1\n', token: null, logger }, { host, port })
  t.after(() => metrics.close())
  const stranger = connect(port, host)
  stranger.write('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n')
  const [data] = await once(stranger, 'data')
  assert.match(String(data), /^HTTP\/1.1 405 /)
  stranger.resetAndDestroy()
  await once(stranger, 'close')
  const response = await fetch(`http://${host}:${port}/metrics`)
  assert.equal(response.status, 200)
})

test('metrics that can’t be read get a 500, and the log says why', async (t) => {
  const port = await freePort()
  const cause = new Error('no such table')
  const logged: unknown[] = []
  const metrics = await serveMetrics(
    { text: () => Promise.reject(cause), token: null, logger: { error: (...line) => logged.push(line) } },
    { host, port },
  )
  t.after(() => metrics.close())
  const response = await fetch(`http://${host}:${port}/metrics`)
  assert.equal(response.status, 500)
  assert.deepEqual(logged, [[{ err: cause }, 'could not read the metrics']])
})

async function freePort(): Promise<number> {
  const probe = createServer((socket: Socket) => socket.destroy()).listen(0, host)
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  assert.ok(address !== null && typeof address === 'object')
  return address.port
}
