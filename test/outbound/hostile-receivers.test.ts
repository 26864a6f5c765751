import assert from 'node:assert/strict'
import { createServer, type Server, type Socket } from 'node:net'
import { test } from 'node:test'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { createPoster, type PostResult } from '../../server/outbound/post.ts'
import { createOutbound } from '../../support/outbound.ts'
import { startRawReceiver, startReceiver } from '../../support/receiver.ts'
import { createAuthority } from '../../support/tls.ts'

const authority = createAuthority()

type Expected = Partial<Pick<PostResult, 'error' | 'status' | 'phase' | 'code'>> & { detail?: RegExp }
type Converse = (socket: TLSSocket, tcp: Socket) => void

const head = 'HTTP/1.1 200 OK\r\n'
const refusal = 'HTTP/1.1 403 No\r\n'
const accepted = { error: null, status: 200, phase: null, code: null } as const
const withoutBody = { error: null, status: 200, phase: 'body' } as const
const late = { error: 'TIMEOUT', status: null, phase: 'response' } as const
const broken = { error: 'NETWORK', status: null, phase: 'response' } as const

/** What a receiver does with a request, and the expected outcome. These would go on forever. */
const endless: Record<string, [Converse, Expected]> = {
  'says nothing': [() => {}, { ...late, detail: /no response arrived in time/ }],
  'stops within the headers': [(socket) => socket.write(`${head}x: `), late],
  'accepts and stops within the body': [
    (socket) => socket.write(`${head}content-length: 10\r\n\r\nabc`),
    { ...withoutBody, code: null, detail: /did not end in time/ },
  ],
  'refuses and stops within the body': [
    (socket) => socket.write(`${refusal}content-length: 10\r\n\r\nabc`),
    { error: 'HTTP_4XX', status: 403, phase: 'body', detail: /did not end in time/ },
  ],
  'fails and stops within the body': [
    (socket) => socket.write('HTTP/1.1 500 Oops\r\ncontent-length: 10\r\n\r\n'),
    { error: 'HTTP_5XX', status: 500, phase: 'body' },
  ],
  'accepts and drips a body': [(socket) => drip(socket, `${head}\r\n`, 'x'), withoutBody],
  'drips headers': [(socket) => drip(socket, head, 'x: y\r\n'), late],
  'drips interim answers': [(socket) => drip(socket, '', 'HTTP/1.1 103 Early\r\n\r\n'), late],
}

/** These end quickly. */
const brief: Record<string, [Converse, Expected]> = {
  'sends headers without end': [(socket) => flood(socket, head, `x: ${'y'.repeat(99)}\r\n`), broken],
  'sends one header without end': [(socket) => flood(socket, `${head}x: `, 'y'.repeat(99)), broken],
  'sends a reason without end': [(socket) => flood(socket, 'HTTP/1.1 200 ', 'y'.repeat(99)), broken],
  'sends interim answers without end': [(socket) => flood(socket, '', 'HTTP/1.1 103 Early\r\nlink: x\r\n\r\n'), broken],
  'sends a body without end': [(socket) => flood(socket, `${head}\r\n`, 'y'.repeat(999)), accepted],
  'refuses with a body without end': [
    (socket) => flood(socket, `${refusal}\r\n`, 'y'.repeat(999)),
    { error: 'HTTP_4XX', status: 403, phase: null },
  ],
  'promises a terabyte': [
    (socket) => flood(socket, `${head}content-length: 1000000000000\r\n\r\n`, 'y'.repeat(999)),
    accepted,
  ],
  'sends a chunk extension without end': [
    (socket) => flood(socket, `${head}transfer-encoding: chunked\r\n\r\n5;a=`, 'y'.repeat(99)),
    accepted,
  ],
  'sends trailers without end': [
    (socket) => flood(socket, `${head}transfer-encoding: chunked\r\n\r\n0\r\n`, `x: ${'y'.repeat(99)}\r\n`),
    withoutBody,
  ],
  'sends a gzip bomb': [
    (socket) => {
      const bomb = gzipSync(Buffer.alloc(30_000_000))
      socket.write(`${head}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
      socket.write(bomb)
    },
    accepted,
  ],
  'closes without an answer': [(socket) => socket.end(), broken],
  'resets the connection': [(_, tcp) => tcp.resetAndDestroy(), { ...broken, code: 'ECONNRESET', detail: /reset$/ }],
  'accepts and resets within the body': [
    (socket, tcp) => socket.write(`${head}content-length: 10\r\n\r\nabc`, () => tcp.resetAndDestroy()),
    { ...withoutBody, code: 'ECONNRESET', detail: /reset$/ },
  ],
  'refuses and resets within the body': [
    (socket, tcp) => socket.write(`${refusal}content-length: 10\r\n\r\nabc`, () => tcp.resetAndDestroy()),
    { error: 'HTTP_4XX', status: 403, phase: 'body', code: 'ECONNRESET' },
  ],
  'accepts and ends the body early': [(socket) => socket.end(`${head}content-length: 10\r\n\r\nabc`), withoutBody],
  'refuses and ends the body early': [
    (socket) => socket.end(`${refusal}transfer-encoding: chunked\r\n\r\n5\r\nab`),
    { error: 'HTTP_4XX', status: 403, phase: 'body' },
  ],
  'switches the protocol': [
    (socket) => socket.write('HTTP/1.1 101 Switch\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
    broken,
  ],
  'switches the protocol to nothing': [(socket) => socket.write('HTTP/1.1 101 Switch\r\n\r\n'), broken],
  'speaks another protocol': [(socket) => socket.write('SSH-2.0-OpenSSH_9.9\r\n'), broken],
  'responds with status 0': [(socket) => socket.write('HTTP/1.1 000 Zero\r\ncontent-length: 0\r\n\r\n'), broken],
  'answers with status 999': [
    (socket) => socket.write('HTTP/1.1 999 Nine\r\ncontent-length: 0\r\n\r\n'),
    { error: 'NETWORK', status: 999, phase: 'response' },
  ],
  'gives two lengths': [
    (socket) => socket.write(`${head}content-length: 3\r\ncontent-length: 4\r\n\r\nabcd`),
    { error: 'NETWORK' },
  ],
  'redirects to the metadata service': [
    (socket) => socket.write('HTTP/1.1 302 Found\r\nlocation: https://169.254.169.254/\r\ncontent-length: 0\r\n\r\n'),
    { error: 'HTTP_3XX', status: 302 },
  ],
  'announces before it answers': [
    (socket) => socket.write(`HTTP/1.1 103 Early\r\nlink: x\r\n\r\n${head}content-length: 0\r\n\r\n`),
    accepted,
  ],
  'says continue, which nobody asked for': [
    (socket) => socket.write(`HTTP/1.1 100 Continue\r\n\r\n${head}content-length: 0\r\n\r\n`),
    accepted,
  ],
  'says continue without end': [(socket) => flood(socket, '', 'HTTP/1.1 100 Continue\r\n\r\n'), broken],
  'says continue at length': [
    (socket) => flood(socket, 'HTTP/1.1 100 Continue\r\n', `x: ${'y'.repeat(99)}\r\n`),
    broken,
  ],
  'answers in HTTP/1.0': [(socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nhello'), accepted],
}

test('receivers that hang or drip are abandoned at the deadline, and a status that arrived counts · DST-5 · DLV-14', async (context) => {
  const outbound = createOutbound({ ca: authority.ca })
  context.after(outbound.close)
  const all = Object.entries(endless).map(async ([does, [converse, expected]]) => {
    const receiver = await startConversing(converse)
    context.after(receiver.close)
    const result = await outbound.send(receiver.url(), { deadline: 2_000 })
    check(does, result, expected)
    // Generous, for a busy machine.
    assert.ok(result.timing.total < 30_000)
  })
  await Promise.all(all)
})

test('receivers that flood, break off or misbehave are abandoned immediately, and a status that arrived counts · DST-4 · DST-5 · DLV-14', async (context) => {
  const outbound = createOutbound({ ca: authority.ca })
  context.after(outbound.close)
  for (const [does, [converse, expected]] of Object.entries(brief)) {
    const receiver = await startConversing(converse)
    context.after(receiver.close)
    check(does, await outbound.send(receiver.url()), expected)
  }
})

test('of a response without end, little more than 64 KiB is read · DST-5 · ROB-1', async (context) => {
  const outbound = createOutbound({ ca: authority.ca })
  context.after(outbound.close)
  const { promise: sent, resolve: close } = Promise.withResolvers<number>()
  const receiver = await startConversing((socket, tcp) => {
    tcp.once('close', () => close(tcp.bytesWritten))
    flood(socket, `${head}\r\n`, 'y'.repeat(999))
  })
  context.after(receiver.close)
  check('sends a body without end', await outbound.send(receiver.url()), accepted)
  // What the buffers of both systems hold comes on top.
  assert.ok((await sent) < 16 * 1024 * 1024, `${await sent} bytes`)
})

test('while some receivers hang, others get their requests immediately · DST-5', async (context) => {
  const outbound = createOutbound({ ca: authority.ca })
  const decent = await startReceiver({ authority })
  const hanging = await startConversing((socket) => drip(socket, head, 'x: y\r\n'))
  context.after(async () => {
    await outbound.close()
    await hanging.close()
    await decent.close()
  })
  let ended = 0
  const stuck = Array.from({ length: 30 }, async () => {
    const result = await outbound.send(hanging.url(), { deadline: 10 * 60_000 })
    ended += 1
    return result
  })
  for (let count = 1; count <= 20; count += 1) assert.equal((await outbound.send(decent.url())).error, null)
  assert.equal(ended, 0)
  await hanging.close()
  for (const result of await Promise.all(stuck)) assert.equal(result.error, 'NETWORK')
})

function startConversing(converse: Converse) {
  return startRawReceiver((socket, tcp) => socket.once('data', () => converse(socket, tcp)), { authority })
}

const cert = authority.issue({ names: ['localhost'] })
const outdated = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' } as const

const inHandshake = { error: 'NETWORK', status: null, phase: 'handshake', code: 'ECONNRESET' } as const

/** Servers that never get as far as a request. */
const handshakes: Record<string, [() => Server, Expected]> = {
  'speaks plain HTTP': [
    () => createServer((socket) => onHello(socket, () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))),
    { error: 'TLS', status: null, phase: 'handshake', detail: /^the port does not speak TLS$/ },
  ],
  'says nothing': [
    () => createServer((socket) => onHello(socket, () => {})),
    { error: 'TIMEOUT', status: null, phase: 'handshake', detail: /^the TLS handshake did not finish in time$/ },
  ],
  'hangs up': [() => createServer((socket) => onHello(socket, () => socket.destroy())), inHandshake],
  resets: [() => createServer((socket) => onHello(socket, () => socket.resetAndDestroy())), inHandshake],
  'knows only TLS 1.1': [
    () => createTlsServer({ ...cert, ...outdated }),
    { error: 'TLS', status: null, detail: /^the endpoint supports neither TLS 1.2 nor TLS 1.3$/ },
  ],
  'knows only HTTP/2': [
    () => createTlsServer({ ...cert, ALPNProtocols: ['h2'] }),
    { error: 'TLS', status: null, detail: /^the endpoint does not support HTTP\/1.1$/ },
  ],
}

test('a failed TLS handshake is distinguished from a broken network · DST-5', async (context) => {
  const outbound = createOutbound({ ca: authority.ca })
  context.after(outbound.close)
  const all = Object.entries(handshakes).map(async ([does, [create, expected]]) => {
    const server = create()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    context.after(() => server.close())
    const address = server.address()
    assert.ok(address !== null && typeof address === 'object')
    check(does, await outbound.send(`https://localhost:${address.port}/`, { deadline: 1000 }), expected)
  })
  await Promise.all(all)
})

test('a port with no listener is a network failure', async (context) => {
  const outbound = createOutbound()
  context.after(outbound.close)
  const gone = await startReceiver()
  await gone.close()
  const refused = { ...broken, phase: 'connect', code: 'ECONNREFUSED', detail: /^the connection was refused$/ } as const
  check('is gone', await outbound.send(gone.url()), refused)
})

test('nothing is dialed after the deadline · DST-5', async (context) => {
  const receiver = await startReceiver({ authority })
  const poster = createPoster({ extraCa: authority.ca })
  context.after(async () => {
    await poster.close()
    await receiver.close()
  })
  const url = new URL(receiver.url())
  const destination = { url, hostname: 'localhost', port: receiver.port, address: '127.0.0.1', family: 4 } as const
  const signal = AbortSignal.abort()
  const result = await poster.post(destination, { headers: {}, body: Buffer.from('{}'), signal })
  assert.deepEqual([result.error, result.phase], ['TIMEOUT', 'wait'])
  assert.equal(receiver.connections(), 0)
})

function check(does: string, result: PostResult, expected: Expected) {
  const what = `a receiver that ${does}: ${JSON.stringify({ ...result, answer: result.answer.length })}`
  assert.equal(result.error, expected.error, what)
  if (expected.status !== undefined) assert.equal(result.status, expected.status, what)
  if (expected.phase !== undefined) assert.equal(result.phase, expected.phase, what)
  if (expected.code !== undefined) assert.equal(result.code, expected.code, what)
  if (expected.detail !== undefined) assert.match(result.detail ?? '', expected.detail, what)
  assert.ok(result.answer.length <= 1024, what)
}

function drip(socket: TLSSocket, start: string, drop: string) {
  socket.write(start)
  const timer = setInterval(() => socket.write(drop), 20)
  socket.on('close', () => clearInterval(timer))
}

function flood(socket: TLSSocket, start: string, drop: string) {
  socket.write(start)
  const pour = () => {
    while (!socket.destroyed && socket.write(drop));
  }
  socket.on('drain', pour)
  pour()
}

function onHello(socket: Socket, act: () => void) {
  socket.on('error', () => {}).once('data', act)
}
