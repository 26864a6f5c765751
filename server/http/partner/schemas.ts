import { Type } from 'typebox'
import { maxCursorLength } from '../../interviews/paging.ts'
import { type ErrorCode, errors, publicText } from '../errors.ts'

export function text(least: number, most: number, options: { description: string; examples?: string[] }) {
  return Type.String({ minLength: least, maxLength: most, format: 'text', ...options })
}

/** Not Type.Union: one type list gives one clear error, and reads better in the reference. */
export function textOrNull(least: number, most: number, options: { description: string }) {
  return Type.Unsafe<string | null>({
    type: ['string', 'null'],
    minLength: least,
    maxLength: most,
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
  description: 'How many to return at most.',
})

export const cursor = Type.String({
  maxLength: maxCursorLength,
  description: 'Where to go on: `nextCursor` of the page before.',
})

export const nextCursor = nullable({ description: 'Give this as `cursor` to get the next page. Null on the last one.' })

const rateHeaders = {
  'X-Request-Id': { type: 'string', description: 'Names this request in our logs.' },
  'RateLimit-Policy': { type: 'string', description: 'The window: `"default";q=120;w=60`.' },
  RateLimit: {
    type: 'string',
    description: 'What is left of it and the seconds to its reset: `"default";r=119;t=42`.',
  },
}

type ResponseHeaders = Record<string, { type: string; description: string }>

/** A successful answer: its schema with the headers every authenticated answer carries. */
export function answer<Schema extends object>(description: string, schema: Schema, headers: ResponseHeaders = {}) {
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

// A path that cannot be decoded is no path of ours unless part of it is free.
const withParameter: ErrorCode[] = ['bad_url']

// Known before, or without, anybody's key.
const withoutKey: ReadonlySet<number> = new Set([401, 408, 431, 500, 503])

const reasons: Record<number, string> = {
  400: 'The request is wrong; the text names every fault.',
  401: 'No key, or one that is not valid.',
  403: 'The key may not do this.',
  404: 'Not there, or not in the organization of this key.',
  408: 'The request did not arrive within 30 seconds.',
  409: 'In conflict with what is stored.',
  413: 'The body is larger than 256 KiB.',
  415: 'The body is not JSON.',
  429: 'More than 120 requests with this key in the current minute.',
  431: 'The headers are larger than 16 KiB.',
  500: 'Our fault. The request id names it in our logs.',
  503: 'The database cannot be reached for the moment.',
}

type Route = { scope: string; body?: boolean; parameter?: boolean; also?: ErrorCode[]; invalid: string[] }

/** The errors of a route, by status, each with its texts as examples. */
export function refusals(route: Route) {
  const codes: ErrorCode[] = [
    ...everyRoute,
    'scope_required',
    ...(route.body ? withBody : []),
    ...(route.parameter ? withParameter : []),
    ...(route.also ?? []),
  ]
  const responses: Record<number, ReturnType<typeof refusal>> = {}
  const examples = new Map<number, Record<string, string>>()
  const add = (status: number, name: string, value: string) =>
    examples.set(status, { ...examples.get(status), [name]: value })
  for (const [index, value] of route.invalid.entries()) add(400, `invalid_${index + 1}`, value)
  for (const code of codes) add(errors[code].status, code, publicText(code, route.scope))
  for (const [status, texts] of examples) responses[status] = refusal(status, texts)
  return responses
}

function refusal(status: number, texts: Record<string, string>) {
  const examples = Object.entries(texts).map(([name, error]) => [name, { summary: error, value: { error } }])
  const retry = { 'Retry-After': { type: 'string', description: 'Seconds to wait before trying again.' } }
  return {
    ...Type.Object({ error: Type.String({ description: 'What was wrong, in words.' }) }, { title: 'Error' }),
    'x-response-description': reasons[status] ?? 'Refused.',
    'x-examples': Object.fromEntries(examples),
    headers: {
      'X-Request-Id': rateHeaders['X-Request-Id'],
      ...(withoutKey.has(status) ? {} : rateHeaders),
      ...(status === 429 || status === 503 ? retry : {}),
    },
  }
}
