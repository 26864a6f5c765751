import { ApiError, ConnectionError } from './errors.ts'

export type ClientOptions = {
  /** Where the service is: everything before /v1. */
  baseUrl: string
  apiKey: string
  /** For each attempt, up to the last byte of the answer; 30,000 unless told. */
  timeoutMilliseconds?: number
  /** How often a request is repeated at most; 3 unless told. */
  retries?: number
  /** Another way to send, and another way to wait. */
  fetch?: typeof fetch
  wait?: (milliseconds: number) => Promise<void>
}

export type Call = {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  query?: Readonly<Record<string, string | number | undefined>>
  body?: unknown
  /** Whether sending it twice does no more than sending it once. */
  repeatable: boolean
}

export type Answer<Body> = { status: number; body: Body }

/** The body is taken to be what the service's own document says it is. */
export type Transport = <Body>(call: Call) => Promise<Answer<Body>>

/** A longer wait than this is the caller's to decide on. The service's window is a minute. */
const longestWaitSeconds = 120

/**
 * Sends one call, again if that helps and harms nothing: after 429 always, since nothing was done; after 503 or without
 * an answer only what is repeatable. The key stays in here, where neither logs nor inspection reach it.
 */
export function createTransport(options: ClientOptions): Transport {
  const { apiKey, timeoutMilliseconds = 30_000, retries = 3, fetch: send = fetch, wait = delay } = options
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new TypeError('The API key is empty or holds white space.')
  const base = baseOf(options.baseUrl)

  return async <Body>(call: Call) => {
    for (let repeats = 0; ; repeats += 1) {
      const outcome = await attempt<Body>(call)
      if (!(outcome instanceof Error)) return outcome
      const seconds = repeats < retries ? secondsToWait(outcome, call, repeats) : null
      if (seconds === null) throw outcome
      await wait(seconds * 1000)
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
        // Followed, a redirect would take the key to wherever it points.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMilliseconds),
      })
      return readAnswer<Body>(response, await response.text())
    } catch (cause) {
      return new ConnectionError(`${method} ${path}`, cause)
    }
  }
}

function baseOf(baseUrl: string): string {
  const { protocol, origin, pathname } = new URL(baseUrl)
  if (protocol !== 'https:' && protocol !== 'http:') throw new TypeError('baseUrl must begin with https: or http:')
  return origin + pathname.replace(/\/+$/, '')
}

function readAnswer<Body>(response: Response, text: string): Answer<Body> | ApiError {
  const { status } = response
  let body: unknown
  try {
    if (response.ok) return { status, body: JSON.parse(text) }
    body = JSON.parse(text)
  } catch {
    body = { error: response.ok ? 'The answer is not JSON' : response.statusText || 'The answer has no text' }
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

/** Seconds or a date, by RFC 9110; a date is held against the clock of whoever wrote it. */
function retryAfter(headers: Headers): number | null {
  const value = headers.get('retry-after')
  if (value === null) return null
  if (/^\d+$/.test(value)) return Number(value)
  const seconds = (Date.parse(value) - Date.parse(headers.get('date') ?? '')) / 1000
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}

function secondsToWait(error: ApiError | ConnectionError, call: Call, repeats: number): number | null {
  // Spread out, so that many clients do not come back at the same moment.
  const backoff = 0.25 * 2 ** repeats * (0.5 + Math.random())
  if (error instanceof ConnectionError) return call.repeatable ? backoff : null
  if (error.status !== 429 && !(error.status === 503 && call.repeatable)) return null
  const seconds = error.retryAfterSeconds ?? backoff
  return seconds <= longestWaitSeconds ? seconds : null
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
