import { codeOf, describeFailure, late } from './connection-failures.ts'
import type { Connection, Connections } from './connections.ts'
import type { Destination } from './destination.ts'
import type { PostResult, PostTiming } from './post.ts'

export type ExchangeOutcome = Pick<PostResult, 'status' | 'error' | 'detail' | 'answer'> &
  Pick<PostTiming, 'connect' | 'tls' | 'firstByte'> & {
    /** A kept connection broke before a single byte of answer had come. */
    brokeUnanswered: boolean
  }

export type Exchange = {
  connections: Connections
  connection: Connection
  destination: Destination
  headers: Record<string, string>
  body: Uint8Array
  signal: AbortSignal
}

const mostRead = 64 * 1024
const mostKept = 1024

/** One request and its answer on a connection, which is given back afterwards if it can be used again. */
export function exchange({ connections, connection, destination, ...request }: Exchange): Promise<ExchangeOutcome> {
  const { promise, resolve, reject } = Promise.withResolvers<ExchangeOutcome>()
  const { signal } = request
  const answer: Buffer[] = []
  let kept = 0
  let status: number | null = null
  let written = 0
  let firstByte: number | null = null
  let brokeUnanswered = false
  let finished = false

  if (signal.aborted) {
    expire()
    return promise
  }
  signal.addEventListener('abort', expire, { once: true })
  // Whatever comes is counted, not only the body: endless interim answers, reasons or chunk extensions stop here too.
  connection.onRead = (bytes) => {
    if (bytes > mostRead) finish(judge(status), 'drop')
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
        written = performance.now()
      },
      onResponseStarted() {
        firstByte ??= performance.now() - written
      },
      onResponseStart(_, statusCode) {
        // Interim answers, such as 103, only announce the real one.
        if (statusCode >= 200) status = statusCode
      },
      onResponseData(_, chunk) {
        if (kept >= mostKept) return
        const part = Buffer.from(chunk.subarray(0, mostKept - kept))
        kept += part.length
        answer.push(part)
      },
      onResponseEnd() {
        finish(judge(status), 'giveBack')
      },
      onResponseError(_, error) {
        // A request that cannot be written down is a fault of ours, not of the receiver.
        if (codeOf(error) === 'UND_ERR_INVALID_ARG') reject(error)
        brokeUnanswered = connection.dial === null && firstByte === null && broken.has(codeOf(error))
        const { hostname } = destination
        finish(describeFailure(error, { hostname, inHandshake: isInHandshake(connection) }), 'drop')
      },
    },
  )
  return promise

  function expire() {
    finish({ error: 'TIMEOUT', detail: lateness() }, 'drop')
  }

  function lateness(): string {
    if (connection.dial?.connect === null) return late.connect
    if (isInHandshake(connection)) return late.handshake
    return firstByte === null ? late.answer : late.end
  }

  function finish(verdict: Verdict, fate: 'giveBack' | 'drop') {
    if (finished) return
    finished = true
    signal.removeEventListener('abort', expire)
    connection.onRead = null
    const { connect, tls } = connection.dial ?? { connect: null, tls: null }
    connections[fate](connection)
    const { error, detail } = verdict
    resolve({ connect, tls, firstByte, status, error, detail, answer: Buffer.concat(answer), brokeUnanswered })
  }
}

const broken = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

function isInHandshake({ dial }: Connection): boolean {
  return dial !== null && dial.connect !== null && dial.tls === null
}

type Verdict = Pick<PostResult, 'error' | 'detail'>

function judge(status: number | null): Verdict {
  if (status === null) return { error: 'NETWORK', detail: 'more than 64 KiB came without a complete answer' }
  if (status < 300) return { error: null, detail: null }
  if (status < 400) return { error: 'HTTP_3XX', detail: `the endpoint answered ${status}; redirects are not followed` }
  if (status < 500) return { error: 'HTTP_4XX', detail: `the endpoint answered ${status}` }
  if (status < 600) return { error: 'HTTP_5XX', detail: `the endpoint answered ${status}` }
  return { error: 'NETWORK', detail: `the endpoint answered ${status}, which is no HTTP status` }
}
