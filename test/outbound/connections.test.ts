import assert from 'node:assert/strict'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { capacity } from '../../server/deliveries/worker.ts'
import { maxPerAddress } from '../../server/outbound/connections.ts'
import { createDestinationGuard } from '../../server/outbound/destination.ts'
import { createPoster } from '../../server/outbound/post.ts'
import { createOutbound } from '../../support/outbound.ts'
import { type RawReceiver, startRawReceiver, startReceiver } from '../../support/receiver.ts'
import { createAuthority } from '../../support/tls.ts'

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'

async function startPair(context: TestContext) {
  const receiver = await startReceiver({ names: ['*.example.com', 'localhost'] })
  const outbound = createOutbound({ ca: receiver.ca })
  context.after(async () => {
    await outbound.close()
    await receiver.close()
  })
  return { receiver, outbound }
}

/** Handlers by request number, counted across connections. Each runs when its request has arrived. */
async function startScript(context: TestContext, steps: ((socket: TLSSocket, tcp: Socket) => void)[]) {
  let requests = 0
  const receiver = await startRawReceiver((socket, tcp) => {
    socket.on('data', () => {
      requests += 1
      steps[requests - 1]?.(socket, tcp)
    })
  })
  const outbound = createOutbound({ ca: receiver.ca })
  context.after(async () => {
    await outbound.close()
    await receiver.close()
  })
  return { receiver, outbound, requests: () => requests }
}

async function untilClosed(receiver: Pick<RawReceiver, 'openConnections'>, left = 0) {
  while (receiver.openConnections() > left) await setTimeout(5)
}

test('sequential requests share a connection', async (context) => {
  const { receiver, outbound } = await startPair(context)
  for (let count = 1; count <= 50; count += 1) await outbound.send(receiver.url())
  assert.equal(receiver.requests.length, 50)
  assert.equal(receiver.connections(), 1)
})

test('an unasked 100 Continue does no harm on a connection that is reused either', async (context) => {
  const answers = [ok, `HTTP/1.1 100 Continue\r\n\r\n${ok}`, ok]
  const { receiver, outbound, requests } = await startScript(
    context,
    answers.map((text) => (socket: TLSSocket) => socket.write(text)),
  )
  for (const _ of answers) assert.equal((await outbound.send(receiver.url())).error, null)
  assert.deepEqual([requests(), receiver.connections()], [3, 1])
})

test('an idle connection is reused only for the address it was dialed to · DST-7', async (context) => {
  const authority = createAuthority()
  const first = await startReceiver({ authority })
  context.after(first.close)
  const second = await startReceiver({ authority, host: '127.0.0.2', port: first.port }).catch(() => null)
  if (second === null) return context.skip('this machine has no second loopback address')
  context.after(second.close)
  let address = '127.0.0.1'
  const outbound = createOutbound({ ca: authority.ca, address: () => address })
  context.after(outbound.close)

  const url = first.url('/', 'hooks.example.com')
  assert.equal((await outbound.send(url)).address, '127.0.0.1')
  address = '127.0.0.2'
  assert.equal((await outbound.send(url)).address, '127.0.0.2')
  address = '127.0.0.1'
  const third = await outbound.send(url)
  assert.equal(third.timing.connect, null)
  assert.deepEqual([first.requests.length, second.requests.length], [2, 1])
  assert.deepEqual([first.connections(), second.connections()], [1, 1])
})

test('the vetted address is dialed, even if the name server changes its response right after · DST-2', async (context) => {
  const receiver = await startReceiver()
  const poster = createPoster({ extraCa: receiver.ca })
  context.after(async () => {
    await poster.close()
    await receiver.close()
  })
  const answers = [['127.0.0.1'], ['169.254.169.254']]
  const resolve = async () => answers.shift() ?? ['169.254.169.254']
  const guard = createDestinationGuard({ resolve, allowCidrs: ['127.0.0.0/8'] })
  const url = receiver.url('/', 'hooks.example.com')
  const signal = AbortSignal.timeout(60_000)

  const vetting = await guard.vet(url, signal)
  assert.equal((await guard.vet(url, signal)).ok, false)
  assert.ok(vetting.ok)
  const result = await poster.post(vetting.destination, { headers: {}, body: Buffer.from('{}'), signal })
  assert.equal(result.error, null)
  assert.equal(result.address, '127.0.0.1')
  assert.equal(receiver.requests[0]?.servername, 'hooks.example.com')
  assert.equal(receiver.requests[0]?.headers.host, `hooks.example.com:${receiver.port}`)
})

test('two host names on one address do not share a connection', async (context) => {
  const { receiver, outbound } = await startPair(context)
  await outbound.send(receiver.url('/', 'a.example.com'))
  await outbound.send(receiver.url('/', 'b.example.com'))
  assert.deepEqual(
    receiver.requests.map((request) => request.servername),
    ['a.example.com', 'b.example.com'],
  )
  assert.equal(receiver.connections(), 2)
})

test('concurrent requests use as many connections as a worker has deliveries, and the rest wait', async (context) => {
  assert.equal(maxPerAddress, capacity)
  const { receiver, outbound } = await startPair(context)
  const gate = Promise.withResolvers<void>()
  receiver.answer(async () => {
    if (receiver.requests.length === maxPerAddress) gate.resolve()
    await gate.promise
    return {}
  })
  const results = await Promise.all(
    Array.from({ length: 200 }, () => outbound.send(receiver.url(), { deadline: 60_000 })),
  )
  assert.ok(results.every((result) => result.error === null))
  assert.equal(receiver.connections(), maxPerAddress)

  let asked = 0
  receiver.answer(() => {
    asked += 1
    return asked <= maxPerAddress ? undefined : {}
  })
  const stuck = Array.from({ length: maxPerAddress }, () => outbound.send(receiver.url(), { deadline: 3_000 }))
  const patient = outbound.send(receiver.url(), { deadline: 60_000 })
  const hasty = await outbound.send(receiver.url(), { deadline: 100 })
  assert.deepEqual([hasty.error, hasty.phase], ['TIMEOUT', 'wait'])
  for (const result of await Promise.all(stuck)) assert.equal(result.phase, 'response')
  assert.equal((await patient).error, null)
})

test('at most 256 idle connections stay open, however many endpoints there are', async (context) => {
  const { receiver, outbound } = await startPair(context)
  const names = Array.from({ length: 257 }, (_, index) => `n${index}.example.com`)
  const sendToAll = () => Promise.all(names.map((name) => outbound.send(receiver.url('/', name), { deadline: 60_000 })))
  const gate = Promise.withResolvers<void>()
  receiver.answer(async () => {
    if (receiver.requests.length === names.length) gate.resolve()
    await gate.promise
    return {}
  })
  await sendToAll()
  const results = await sendToAll()
  assert.equal(results.filter(({ timing }) => timing.connect !== null).length, 1)
})

test('a connection that the receiver asks to close is closed', async (context) => {
  const { receiver, outbound } = await startPair(context)
  for (const headers of [{ connection: 'close' }, { 'keep-alive': 'timeout=1' }]) {
    receiver.answer({ headers })
    const before = receiver.connections()
    await outbound.send(receiver.url())
    await outbound.send(receiver.url())
    assert.equal(receiver.connections() - before, 2)
    await untilClosed(receiver)
  }
})

test('an idle connection is closed before the receiver would close it', async (context) => {
  const { receiver, outbound } = await startPair(context)
  receiver.answer({ headers: { 'keep-alive': 'timeout=3' } })
  await outbound.send(receiver.url())
  assert.equal(receiver.openConnections(), 1)
  await untilClosed(receiver)
})

test('an idle connection that was closed in the meantime is replaced without a failure', async (context) => {
  const { receiver, outbound } = await startScript(context, [
    (socket) => socket.end(ok),
    (socket, tcp) => socket.write(ok, () => tcp.resetAndDestroy()),
    (socket) => socket.write(ok),
  ])
  for (let count = 1; count <= 3; count += 1) {
    assert.equal((await outbound.send(receiver.url())).error, null)
    await untilClosed(receiver, count === 3 ? 1 : 0)
  }
  assert.equal(receiver.connections(), 3)
})

test('a request whose connection breaks before the response is a network failure, and is sent once · DLV-15', async (context) => {
  const breaks = [
    (socket: TLSSocket) => socket.end(),
    (socket: TLSSocket) => socket.destroy(),
    (_: TLSSocket, tcp: Socket) => tcp.resetAndDestroy(),
    (socket: TLSSocket) => socket.write('HTTP/1.1 2', () => socket.destroy()),
  ]
  const answer = (socket: TLSSocket) => socket.write(ok)
  for (const breakOff of breaks) {
    const { receiver, outbound, requests } = await startScript(context, [breakOff, answer, breakOff, answer])
    const fresh = await outbound.send(receiver.url())
    assert.deepEqual([fresh.error, fresh.phase, requests()], ['NETWORK', 'response', 1])
    assert.equal((await outbound.send(receiver.url())).error, null)
    const reused = await outbound.send(receiver.url())
    assert.deepEqual([reused.error, reused.phase, reused.timing.connect], ['NETWORK', 'response', null])
    assert.equal((await outbound.send(receiver.url())).error, null)
    assert.deepEqual([requests(), receiver.connections()], [4, 3])
  }
})

test('an event sent right after the receiver closed the idle connection arrives in one request on a new one · DLV-15', async (context) => {
  const closes = [
    (socket: TLSSocket) => new Promise<void>((resolve) => socket.end(resolve)),
    async (_: TLSSocket, tcp: Socket) => tcp.destroy(),
    async (_: TLSSocket, tcp: Socket) => tcp.resetAndDestroy(),
  ]
  for (const close of closes) {
    let sockets: [TLSSocket, Socket] | undefined
    const { receiver, outbound, requests } = await startScript(context, [
      (...both) => {
        sockets = both
        both[0].write(ok)
      },
      (socket) => socket.write(ok),
    ])
    assert.equal((await outbound.send(receiver.url())).error, null)
    assert.ok(sockets)
    // The rest runs in the poll phase after the sockets were polled, so the client can't have noticed.
    await stat(import.meta.filename)
    await close(...sockets)
    const result = await outbound.send(receiver.url())
    assert.equal(result.error, null)
    assert.notEqual(result.timing.connect, null)
    assert.deepEqual([requests(), receiver.connections()], [2, 2])
  }
})

test('a connection that is reset before the request is written is replaced; after that the attempt fails once · DLV-15', async (context) => {
  for (let iterations = 0; iterations <= 6; iterations += 1) {
    const answer = (socket: TLSSocket) => socket.write(ok)
    let socketInUse: Socket | undefined
    const { receiver, outbound, requests } = await startScript(context, [
      (socket, tcp) => {
        socketInUse = tcp
        socket.write(ok)
      },
      answer,
    ])
    assert.equal((await outbound.send(receiver.url())).error, null)
    await stat(import.meta.filename)
    const sent = outbound.send(receiver.url())
    for (let iteration = 0; iteration < iterations; iteration += 1) await setImmediate()
    socketInUse?.resetAndDestroy()
    const { error } = await sent
    // Nothing is written during the first iterations of the event loop.
    if (iterations <= 2) assert.equal(error, null, `after ${iterations} iterations`)
    assert.ok(
      error === null ? requests() === 2 : requests() <= 2,
      `after ${iterations} iterations: ${error}, ${requests()} requests`,
    )
  }
})

test('a connection that was idle for too long is not reused, even if the process was blocked in the meantime', async (context) => {
  const receiver = await startReceiver()
  const outbound = createOutbound({ ca: receiver.ca, idleTimeoutMilliseconds: 50 })
  context.after(async () => {
    await outbound.close()
    await receiver.close()
  })
  await outbound.send(receiver.url())
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60)
  assert.notEqual((await outbound.send(receiver.url())).timing.connect, null)
})

test('a connection on which the receiver did not read the whole last request is not reused', async (context) => {
  const { receiver, outbound } = await startScript(context, [
    (socket) => socket.pause().write('HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n'),
    (socket) => socket.write(ok),
  ])
  assert.equal((await outbound.send(receiver.url(), { body: Buffer.alloc(30_000_000) })).status, 413)
  assert.equal((await outbound.send(receiver.url(), { deadline: 1000 })).status, 200)
  assert.equal(receiver.connections(), 2)
})

test('an unsolicited response is not mistaken for the response to the next request', async (context) => {
  const { receiver, outbound } = await startScript(context, [
    (socket) => socket.write(`${ok}HTTP/1.1 500 Unasked\r\ncontent-length: 0\r\n\r\n`),
    (socket) => socket.write(ok),
  ])
  assert.equal((await outbound.send(receiver.url())).status, 200)
  assert.equal((await outbound.send(receiver.url())).status, 200)
  assert.equal(receiver.connections(), 2)
})

test('the deadline aborts a connection that is still being established, and no other · DST-5', async (context) => {
  const sockets: Socket[] = []
  const silent = createServer((socket) => sockets.push(socket.on('error', () => {})))
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  context.after(() => silent.close())
  const address = silent.address()
  assert.ok(address !== null && typeof address === 'object')
  const outbound = createOutbound()
  context.after(outbound.close)

  const url = `https://hooks.example.com:${address.port}/`
  const longer = outbound.send(url, { deadline: 600 })
  await once(silent, 'connection')
  const arrived = once(silent, 'connection')
  const shorter = await outbound.send(url, { deadline: 100 })
  assert.deepEqual([shorter.error, shorter.phase], ['TIMEOUT', 'handshake'])
  await arrived
  const [first, second] = sockets
  assert.ok(first && second)
  if (!second.closed) await once(second.resume(), 'close')
  assert.equal(first.closed, false)
  assert.equal((await longer).error, 'TIMEOUT')
  if (!first.closed) await once(first.resume(), 'close')
})

test('closing lets requests in flight finish and drops idle connections', async (context) => {
  const { receiver, outbound } = await startPair(context)
  await outbound.send(receiver.url())
  const arrived = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  receiver.answer(async () => {
    arrived.resolve()
    await gate.promise
    return { status: 201 }
  })
  const running = outbound.send(receiver.url('/', 'slow.example.com'))
  await arrived.promise
  const closed = outbound.close()
  await untilClosed(receiver, 1)
  gate.resolve()
  assert.equal((await running).status, 201)
  await closed
  await untilClosed(receiver)
})
