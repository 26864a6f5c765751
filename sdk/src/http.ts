import { ApiError, ConnectionError } from './errors.ts'
import { isCredential } from './headers.ts'

export type ClientOptions = {
  /** Where the service is, such as `https://api.example.com`. */
  baseUrl: string
  apiKey: string
  /** For each attempt, up to the last byte of the response. At most 2,147,483,647. Default: 30,000. */
  timeoutMilliseconds?: number
  /** How many times a request is repeated at most. Default: 3. */
  retries?: number
  /** Called before each wait, for your logs and metrics: on a 429, a 503 or a lost connection. */
  onRetry?: (retry: Retry) => void
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch
  /** Replaces the wait before a repeat, for tests. */
  wait?: (milliseconds: number) => Promise<void>
}

export type Retry = {
  /** Why the request is repeated. An `ApiError` with status 429 is the rate limit. */
  error: ApiError | ConnectionError
  /** Such as `GET /v1/templates`. */
  request: string
  /** 1 before the first repeat. */
  retry: number
  waitMilliseconds: number
}

export type Call = {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  query?: Readonly<Record<string, string | number | undefined>>
  body?: unknown
  /** Whether sending it twice has the same effect as sending it once. */
  repeatable: boolean
}

export type Answer<Body> = { status: number; body: Body }

/** The body is trusted to be what the service's own OpenAPI document says. */
export type Transport = <Body>(call: Call) => Promise<Answer<Body>>

/** What a timer can count. A longer one fires at once. */
const longestTimeout = 2 ** 31 - 1

/** Longer waits are for the caller to decide on. The service's rate limit window is a minute. */
const longestWaitSeconds = 120

/**
 * Sends a call and repeats it when that helps and does no harm: always after a 429, since nothing was done; after a 503
 * or a lost connection only if the call is repeatable. The key stays in this closure, out of reach of logs and
 * inspection.
 */
export function createTransport(options: ClientOptions): Transport {
  const { apiKey, timeoutMilliseconds = 30_000, retries = 3, onRetry, fetch: send = fetch, wait = delay } = options
  if (typeof apiKey !== 'string' || !isCredential(apiKey))
    throw new TypeError('apiKey is missing, or has a space or another character that no key has')
  if (!Number.isInteger(timeoutMilliseconds) || timeoutMilliseconds < 1 || timeoutMilliseconds > longestTimeout)
    throw new TypeError(`timeoutMilliseconds must be a whole number from 1 to ${longestTimeout}`)
  const base = baseOf(options.baseUrl)

  return async <Body>(call: Call) => {
    for (let repeats = 0; ; repeats += 1) {
      const outcome = await attempt<Body>(call)
      if (!(outcome instanceof Error)) return outcome
      const seconds = repeats < retries ? secondsToWait(outcome, call, repeats) : null
      if (seconds === null) throw outcome
      const waitMilliseconds = seconds * 1000
      onRetry?.({ error: outcome, request: `${call.method} ${call.path}`, retry: repeats + 1, waitMilliseconds })
      await wait(waitMilliseconds)
    }
  }

  async function attempt<Body>(call: Call): Promise<Answer<Body> | ApiError | ConnectionError> {
    const { method, path, query = {}, body } = call
    const url = new URL(base + path)
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value))
    try {
      const response = await send(url, {
        method,
        headers: {
          'x-service-api-key': apiKey,
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // Following a redirect would send the key wherever it points.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMilliseconds),
      })
      return readAnswer<Body>(response, await response.text())
    } catch (cause) {
      return new ConnectionError({ method, url, timeoutMilliseconds }, cause)
    }
  }
}

/** Every path starts with /v1, so a /v1 at the end of the address, as many people write it, is dropped. */
function baseOf(baseUrl: string): string {
  if (!/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl)) {
    const given = baseUrl === '' ? 'an empty string' : baseUrl
    throw new TypeError(`baseUrl must be a full address such as https://api.example.com, not ${given}`)
  }
  const { origin, pathname } = new URL(baseUrl)
  return origin + pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
}

function readAnswer<Body>(response: Response, text: string): Answer<Body> | ApiError {
  const { status } = response
  let body: unknown
  try {
    if (response.ok) return { status, body: JSON.parse(text) }
    body = JSON.parse(text)
  } catch {
    body = {
      error: response.ok
        ? 'The response is not JSON. Is baseUrl the address of the API?'
        : response.statusText || 'The response has no text',
    }
  }
  return new ApiError({
    status,
    text: errorText(body) ?? response.statusText,
    requestId: response.headers.get('x-request-id'),
    retryAfterSeconds: retryAfter(response.headers),
  })
}

function errorText(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null
  return typeof body.error === 'string' ? body.error : null
}

/** Seconds or a date (RFC 9110). A date is compared with the sender's own clock. */
function retryAfter(headers: Headers): number | null {
  const value = headers.get('retry-after')
  if (value === null) return null
  if (/^\d+$/.test(value)) return Number(value)
  const seconds = (Date.parse(value) - Date.parse(headers.get('date') ?? '')) / 1000
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}

function secondsToWait(error: ApiError | ConnectionError, call: Call, repeats: number): number | null {
  // With jitter, so that many clients do not come back at the same moment.
  const backoff = 0.25 * 2 ** repeats * (0.5 + Math.random())
  if (error instanceof ConnectionError) return call.repeatable ? backoff : null
  if (error.status !== 429 && !(error.status === 503 && call.repeatable)) return null
  const seconds = error.retryAfterSeconds ?? backoff
  return seconds <= longestWaitSeconds ? seconds : null
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
