import { METHODS } from 'node:http'
import type { Random } from '../../support/random.ts'
import { type Body, type BodyType, bodyOf } from './bodies.ts'
import { otherProtocols } from './protocols.ts'
import { smuggling } from './smuggling.ts'

/** What one connection sends, with a name for it. */
export type HostileBytes = { name: string; bytes: Buffer }

/** From a valid request to noise. The same choices give the same bytes. */
export function hostileBytes(random: Random): HostileBytes {
  const choice = random.between(1, 100)
  if (choice <= 40) return mutated(random, requestTo(random, { method: random.pick(METHODS) }))
  if (choice <= 50) return mutated(random, requestTo(random, { method: random.pick(['GET', 'HEAD', 'POST', 'PUT']) }))
  if (choice <= 62) return mutated(random, requestTo(random, random.pick(bodyRoutes)))
  if (choice <= 80) return mutated(random, named('smuggling', random, smuggling))
  if (choice <= 88) return mutated(random, named('protocol', random, otherProtocols))
  if (choice <= 95) return pipelined(random)
  return { name: 'noise', bytes: noise(random, random.between(1, 400)) }
}

/** Valid requests with large responses. */
export function largeResponse(random: Random): HostileBytes {
  const target = random.pick(largeTargets)
  const times = random.between(1, 4)
  return {
    name: `${times} × GET ${target}`,
    bytes: Buffer.from(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(times)),
  }
}

const large = '/docs/js/scalar.js'
const largeTargets = [large, large, large, '/openapi.json']

const targets = [
  ...['/', '/healthz', '/readyz', '/metrics', '/docs', '/docs/', '/docs/js/scalar.js', '/openapi.json'],
  ...['/settings', '/settings/', '/settings/deliveries', '/settings/api/session', '/settings/api/sign-in'],
  ...[
    '/settings/api/sign-out',
    '/settings/api/organizations/x/keys',
    '/interview/x',
    '/interview/sandbox.js',
    '/shared/x',
  ],
  ...['/v1/templates', '/v1/templates/x', '/v1/interview-invitations', '/v1/interview-results?limit=1', '/v1/nothing'],
  ...['/internal/v1/invitations/x', '/internal/v1/interviews/x/status', '/internal/v1/interviews/x/thumbnail'],
  ...['/internal/v1/interviews/x/result?final=false', '*', 'a:1', '//', '//a/b', '/%', '/%00', '/v1/%', '/v1/%ff'],
  ...['/settings/%', '/docs/%2e%2e/%2e%2e/etc/passwd', '/settings/../../package.json', '/shared/%c0%80', '/?', '/?a=%'],
  ...['/#', '/\0', '/a b', '/é', '/;', '/v1;x', 'http://a/', 'https://[', 'http://a:99999/v1/templates', ''],
]

const oddValues = [
  ...['', ' ', '[', '[::1', ']', 'a b', 'a,b', 'a:99999', ':', '@', '/', '\\', '\0', '\x7f', '\x01', '\xff\xfe', 'ü'],
  ...['1.0.0', '-1', '0', 'NaN', '1e9', '99999999999999999999', ';', '=', '""', '%', '*', '*/*', 'null', '__proto__'],
]

const headers: Record<string, readonly string[]> = {
  Host: ['a', 'localhost:3000', ...oddValues],
  'Content-Type': [
    ...['application/json', 'application/json; charset=latin1', 'application/x-www-form-urlencoded', 'image/jpeg'],
    ...['multipart/form-data; boundary=a', 'text/plain', 'application/json;;', ...oddValues],
  ],
  'Content-Encoding': ['gzip', 'br', 'identity', ...oddValues],
  Authorization: [
    ...['Bearer', 'Bearer x', 'Basic YTpi', 'bearer \0', `Bearer service_live_${'a'.repeat(16)}.${'b'.repeat(43)}`],
    ...[`Bearer ${'a'.repeat(8_000)}`, ...oddValues],
  ],
  'X-Service-API-Key': ['x', `service_live_${'a'.repeat(16)}.${'b'.repeat(43)}`, ...oddValues],
  Cookie: ['settings.session_token=none', 'a=b; a=c', ';;;;', `a=${'%'.repeat(4_000)}`, ...oddValues],
  Origin: ['null', 'http://localhost:3000', 'https://a', ...oddValues],
  Expect: ['100-continue', '200-ok', ...oddValues],
  Connection: ['close', 'keep-alive', 'Upgrade', 'close, keep-alive', 'Host', ...oddValues],
  Upgrade: ['websocket', 'h2c', 'TLS/1.0', ...oddValues],
  'X-Forwarded-For': ['127.0.0.1', '::1, 10.0.0.1', 'unknown', `${'1.2.3.4, '.repeat(500)}5.6.7.8`, ...oddValues],
  'X-Forwarded-Proto': ['https', 'http', ...oddValues],
  'X-Forwarded-Host': ['a', ...oddValues],
  'X-Request-Id': ['a', 'a'.repeat(129), ...oddValues],
  Accept: ['text/html', 'application/json', ...oddValues],
  'Accept-Encoding': ['gzip, br', 'identity;q=0', ...oddValues],
  Range: ['bytes=0-0', 'bytes=-1', `bytes=${'0-1,'.repeat(1_000)}0-1`, ...oddValues],
  'If-None-Match': ['*', '"a"', `${'"a",'.repeat(1_000)}"b"`, ...oddValues],
  'If-Modified-Since': ['Thu, 01 Jan 1970 00:00:00 GMT', ...oddValues],
  traceparent: [`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, ...oddValues],
  'Content-Length': ['0', '5', ...oddValues],
  'Transfer-Encoding': ['chunked', 'gzip', 'gzip, chunked', ...oddValues],
  Trailer: ['Content-Length', ...oddValues],
  TE: ['trailers', ...oddValues],
  'Sec-WebSocket-Key': ['dGhlIHNhbXBsZSBub25jZQ==', ...oddValues],
  'X-Long': ['a'.repeat(15_000), 'a'.repeat(17_000), 'a'.repeat(100_000)],
}
const headerNames = Object.keys(headers)

type RequestOptions = { method: string; target?: string; takes?: BodyType }

/** Routes that read a body before authentication, with the type of body they accept. */
const bodyRoutes: readonly RequestOptions[] = [
  { method: 'POST', target: '/interview/x', takes: 'application/x-www-form-urlencoded' },
  { method: 'POST', target: '/settings/api/sign-in', takes: 'application/json' },
  { method: 'POST', target: '/v1/templates', takes: 'application/json' },
  { method: 'PUT', target: '/internal/v1/interviews/x/result', takes: 'application/json' },
  { method: 'PUT', target: '/internal/v1/interviews/x/thumbnail', takes: 'image/jpeg' },
]

function requestTo(random: Random, { method, target = random.pick(targets), takes }: RequestOptions): HostileBytes {
  const lines = [`${method} ${target} HTTP/1.${random.chance(0.95) ? 1 : 0}`]
  if (random.chance(0.9)) lines.push(`Host: ${random.chance(0.8) ? 'a' : random.pick(headers.Host ?? [])}`)
  // Otherwise the server keeps the connection open, and the client waits for nothing.
  if (random.chance(0.7)) lines.push('Connection: close')
  for (let count = random.between(0, 4); count > 0; count--) {
    const name = random.pick(headerNames)
    lines.push(`${name}: ${random.pick(headers[name] ?? [])}`)
  }
  const head = (more: readonly string[] = []) => Buffer.from(`${[...lines, ...more].join('\r\n')}\r\n\r\n`, 'latin1')
  const name = `${method} ${target}`
  if (takes === undefined && random.chance(0.5)) return { name, bytes: head() }
  const body = bodyOf(random, takes)
  return { name: `${name} with ${body.name}`, bytes: withBody(random, head, body) }
}

function withBody(random: Random, head: (more: readonly string[]) => Buffer, body: Body): Buffer {
  return random.chance(0.8)
    ? Buffer.concat([head([`Content-Type: ${body.type}`, `Content-Length: ${body.bytes.length}`]), body.bytes])
    : Buffer.concat([head([`Content-Type: ${body.type}`, 'Transfer-Encoding: chunked']), chunked(random, body.bytes)])
}

function chunked(random: Random, bytes: Buffer): Buffer {
  const size = random.pick([1, 16, 1_000, 65_536])
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length && pieces.length < 3_000; at += size) {
    const piece = bytes.subarray(at, at + size)
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'))
  }
  return Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')])
}

function named(kind: string, random: Random, among: Readonly<Record<string, string>>): HostileBytes {
  const name = random.pick(Object.keys(among))
  return { name: `${kind}: ${name}`, bytes: Buffer.from(among[name] ?? '', 'latin1') }
}

function pipelined(random: Random): HostileBytes {
  const parts = Array.from({ length: random.between(2, 12) }, () =>
    random.chance(0.85)
      ? requestTo(random, { method: random.pick(['GET', 'HEAD', 'POST', 'OPTIONS']) })
      : hostileBytes(random),
  )
  return { name: `${parts.length} pipelined`, bytes: Buffer.concat(parts.map(({ bytes }) => bytes)) }
}

const oddBytes = Buffer.from('\0\r\n\t :;,\x7f\x80\xff/%?#[]{}"\'\\0-', 'latin1')

/** Most stay unchanged; some get a different or an extra byte, or lose or repeat a piece. */
function mutated(random: Random, { name, bytes }: HostileBytes): HostileBytes {
  if (random.chance(0.65) || bytes.length === 0) return { name, bytes }
  // The start of a request determines its meaning, even if it has a large body.
  const at = random.between(0, Math.min(bytes.length, 2_000) - 1)
  const odd = Buffer.from([
    random.chance(0.7) ? (oddBytes[random.between(0, oddBytes.length - 1)] ?? 0) : random.between(0, 255),
  ])
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
  const length = random.between(1, 20)
  switch (random.between(1, 5)) {
    case 1:
      return { name, bytes: Buffer.concat([before, odd, after.subarray(1)]) }
    case 2:
      return { name, bytes: Buffer.concat([before, odd, after]) }
    case 3:
      return { name, bytes: Buffer.concat([before, after.subarray(length)]) }
    case 4:
      return { name, bytes: Buffer.concat([before, after.subarray(0, length), after]) }
    default:
      return { name, bytes: before }
  }
}

function noise(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.between(0, 255)))
}
