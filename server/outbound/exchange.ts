import { codeOf, describeFailure, describeTimeout, type Failure, type Phase } from './connection-failures.ts'
import type { Connection, Connections } from './connections.ts'
import type { Destination } from './destination.ts'
import { keepHeaders, type ResponseHeaders, retryAfterSeconds } from './response-headers.ts'

export type Exchange = {
  connections: Connections
  connection: Connection
  destination: Destination
  headers: Record<string, string>
  body: Uint8Array
  signal: AbortSignal
}

export type ExchangeResult = Classification & {
  status: number | null
  /** The first 1 KiB of the response body. */
  answer: Buffer
  /** Empty until the response headers have arrived. */
  headers: ResponseHeaders
  retryAfterSeconds: number | null
  connect: number | null
  tls: number | null
  firstByte: number | null
}

/** `error` is null only for a 2xx response. The other fields describe the step that failed or timed out. */
export type Classification = {
  error: 'HTTP_3XX' | 'HTTP_4XX' | 'HTTP_5XX' | Failure['error'] | null
  code: string | null
  phase: Phase | null
  detail: string | null
}

const maxBytesRead = 64 * 1024
const maxBytesStored = 1024

/**
 * One request and its response on a connection, which is released afterwards if it can be reused. `unsent` means that a
 * reused connection turned out to be closed before anything was written to it.
 */
export function exchange({ connections, connection, destination, ...request }: Exchange) {
  const { promise, resolve, reject } = Promise.withResolvers<ExchangeResult | 'unsent'>()
  const { signal } = request
  const isReused = connection.socket !== null
  const answer: Buffer[] = []
  let stored = 0
  let status: number | null = null
  let headers: ResponseHeaders = []
  let retryAfter: number | null = null
  let writtenAt: number | null = null
  let firstByte: number | null = null
  let finished = false

  signal.addEventListener('abort', expire, { once: true })
  // Counts every byte, not only the body: endless interim responses, reason phrases or chunk extensions end here too.
  connection.onRead = (bytes) => {
    if (bytes > maxBytesRead) finish(status === null ? headersTooLong : null, 'drop')
  }

  connection.client.dispatch(
    {
      method: 'POST',
      path: destination.url.pathname + destination.url.search,
      headers: request.headers,
      body: request.body,
    },
    {
      onRequestStart() {
        writtenAt = performance.now()
      },
      onResponseStarted() {
        firstByte ??= performance.now() - (writtenAt ?? 0)
      },
      onResponseStart(_, statusCode, received) {
        // Interim responses, such as 103, only announce the real one.
        if (statusCode < 200) return
        status = statusCode
        headers = keepHeaders(received)
        retryAfter = retryAfterSeconds(received, new Date())
      },
      onResponseData(_, chunk) {
        if (stored >= maxBytesStored) return
        const part = Buffer.from(chunk.subarray(0, maxBytesStored - stored))
        stored += part.length
        answer.push(part)
      },
      onResponseEnd() {
        finish(null, 'release')
      },
      onResponseError(_, error) {
        // An invalid request is our bug, not the receiver's failure.
        if (codeOf(error) === 'UND_ERR_INVALID_ARG') reject(error)
        if (isReused && connection.dial === null && writtenAt === null) resolve('unsent')
        finish(describeFailure(error, { hostname: destination.hostname, phase: currentPhase() }), 'drop')
      },
    },
  )
  return promise

  function expire() {
    finish(describeTimeout(currentPhase()), 'drop')
  }

  function currentPhase(): Phase {
    if (status !== null) return 'body'
    if (connection.dial?.connect === null) return 'connect'
    return connection.dial?.tls === null ? 'handshake' : 'response'
  }

  function finish(failure: Failure | null, disposal: 'release' | 'drop') {
    if (finished) return
    finished = true
    signal.removeEventListener('abort', expire)
    connection.onRead = null
    const { connect, tls } = connection.dial ?? { connect: null, tls: null }
    connections[disposal](connection)
    resolve({
      status,
      ...classify(status, failure),
      answer: Buffer.concat(answer),
      headers,
      retryAfterSeconds: retryAfter,
      connect,
      tls,
      firstByte,
    })
  }
}

const headersTooLong: Failure = {
  error: 'NETWORK',
  code: null,
  phase: 'response',
  detail: 'more than 64 KiB arrived without complete response headers',
}

/** Once the response headers have arrived, the status decides; a later failure is only recorded. */
function classify(status: number | null, failure: Failure | null): Classification {
  const { code, phase, detail } = failure ?? { code: null, phase: null, detail: null }
  if (status === null) return { error: failure?.error ?? 'NETWORK', code, phase, detail }
  if (status < 300) return { error: null, code, phase, detail }
  if (status < 400) return { error: 'HTTP_3XX', code, phase, detail }
  if (status < 500) return { error: 'HTTP_4XX', code, phase, detail }
  if (status < 600) return { error: 'HTTP_5XX', code, phase, detail }
  return { error: 'NETWORK', code: null, phase: 'response', detail: `${status} is not an HTTP status` }
}
