import fc, { type Arbitrary } from 'fast-check'
import { newId } from '../server/database/ids.ts'
import { type FuzzedRoute, fuzzedRoutes } from './routes.ts'
import type { Credentials, Ids } from './tenants.ts'

export type FuzzedRequest = {
  route: FuzzedRoute
  as: keyof Credentials
  path: string
  contentType: string
  body?: string | Uint8Array<ArrayBuffer>
}

/** Requests to every route, from valid to noise, with IDs of this organization, of another one, and unknown ones. */
export function fuzzedRequests(own: Ids, foreign: Ids): Arbitrary<FuzzedRequest> {
  const id = (name: string) => idOf(name, own, foreign)
  return fc.oneof(...fuzzedRoutes.map((route) => requestTo(route, id)))
}

function requestTo(route: FuzzedRoute, id: (name: string) => Arbitrary<string>): Arbitrary<FuzzedRequest> {
  return fc
    .record({
      as: fc.constantFrom(...route.as),
      path: pathOf(route, id),
      query: queryOf(route, id),
      contentType: rarely(text, fc.constant(route.body === 'JPEG' ? 'image/jpeg' : 'application/json')),
      body: bodyOf(route, id),
    })
    .map(({ path, query, body, ...rest }) => ({
      ...rest,
      route,
      path: query === '' ? path : `${path}?${query}`,
      ...(body !== undefined && { body }),
    }))
}

const unit = fc.oneof(
  fc.nat({ max: 0x7f }).map((code) => String.fromCodePoint(code)),
  fc.nat({ max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
  fc.constantFrom('\0', "'", '"', '\\', '%', '$1', ';', '\ud800', '\u2028', '😀'),
)
const text = fc.string({ unit, maxLength: 20 })
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -0, 1e308, 2 ** 53, 2 ** 63))
const value: Arbitrary<unknown> = fc.oneof(
  text,
  number,
  fc.boolean(),
  fc.constant(null),
  fc.nat({ max: 12_000 }).map((length) => 'ä'.repeat(length)),
  fc.jsonValue({ maxDepth: 3 }),
)
const time = fc.oneof(
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom('2026-03-01T12:00:00.000Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:60+23:59'),
)

function rarely<Odd, Usual>(odd: Arbitrary<Odd>, usual: Arbitrary<Usual>): Arbitrary<Odd | Usual> {
  return fc.oneof({ weight: 1, arbitrary: odd }, { weight: 6, arbitrary: usual })
}

const prefixes = ['org', 'tpl', 'inv', 'int', 'res', 'dlv', 'key', 'run'] as const

function idOf(name: string, own: Ids, foreign: Ids): Arbitrary<string> {
  // Usually the right organization: with another one, every route gives the same response.
  const known = { weight: name === 'organizationId' ? 20 : 4, arbitrary: fc.constantFrom(...(own[name] ?? ['valid'])) }
  const others = { weight: 2, arbitrary: fc.constantFrom(...(foreign[name] ?? ['nothing'])) }
  return fc.oneof(known, others, fc.constantFrom(...prefixes).map(newId), text)
}

function pathOf({ path }: FuzzedRoute, id: (name: string) => Arbitrary<string>): Arbitrary<string> {
  const pieces = path.split('/').map((piece) => (piece.startsWith(':') ? id(piece.slice(1)) : fc.constant(piece)))
  return fc.tuple(...pieces).map((filled) => filled.map(encoded).join('/'))
}

function queryOf({ query = [] }: FuzzedRoute, id: (name: string) => Arbitrary<string>): Arbitrary<string> {
  const known = query.map((name) =>
    fc.tuple(fc.constant(name), fc.oneof(id(name), time, text, fc.integer({ min: 1, max: 100 }).map(String))),
  )
  const parameter = fc.oneof(...known, fc.tuple(fc.constantFrom('x', '__proto__', ''), text))
  return fc
    .array(parameter, { maxLength: query.length > 0 ? 3 : 1, size: 'small' })
    .map((chosen) => chosen.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&'))
}

function bodyOf(
  { method, body }: FuzzedRoute,
  id: (name: string) => Arbitrary<string>,
): Arbitrary<FuzzedRequest['body'] | undefined> {
  // fetch can't send a body with GET.
  if (method === 'GET') return fc.constant(undefined)
  const raw = fc.oneof(
    text,
    fc.uint8Array({ maxLength: 60 }).map((bytes) => new Uint8Array(bytes)),
    fc.json(),
  )
  if (body === undefined) return rarely(raw, fc.constant(undefined))
  if (body === 'JPEG') return raw
  return rarely(
    raw,
    nearly(body, id).map((near) => JSON.stringify(near)),
  )
}

/** The same value, sometimes with a different, missing or extra field. */
function nearly(right: unknown, id: (name: string) => Arbitrary<string>): Arbitrary<unknown> {
  if (typeof right === 'string' && right.startsWith(':')) return rarely(value, id(right.slice(1)))
  if (typeof right !== 'object' || right === null || Array.isArray(right)) return rarely(value, fc.constant(right))
  const fields = Object.fromEntries(Object.entries(right).map(([name, one]) => [name, nearly(one, id)]))
  const whole = fc.record(fields)
  const partly = fc.record(fields, { requiredKeys: [] })
  const more = fc
    .tuple(whole, fc.dictionary(text, value, { maxKeys: 2 }))
    .map(([some, other]) => ({ ...some, ...other }))
  return fc.oneof({ weight: 5, arbitrary: whole }, { weight: 1, arbitrary: partly }, { weight: 1, arbitrary: more })
}

/** Percent-encoded, with lone surrogates as the bytes they would have. */
function encoded(piece: string): string {
  return piece.isWellFormed() ? encodeURIComponent(piece) : `%ed%a0%80${encodeURIComponent(piece.toWellFormed())}`
}
