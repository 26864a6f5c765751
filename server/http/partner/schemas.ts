import { maxCursorLength } from '../../database/paging.ts'
import { Type } from '../../schema.ts'
import { type ErrorCode, errors, publicText } from '../errors.ts'

export function text(min: number, max: number, options: { description: string; examples?: string[] }) {
  return Type.String({ minLength: min, maxLength: max, format: 'text', ...options })
}

/** Not Type.Union: a type list gives one clear error and reads better in the reference. */
export function textOrNull(min: number, max: number, options: { description: string }) {
  return Type.Unsafe<string | null>({
    type: ['string', 'null'],
    minLength: min,
    maxLength: max,
    format: 'text',
    ...options,
  })
}

export function nullable(options: { description: string; format?: string; examples?: (string | null)[] }) {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], ...options })
}

export function time(description: string) {
  return Type.String({ format: 'date-time', description, examples: ['2026-01-02T03:04:05.678Z'] })
}

export const limit = Type.Integer({
  minimum: 1,
  maximum: 100,
  default: 50,
  description: 'Maximum number of items to return.',
})

export const cursor = Type.String({
  maxLength: maxCursorLength,
  description: '`nextCursor` of the previous page.',
})

export const nextCursor = nullable({
  description: 'Pass this as `cursor` to get the next page. Null on the last page.',
})

const rateHeaders = {
  'X-Request-Id': { type: 'string', description: 'Identifies this request in our logs.' },
  'RateLimit-Policy': {
    type: 'string',
    description: 'The limit: `"default";q=120;w=60` is 120 requests in 60 seconds.',
  },
  RateLimit: {
    type: 'string',
    description: 'Requests left and seconds until the reset: `"default";r=119;t=42`.',
  },
}

type ResponseHeaders = Record<string, { type: string; description: string }>

/** A successful response: its schema, with the headers of every authenticated response. */
export function response<Schema extends object>(description: string, schema: Schema, headers: ResponseHeaders = {}) {
  return { ...schema, 'x-response-description': description, headers: { ...rateHeaders, ...headers } }
}

const everyRoute: ErrorCode[] = [
  'key_required',
  'key_invalid',
  'organization_inactive',
  'rate_limited',
  'bad_http',
  'request_timeout',
  'headers_too_large',
  'internal',
  'unavailable',
]

const withBody: ErrorCode[] = [
  'invalid_json',
  'not_an_object',
  'not_json',
  'encoded_body',
  'not_utf8',
  'body_too_large',
]

// Only a path with a parameter can match and still be impossible to decode.
const withParameter: ErrorCode[] = ['bad_url']

// Can happen before the key is checked, so the rate limit headers may be missing.
const withoutKey: ReadonlySet<number> = new Set([401, 408, 431, 500, 503])

const reasons: Record<number, string> = {
  400: 'Invalid request. The text names every problem.',
  401: 'Missing or invalid API key.',
  403: 'The key lacks the scope, or the organization is inactive.',
  404: 'Not found in the organization of this key.',
  408: 'The request did not arrive within 30 seconds.',
  409: 'Conflicts with a stored object.',
  413: 'The body is larger than 256 KiB.',
  415: 'The body is not JSON.',
  429: 'More than 120 requests with this key in the current minute.',
  431: 'The headers are larger than 16 KiB.',
  500: 'Our fault. Give us the request ID when you report it.',
  503: 'Temporarily unavailable. Try again later.',
}

type Route = { scope: string; body?: boolean; parameter?: boolean; also?: ErrorCode[]; invalid: string[] }

/** The errors of a route, by status, each with its texts as examples. */
export function errorResponses(route: Route) {
  const codes: ErrorCode[] = [
    ...everyRoute,
    'scope_required',
    ...(route.body ? withBody : []),
    ...(route.parameter ? withParameter : []),
    ...(route.also ?? []),
  ]
  const responses: Record<number, ReturnType<typeof errorResponse>> = {}
  const examples = new Map<number, Record<string, string>>()
  const add = (status: number, name: string, value: string) =>
    examples.set(status, { ...examples.get(status), [name]: value })
  for (const [index, value] of route.invalid.entries()) add(400, `invalid_${index + 1}`, value)
  for (const code of codes) add(errors[code].status, code, publicText(code, route.scope))
  for (const [status, texts] of examples) responses[status] = errorResponse(status, texts)
  return responses
}

function errorResponse(status: number, texts: Record<string, string>) {
  const examples = Object.entries(texts).map(([name, error]) => [name, { summary: error, value: { error } }])
  const retry = { 'Retry-After': { type: 'string', description: 'Seconds to wait before you retry.' } }
  return {
    ...Type.Object({ error: Type.String({ description: 'What went wrong.' }) }, { title: 'Error' }),
    'x-response-description': reasons[status] ?? 'Rejected.',
    'x-examples': Object.fromEntries(examples),
    headers: {
      'X-Request-Id': rateHeaders['X-Request-Id'],
      ...(withoutKey.has(status) ? {} : rateHeaders),
      ...(status === 429 || status === 503 ? retry : {}),
    },
  }
}
