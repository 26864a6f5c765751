/**
 * A TLS receiver in its own process: reads each event, responds with 200, and reports which arrived when. It shares the
 * machine with what is measured, so it does as little as it can: no HTTP library, only what the service sends.
 */
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { createAuthority } from '../support/tls.ts'
import { monotonicMilliseconds } from './monotonic.ts'
import type { Arrival, Question } from './receiving.ts'

const authority = createAuthority()
const { cert, key } = authority.issue({ names: ['localhost'] })
const arrivals = new Map<string, Arrival>()

// The headers that Node's own server sends: the service reads and stores them.
const response = [
  'HTTP/1.1 200 OK',
  `Date: ${new Date().toUTCString()}`,
  'Connection: keep-alive',
  'Keep-Alive: timeout=5',
  'Content-Length: 0',
  '\r\n',
].join('\r\n')

const server = createServer({ cert, key }, (socket) => {
  let head: Buffer = Buffer.alloc(0)
  let request: Request | null = null
  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    if (request === null) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
      request = parseRequest(head)
    } else request.left -= chunk.length
    if (request === null || request.left > 0) return
    // Saving a webhook may connect without sending an event.
    if (request.resultId !== undefined) arrive(request.resultId, request.bytes)
    head = Buffer.alloc(0)
    request = null
    socket.write(response, 'latin1')
  })
})

/** `left`: bytes of the body that have not arrived yet. */
type Request = { resultId: string | undefined; bytes: number; left: number }

/** Null until all headers are there. */
function parseRequest(received: Buffer): Request | null {
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return null
  const head = received.toString('latin1', 0, end)
  const bytes = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
  const resultId = /\r\nx-service-idempotency-key: (\S+)/i.exec(head)?.[1]
  return { resultId, bytes, left: bytes - (received.length - end - 4) }
}

function arrive(resultId: string, bytes: number): void {
  const earlier = arrivals.get(resultId)
  if (earlier) earlier.times++
  else arrivals.set(resultId, { resultId, bytes, at: monotonicMilliseconds(), times: 1 })
}

process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.on('message', (question: Question) => process.send?.(answer(question, port)))
})

function answer(question: Question, port: number) {
  if (question === 'address') return { url: `https://localhost:${port}/events`, ca: authority.ca }
  if (question === 'arrivals') return [...arrivals.values()]
  if (question === 'reset') arrivals.clear()
  return arrivals.size
}
