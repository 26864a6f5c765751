import fc, { type Arbitrary } from 'fast-check'
import { newId } from '../../server/database/ids.ts'

export type Request = { method: string; path: string; body?: string | Uint8Array<ArrayBuffer> }

/** IDs of existing objects, so that some requests get past the first check. */
export type KnownIds = { template: string; invitation: string; result: string }

/** Requests of every kind to every /v1 route, from nearly valid to noise. */
export const requestKinds: [name: string, requests: (known: KnownIds) => Arbitrary<Request>][] = [
  ['new templates', newTemplates],
  ['template changes', changes],
  ['invitations', invitations],
  ['bodies that may not even be JSON', rawBodies],
  ['queries', queries],
  ['cursors', cursors],
  ['addresses', addresses],
]

// Any code point, including NUL, lone surrogates and those beyond 16 bits.
const character = (max: number) => fc.nat({ max }).map((code) => String.fromCodePoint(code))
const unit = fc.oneof(
  character(0x7f),
  character(0xffff),
  character(0x10ffff),
  fc.constantFrom('\0', "'", '"', '\\', '%', '$1', ';', '\ud800', '\udc00', '\u2028', '😀'),
)
const text = fc.string({ unit, maxLength: 30 })
const longText = fc.nat({ max: 12_000 }).map((length) => 'ä'.repeat(length))
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -0, 1e308, 2 ** 53, 2 ** 63, -1e20))
const value: Arbitrary<unknown> = fc.oneof(
  text,
  longText,
  number,
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 4 }),
)

const digits = (length: number, max: number) => fc.nat({ max }).map((value) => String(value).padStart(length, '0'))
const zone = fc.constantFrom('Z', '+23:59', '-23:59', '+00:00', '')
const time = fc.oneof(
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc
    .tuple(digits(4, 9999), digits(2, 13), digits(2, 32), zone)
    .map(([year, month, day, zone]) => `${year}-${month}-${day}T23:59:59.999999999${zone}`),
)

function newTemplates(): Arbitrary<Request> {
  return templateFields().map((body) => ({ method: 'POST', path: '/v1/templates', body }))
}

function changes({ template }: KnownIds): Arbitrary<Request> {
  return fc
    .tuple(id(template), templateFields())
    .map(([id, body]) => ({ method: 'PATCH', path: `/v1/templates/${encoded(id)}`, body }))
}

function templateFields(): Arbitrary<string> {
  const fields = {
    title: mostly(fc.constant('T')),
    description: mostly(fc.constant('D')),
    externalPostingId: mostly(text),
    whiteboardEnabled: mostly(fc.boolean()),
  }
  return fc.record(fields, { requiredKeys: [] }).chain(withMore)
}

function invitations({ template }: KnownIds): Arbitrary<Request> {
  const madeUp = text.map((text) => `${text}@example.com`)
  const email = fc.oneof(fc.constant('ada@example.com'), fc.emailAddress(), madeUp)
  const name = fc.oneof(fc.constant('Ada'), text)
  const person = { email: mostly(email), firstName: mostly(name), lastName: mostly(name) }
  const candidate = mostly(fc.record(person, { requiredKeys: ['email', 'firstName'] }))
  return fc
    .record(
      { templateId: mostly(id(template)), candidate, expiresInDays: mostly(fc.integer({ min: 0, max: 100 })) },
      { requiredKeys: ['templateId', 'candidate'] },
    )
    .chain(withMore)
    .map((body) => ({ method: 'POST', path: '/v1/interview-invitations', body }))
}

function rawBodies(): Arbitrary<Request> {
  const bytes = fc.uint8Array({ maxLength: 50 }).map((bytes) => new Uint8Array(bytes))
  const good = '{"title": "A title of some length", "description": "What it is about"}'
  return fc.record({
    method: fc.constant('POST'),
    path: fc.constantFrom('/v1/templates', '/v1/interview-invitations'),
    body: fc.oneof(
      text,
      bytes,
      fc.json(),
      damaged(good),
      // Chance alone would leave some runs without any valid body.
      fc.constant(good),
    ),
  })
}

/** With a few characters replaced. */
function damaged(body: string): Arbitrary<string> {
  return fc
    .tuple(fc.nat({ max: body.length }), fc.nat({ max: 3 }), text)
    .map(([from, length, text]) => body.slice(0, from) + text + body.slice(from + length))
}

function queries(known: KnownIds): Arbitrary<Request> {
  const anyOfKnown = fc.oneof(id(known.template), id(known.invitation), id(known.result))
  const limit = fc.oneof(number.map(String), fc.integer({ min: 1, max: 100 }).map(String), text)
  const parameter = fc.oneof(
    fc.tuple(fc.constantFrom('invitationId', 'resultId', 'templateId'), anyOfKnown),
    fc.tuple(fc.constantFrom('completedAfter', 'completedBefore'), fc.oneof(time, text)),
    fc.tuple(fc.constant('limit'), limit),
    fc.tuple(fc.constant('cursor'), fc.oneof(cursor(known), text, longText)),
    fc.tuple(fc.constantFrom('externalPostingId', '__proto__', 'constructor', ''), text),
    fc.tuple(text, text),
  )
  const query = fc
    .array(parameter, { maxLength: 3 })
    .map((parameters) => parameters.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&'))
  return fc.tuple(list, query).map(([path, query]) => ({ method: 'GET', path: `${path}?${query}` }))
}

function cursors(known: KnownIds): Arbitrary<Request> {
  return fc.tuple(list, cursor(known)).map(([path, cursor]) => ({ method: 'GET', path: `${path}?cursor=${cursor}` }))
}

const list = fc.constantFrom('/v1/templates', '/v1/interview-results')

/** From noise to cursors that differ from a real one in a single part. */
function cursor({ template, result }: KnownIds): Arbitrary<string> {
  const known = fc.constantFrom(template, result, newId('tpl'), newId('res'))
  const last = fc.constantFrom(result, newId('res'))
  const parts = fc.oneof(
    { weight: 3, arbitrary: fc.tuple(snapshot) },
    { weight: 3, arbitrary: fc.tuple(fc.oneof(fc.constant(''), snapshot), snapshot, last) },
    { weight: 1, arbitrary: fc.tuple(fc.oneof(known, text)) },
    { weight: 2, arbitrary: fc.tuple(fc.oneof(snapshot, value), fc.oneof(snapshot, value), fc.oneof(known, value)) },
    { weight: 1, arbitrary: fc.jsonValue() },
  )
  return parts.map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url').slice(0, 3000))
}

const transaction = fc.oneof(fc.nat({ max: 2_000 }), fc.bigInt({ min: -1n, max: 2n ** 64n }))
const snapshot = fc.oneof(
  fc
    .tuple(transaction, transaction, fc.array(transaction, { maxLength: 40 }))
    .map(([xmin, xmax, inProgress]) => `${xmin}:${xmax}:${inProgress}`),
  // Snapshots that any server may have had.
  fc.constantFrom('3:3:', '3:10:', '3:12:5,7'),
)

function addresses(): Arbitrary<Request> {
  const byte = fc.nat({ max: 255 }).map((code) => `%${code.toString(16).padStart(2, '0')}`)
  const sign = fc.constantFrom('/', '..', 'templates', '%', '?', '&', '=', ';', '+', '%zz', 'a', '{id}', ':id', '*')
  return fc.record({
    method: fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
    path: fc.array(fc.oneof(byte, sign), { maxLength: 8 }).map((pieces) => `/v1/${pieces.join('')}`),
  })
}

function id(known: string): Arbitrary<string> {
  const unknown = fc.constantFrom('tpl', 'inv', 'res', 'org').map(newId)
  return fc.oneof({ weight: 3, arbitrary: fc.constant(known) }, unknown, text, longText)
}

/** The right value often enough to get past the first check, anything otherwise. */
function mostly(right: Arbitrary<unknown>): Arbitrary<unknown> {
  return fc.oneof({ weight: 5, arbitrary: right }, { weight: 1, arbitrary: value })
}

/** As JSON, now and then with unknown fields. */
function withMore(fields: object): Arbitrary<string> {
  const unknown = fc.dictionary(text, value, { maxKeys: 3 })
  const more = fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, unknown)
  return more.map((more) => JSON.stringify({ ...fields, ...more }))
}

/** Percent-encoded, with lone surrogates as the bytes they would have. */
function encoded(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : `%ed%a0%80${encodeURIComponent(text.toWellFormed())}`
}
