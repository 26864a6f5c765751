import type { Preflight, SecretCheck } from '../../../server/http/settings/delivery-schemas.ts'
import { reportFailure, reportResponse } from '../connection.ts'
import { counted } from '../parts/counts.ts'
import { isFromOldPage } from './outdated.ts'

/** An error response, or status 0 if there was none. The message is the server's own. */
export class ApiError extends Error {
  readonly status: number
  /** Which error it is, if the server named it. */
  readonly code: string | null
  /** The destination check, if that is what failed. */
  readonly preflight: Preflight | null
  /** How the receiver took the prepared secret, if that is what failed. */
  readonly check: SecretCheck | null

  constructor(status: number, message: string, details: ErrorDetails = {}) {
    super(message)
    this.status = status
    this.code = details.code ?? null
    this.preflight = details.preflight ?? null
    this.check = details.check ?? null
  }
}

type ErrorDetails = { code?: string | null; preflight?: Preflight; check?: SecretCheck }

/** The page says this once for all requests: see ConnectionStatus. */
export function isOffline(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 0
}

/** The error with this code, if that is the one. */
export function errorOf(error: Error | null, ...codes: string[]): ApiError | null {
  return error instanceof ApiError && error.code !== null && codes.includes(error.code) ? error : null
}

export function at(
  organizationId: string,
  path: string,
  query: Record<string, string | number | undefined> = {},
): string {
  const params = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  const search = params.length === 0 ? '' : `?${new URLSearchParams(params)}`
  return `/organizations/${encodeURIComponent(organizationId)}${path}${search}`
}

export async function send<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const known = method === 'GET' ? received.get(path) : undefined
  const headers = {
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(known && { 'if-none-match': known.etag }),
  }
  const request: RequestInit = { method, credentials: 'same-origin', headers }
  if (body !== undefined) request.body = JSON.stringify(body)
  const response = await fetch(`/settings/api${path}`, request).catch(() => {
    reportFailure()
    throw new ApiError(0, 'Can’t reach the service. Check your connection and try again.')
  })
  reportResponse()
  const text = await response.text()
  if (response.status === 304 && known) return JSON.parse(known.text)
  if (!response.ok) throw (await isFromOldPage(response.status)) ? oldPage(response.status) : toApiError(response, text)
  if (method === 'GET') remember(path, response.headers.get('etag'), text)
  // A 204 has no body, and its callers expect none.
  return JSON.parse(text === '' ? 'null' : text)
}

// In memory only: responses must not be stored. Enough for what a page polls.
const received = new Map<string, { etag: string; text: string }>()
const maxReceived = 20

function remember(path: string, etag: string | null, text: string): void {
  received.delete(path)
  if (etag !== null) received.set(path, { etag, text })
  const [oldest] = received.keys()
  if (received.size > maxReceived && oldest !== undefined) received.delete(oldest)
}

export function forgetResponses(): void {
  received.clear()
}

function oldPage(status: number): ApiError {
  return new ApiError(status, 'The service has been updated. Reload this page and try again.')
}

function toApiError(response: Response, text: string): ApiError {
  const body = parseError(text)
  const message = body?.error ?? `The service returned HTTP ${response.status} without an error message.`
  const code = response.headers.get('x-error-code')
  return new ApiError(response.status, message + retryHint(response), {
    code,
    ...(body?.preflight && { preflight: body.preflight }),
    ...(body?.check && { check: body.check }),
  })
}

/** A proxy in front of the service may respond too, and not in JSON. */
function parseError(text: string): { error?: string; preflight?: Preflight; check?: SecretCheck } | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function retryHint(response: Response): string {
  const seconds = Number(response.headers.get('retry-after') ?? 0)
  if (response.status !== 429 || !(seconds > 0)) return ''
  return seconds < 90 ? ` (in ${counted(seconds, 'second')})` : ` (in ${counted(Math.ceil(seconds / 60), 'minute')})`
}
