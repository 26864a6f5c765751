import { late } from './connection-failures.ts'
import { createConnections } from './connections.ts'
import type { Destination } from './destination.ts'
import { type ExchangeOutcome, exchange } from './exchange.ts'

/**
 * How long each step took, in milliseconds. `connect` and `tls` are null when a kept connection carried the request,
 * `firstByte` counts from the moment it was written, `total` is everything but `dns`, which the caller fills in.
 */
export type PostTiming = {
  dns: number | null
  connect: number | null
  tls: number | null
  firstByte: number | null
  total: number
}

/**
 * `error` is null for a 2xx answer and only then. A `status` beside TIMEOUT or NETWORK means that the answer began but
 * did not end. `answer` is the first 1 KiB of its body.
 */
export type PostResult = {
  timing: PostTiming
  address: string
  status: number | null
  error: 'HTTP_3XX' | 'HTTP_4XX' | 'HTTP_5XX' | 'TIMEOUT' | 'NETWORK' | 'TLS' | null
  detail: string | null
  answer: Buffer
}

export type PostRequest = {
  headers: Record<string, string>
  body: Uint8Array
  /** The deadline of the attempt, from its DNS lookup to the last byte read. */
  signal: AbortSignal
}

export type Poster = {
  post(destination: Destination, request: PostRequest): Promise<PostResult>
  close(): Promise<void>
}

export function createPoster(options: { extraCa?: string }): Poster {
  const connections = createConnections(options)

  async function send(destination: Destination, request: PostRequest, wanted: 'any' | 'fresh') {
    const { headers, body, signal } = request
    const connection = await connections.take(destination, signal, wanted)
    if (connection === null) return noConnection
    return exchange({ connections, connection, destination, headers, body, signal })
  }

  return {
    async post(destination, request) {
      const started = performance.now()
      let outcome = await send(destination, request, 'any')
      // Most likely the receiver closed the kept connection at the very moment the request left. Once more then, within
      // the same deadline: should the receiver have taken the first one after all, it knows the idempotency key, as with
      // every repeat, and the partner need not wait for the next receive of the queue.
      if (outcome.brokeUnanswered && !request.signal.aborted) outcome = await send(destination, request, 'fresh')

      const { connect, tls, firstByte, status, error, detail, answer } = outcome
      const timing = { dns: null, connect, tls, firstByte, total: performance.now() - started }
      return { timing, address: destination.address, status, error, detail, answer }
    },
    close: connections.close,
  }
}

const noConnection: ExchangeOutcome = {
  connect: null,
  tls: null,
  firstByte: null,
  status: null,
  error: 'TIMEOUT',
  detail: late.free,
  answer: Buffer.alloc(0),
  brokeUnanswered: false,
}
