import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type AttemptError, attemptErrors } from '../../server/deliveries/deliveries.ts'
import { explainAttempt, explainDelivery } from '../../server/deliveries/explanation.ts'
import { late } from '../../server/outbound/connection-failures.ts'

type Case = { error: AttemptError; status?: number; detail?: string; summary: RegExp; advice: RegExp }

const http = (status: number, summary: RegExp, advice: RegExp): Case => {
  const error = status < 400 ? 'HTTP_3XX' : status < 500 ? 'HTTP_4XX' : 'HTTP_5XX'
  return { error, status, detail: `the endpoint answered ${status}`, summary, advice }
}
const tls = (detail: string, summary: RegExp, advice: RegExp): Case => ({ error: 'TLS', detail, summary, advice })

const cases: Case[] = [
  http(301, /^Your endpoint answered 301: .*redirects are not followed\.$/, /Save the address/),
  http(302, /answered 302: .*redirects are not followed/, /sign-in page/),
  http(304, /answered 304: redirects are not followed/, /2xx itself/),
  http(307, /answered 307: .*redirects are not followed/, /Save the address/),
  http(308, /answered 308: .*moved for good/, /Save the address/),
  http(400, /answered 400: it could not make sense/, /JSON/),
  http(401, /answered 401: it did not accept the signature/, /signing secret.*raw bytes.*clock/),
  http(403, /answered 403: .*refused/, /secret.*firewall/),
  http(404, /answered 404: there is nothing/, /Correct the path/),
  http(405, /answered 405: it takes no POST/, /Accept POST/),
  http(408, /answered 408: it stopped waiting/, /more time/),
  http(409, /answered 409: .*conflict/, /2xx to a result it already has/),
  http(410, /answered 410: .*no longer in use/, /new address/),
  http(411, /answered 411: .*length/, /Content-Length/),
  http(413, /^Your endpoint answered 413: its body limit is below 1\.4 MB\.$/, /^Raise it to 2 MB, then Retry\.$/),
  http(415, /answered 415: it does not take JSON/, /application\/json/),
  http(418, /answered 418: it refused the event, and a 4xx is final/, /answer/),
  http(422, /answered 422: .*did not accept/, /every field/),
  http(429, /answered 429: .*too many requests, and a 4xx is final/, /503/),
  http(500, /answered 500: it failed/, /log/),
  http(502, /answered 502: the proxy/, /application behind the proxy/),
  http(503, /answered 503: it was not available/, /capacity/),
  http(504, /answered 504: the proxy .*too long/, /answer 2xx at once/),
  http(521, /answered 521: it, or a proxy before it, failed/, /logs/),
  {
    error: 'TIMEOUT',
    detail: `the name x.example ${late.name}`,
    summary: /name of your endpoint/,
    advice: /name servers/,
  },
  { error: 'TIMEOUT', detail: late.free, summary: /connections to your endpoint were busy/, advice: /at once/ },
  { error: 'TIMEOUT', detail: late.connect, summary: /did not take the connection/, advice: /firewall/ },
  { error: 'TIMEOUT', detail: late.handshake, summary: /TLS handshake/, advice: /TLS settings/ },
  { error: 'TIMEOUT', detail: late.answer, summary: /did not answer within five seconds/, advice: /at once/ },
  { error: 'TIMEOUT', detail: late.end, summary: /began to answer but did not finish/, advice: /short body/ },
  tls('the certificate has expired (CERT_HAS_EXPIRED)', /failed: the certificate has expired\.$/, /^Renew/),
  tls('the certificate is not made out to x.example (ERR_TLS_CERT_ALTNAME_INVALID)', /x\.example\.$/, /this name/),
  tls('the certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)', /self-signed\.$/, /public authority/),
  tls('the certificate was not … (UNABLE_TO_VERIFY_LEAF_SIGNATURE)', /^TLS with/, /intermediate/),
  tls('the port does not speak TLS (ERR_SSL_WRONG_VERSION_NUMBER)', /does not speak TLS\.$/, /port/),
  tls('something new (ERR_SSL_NEW)', /failed: something new\.$/, /TLS settings/),
  { error: 'NETWORK', detail: 'the connection was refused (ECONNREFUSED)', summary: /refused\.$/, advice: /port/ },
  { error: 'NETWORK', detail: 'the connection was reset (ECONNRESET)', summary: /reset\.$/, advice: /logs/ },
  { error: 'NETWORK', detail: 'there is no route (EHOSTUNREACH)', summary: /no route\.$/, advice: /Internet/ },
  { error: 'NETWORK', detail: 'the answer is not valid HTTP', summary: /not valid HTTP\.$/, advice: /HTTP\/1\.1/ },
  {
    error: 'DNS',
    detail: 'the name x.example does not exist',
    summary: /x\.example does not exist\.$/,
    advice: /DNS records/,
  },
  {
    error: 'DESTINATION_REFUSED',
    detail: '10.0.0.7 is private (10.0.0.0/8)',
    summary: /private \(10\.0\.0\.0\/8\)\.$/,
    advice: /public/,
  },
  { error: 'THUMBNAIL_MISSING', summary: /image .*missing/, advice: /Nothing is wrong with your endpoint/ },
  { error: 'THUMBNAIL_TOO_LARGE', summary: /image .*larger than 1,000,000 bytes/, advice: /image stored/ },
  { error: 'THUMBNAIL_MALFORMED', summary: /image .*JPEG/, advice: /image stored/ },
  { error: 'THUMBNAIL_TOO_COSTLY', summary: /image .*16 megapixels/, advice: /image stored/ },
]

const attempt = ({ error, status, detail }: Pick<Case, 'error' | 'status' | 'detail'>) => ({
  finishedAt: '2026-03-01T12:00:00.000Z',
  error,
  status: status ?? null,
  detail: detail ?? null,
})
const failed = { status: 'FAILED', failureReason: 'RECEIVES_EXHAUSTED', attempts: 4 } as const

describe('why a delivery failed, and what to do', () => {
  for (const { summary, advice, ...seen } of cases) {
    test(`${seen.error} ${seen.status ?? seen.detail ?? ''}`, () => {
      const explained = explainDelivery(failed, [attempt({ error: 'DNS' }), attempt(seen)])
      assert.match(explained?.summary ?? '', summary)
      assert.match(explained?.advice ?? '', advice)
      assert.equal(explainAttempt(attempt(seen)), explained?.summary)
      for (const text of [explained?.summary, explained?.advice])
        assert.match(text ?? '', /^[A-Z][^$]*\.$/, 'a sentence')
      assert.match(explained?.advice ?? '', /, then Retry\.$/)
    })
  }

  test('every error has its words', () => {
    assert.deepEqual([...new Set(cases.map(({ error }) => error))].toSorted(), attemptErrors.toSorted())
    // Also where a record from somewhere else has no detail.
    for (const error of attemptErrors) assert.match(explainAttempt(attempt({ error })) ?? '', /^[A-Z].*\.$/)
  })

  test('every reason has its words', () => {
    const explain = (failureReason: 'ENQUEUE_FAILED' | 'WEBHOOK_DISABLED' | 'RECEIVER_REJECTED') =>
      explainDelivery({ status: 'FAILED', failureReason, attempts: 1 }, [attempt({ error: 'HTTP_4XX', status: 413 })])
    assert.match(explain('ENQUEUE_FAILED')?.summary ?? '', /queue/)
    assert.match(explain('WEBHOOK_DISABLED')?.summary ?? '', /disabled or removed/)
    assert.match(explain('RECEIVER_REJECTED')?.summary ?? '', /413/)
    const died = explainDelivery(failed, [{ ...attempt({ error: 'DNS' }), finishedAt: null, error: null }])
    assert.match(died?.summary ?? '', /interrupted/)
  })

  test('one that is tried again by itself says so; one that arrived, or begins anew, has nothing to explain', () => {
    const history = [attempt({ error: 'HTTP_5XX', status: 503 })]
    const pending = { status: 'PENDING', failureReason: null } as const
    assert.match(
      explainDelivery({ ...pending, attempts: 1 }, history)?.advice ?? '',
      /; the next attempt comes by itself\.$/,
    )
    assert.equal(explainDelivery({ ...pending, attempts: 0 }, history), null)
    assert.equal(explainDelivery({ status: 'DELIVERED', failureReason: null, attempts: 2 }, history), null)
    assert.equal(explainAttempt({ finishedAt: 'now', error: null, status: 200, detail: null }), null)
  })
})
