import packageFile from '../../package.json' with { type: 'json' }
import { describeTimeout } from './connection-failures.ts'
import { type ConnectionsOptions, createConnections } from './connections.ts'
import type { Destination } from './destination.ts'
import { type Classification, type ExchangeResult, exchange } from './exchange.ts'
import type { ResponseHeaders } from './response-headers.ts'

export type { Phase } from './connection-failures.ts'

/** From the DNS lookup to the response headers. The body is not read beyond it either. */
export const deadlineMilliseconds = 5_000

export const userAgent = `PartnerInterview/${packageFile.version}`

/**
 * Milliseconds per step. `connect` and `tls` are null if the connection was reused, `firstByte` counts from when the
 * request was written, and `total` excludes `dns`, which the caller fills in.
 */
export type PostTiming = {
  dns: number | null
  connect: number | null
  tls: number | null
  firstByte: number | null
  total: number
}

/** Phase `body` means that the status counts, and only the rest of the response is missing. */
export type PostResult = Classification & {
  timing: PostTiming
  address: string
  status: number | null
  /** The first 1 KiB of the response body. */
  answer: Buffer
  headers: ResponseHeaders
  /** What a Retry-After header asks for. */
  retryAfterSeconds: number | null
}

export type PostRequest = {
  headers: Record<string, string>
  body: Uint8Array
  /** Aborts at the attempt's deadline. */
  signal: AbortSignal
}

export type Poster = {
  post(destination: Destination, request: PostRequest): Promise<PostResult>
  close(): Promise<void>
}

export function createPoster(options: ConnectionsOptions): Poster {
  const connections = createConnections(options)

  async function send(destination: Destination, request: PostRequest): Promise<ExchangeResult> {
    const { body, signal } = request
    const headers = { 'user-agent': userAgent, ...request.headers }
    for (;;) {
      const connection = await connections.acquire(destination, signal)
      if (connection === null) return noConnection
      const result = await exchange({ connections, connection, destination, headers, body, signal })
      // Never resend a request that was written: the receiver may have acted on it.
      if (result !== 'unsent') return result
    }
  }

  return {
    async post(destination, request) {
      const started = performance.now()
      const { connect, tls, firstByte, ...result } = await send(destination, request)
      const timing = { dns: null, connect, tls, firstByte, total: performance.now() - started }
      return { timing, address: destination.address, ...result }
    },
    close: connections.close,
  }
}

const noConnection: ExchangeResult = {
  ...describeTimeout('wait'),
  status: null,
  answer: Buffer.alloc(0),
  headers: [],
  retryAfterSeconds: null,
  connect: null,
  tls: null,
  firstByte: null,
}
