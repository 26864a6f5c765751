/** The service answered, and not with success. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** What the service said is wrong. */
  readonly text: string
  /** Names the request in the service's log: quote it when you ask for help. */
  readonly requestId: string | null
  /** How long to wait, when the service said so. */
  readonly retryAfterSeconds: number | null

  constructor(answer: { status: number; text: string; requestId: string | null; retryAfterSeconds: number | null }) {
    super(`${answer.status} ${answer.text}${answer.requestId === null ? '' : ` (request ${answer.requestId})`}`)
    this.status = answer.status
    this.text = answer.text
    this.requestId = answer.requestId
    this.retryAfterSeconds = answer.retryAfterSeconds
  }
}

/** No answer came: no connection, or none in time. Whether the service got the request is unknown. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly timedOut: boolean

  constructor(request: string, cause: unknown) {
    const timedOut = cause instanceof Error && cause.name === 'TimeoutError'
    super(`${request}: ${timedOut ? 'no answer in time' : 'the service cannot be reached'}`, { cause })
    this.timedOut = timedOut
  }
}
