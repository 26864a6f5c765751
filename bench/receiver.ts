/** A TLS receiver in its own process: reads each event, responds with 200, and reports which arrived when. */
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createAuthority } from '../support/tls.ts'
import { monotonicMilliseconds } from './monotonic.ts'
import type { Arrival, Question } from './receiving.ts'

const authority = createAuthority()
const { cert, key } = authority.issue({ names: ['localhost'] })
const arrivals = new Map<string, Arrival>()

const server = createServer({ cert, key }, (request, response) => {
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  request.on('end', () => {
    const resultId = request.headers['x-service-idempotency-key']
    // Saving a webhook may connect without sending an event.
    if (typeof resultId === 'string') arrive(resultId, bytes)
    response.end()
  })
})

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
