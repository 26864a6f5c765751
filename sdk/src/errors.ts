import { describeConnectionFailure } from './connection-failure.ts'

/** The service answered with an error. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** The service's own error text. */
  readonly text: string
  /** Identifies the request in the service's log. Quote it when you ask for help. */
  readonly requestId: string | null
  /** How long the service asked you to wait. */
  readonly retryAfterSeconds: number | null

  constructor(answer: { status: number; text: string; requestId: string | null; retryAfterSeconds: number | null }) {
    const { status, text, requestId } = answer
    const hint = hintOn(status, text)
    super(`${status} ${text}${hint && `. ${hint}`}${requestId === null ? '' : ` (request ${requestId})`}`)
    this.status = status
    this.text = text
    this.requestId = requestId
    this.retryAfterSeconds = answer.retryAfterSeconds
  }
}

/** What the service cannot know or does not say. */
function hintOn(status: number, text: string): string {
  if (status >= 300 && status < 400) return 'Redirects are not followed: set baseUrl to where this one leads'
  if (status === 401 && text === 'API key is required')
    return 'The client sends the key in X-Service-Api-Key: check whether a proxy removes that header'
  if (status === 401) return 'Check that the key is complete, from this environment, and neither expired nor revoked'
  return status === 413 ? 'The limit is 256 KiB' : ''
}

/** No response arrived. Whether the service got the request is unknown. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly timedOut: boolean
  /** Where the request went, such as `api.example.com:8443`. */
  readonly host: string
  /** The runtime's error code, such as `ECONNREFUSED`, if it gave one. */
  readonly code: string | null

  constructor(request: { method: string; url: URL; timeoutMilliseconds: number }, cause: unknown) {
    const { method, url, timeoutMilliseconds } = request
    const timedOut = cause instanceof Error && cause.name === 'TimeoutError'
    const { code, reason } = timedOut
      ? { code: null, reason: `no response within ${timeoutMilliseconds / 1000} seconds` }
      : describeConnectionFailure(cause)
    super(`${method} ${url.origin}${url.pathname} failed: ${reason}`, { cause })
    this.timedOut = timedOut
    this.host = url.host
    this.code = code
  }
}
