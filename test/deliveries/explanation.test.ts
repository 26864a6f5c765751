import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { explainAttempt, explainDelivery } from '../../server/deliveries/explanation.ts'
import {
  type AttemptError,
  attemptErrors,
  type FailureReason,
  failureReasons,
} from '../../server/deliveries/outcome.ts'
import type { Phase } from '../../server/outbound/post.ts'

type Facts = { error: AttemptError; status?: number; code?: string; phase?: Phase; detail?: string }
type Case = Facts & { summary: RegExp; advice: RegExp }

const http = (status: number, summary: RegExp, advice: RegExp): Case => {
  const error = status < 400 ? 'HTTP_3XX' : status < 500 ? 'HTTP_4XX' : 'HTTP_5XX'
  return { error, status, summary, advice }
}
const timeout = (phase: Phase, summary: RegExp, advice: RegExp): Case => ({ error: 'TIMEOUT', phase, summary, advice })
const tls = (code: string, detail: string, summary: RegExp, advice: RegExp): Case => {
  return { error: 'TLS', phase: 'handshake', code, detail, summary, advice }
}
const network = (phase: Phase, code: string, detail: string, summary: RegExp, advice: RegExp): Case => {
  return { error: 'NETWORK', phase, code, detail, summary, advice }
}

const cases: Case[] = [
  http(301, /^Your endpoint answered 301: .*redirects are not followed\.$/, /Save the address/),
  http(302, /answered 302: .*redirects are not followed/, /sign-in page/),
  http(304, /answered 304: redirects are not followed/, /2xx itself/),
  http(307, /answered 307: .*redirects are not followed/, /Save the address/),
  http(308, /answered 308: .*moved permanently/, /Save the address/),
  http(400, /answered 400: it could not understand/, /JSON/),
  http(
    401,
    /answered 401: it did not accept the signature/,
    /current signing secret, that it verifies the raw bytes of the body, and that its clock is right/,
  ),
  http(403, /answered 403: .*refused/, /secret.*firewall/),
  http(404, /answered 404: there is nothing/, /Correct the path/),
  http(405, /answered 405: it does not accept POST/, /Accept POST/),
  http(408, /answered 408: it stopped waiting/, /more time/),
  http(409, /answered 409: .*conflict/, /2xx to a result it already has/),
  http(410, /answered 410: .*no longer in use/, /new address/),
  http(411, /answered 411: .*length/, /Content-Length/),
  http(413, /^Your endpoint answered 413: its body limit is below 1\.4 MB\.$/, /^Raise it to 2 MB, then Retry\.$/),
  http(415, /answered 415: it does not accept JSON/, /application\/json/),
  http(418, /answered 418: it refused the event, and a 4xx is final/, /answer/),
  http(422, /answered 422: .*did not accept/, /every field/),
  http(429, /answered 429: .*too many requests, and a 4xx is final/, /503/),
  http(500, /answered 500: it failed/, /log/),
  http(502, /answered 502: the proxy/, /application behind the proxy/),
  http(503, /answered 503: it was not available/, /capacity/),
  http(504, /answered 504: the proxy .*too long/, /answer 2xx at once/),
  http(521, /answered 521: it, or a proxy in front of it, failed/, /logs/),
  timeout('resolve', /name of your endpoint/, /name servers/),
  timeout('wait', /connections to your endpoint were busy/, /at once/),
  timeout('connect', /did not accept the connection/, /firewall/),
  timeout('handshake', /TLS handshake/, /TLS settings/),
  timeout('response', /did not answer within five seconds/, /at once/),
  timeout('body', /began to answer but did not finish/, /short response body/),
  tls('CERT_HAS_EXPIRED', 'the certificate has expired', /failed: the certificate has expired\.$/, /^Renew/),
  tls('ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate is not valid for x.example', /x\.example\.$/, /this name/),
  tls('DEPTH_ZERO_SELF_SIGNED_CERT', 'the certificate is self-signed', /self-signed\.$/, /public authority/),
  tls('UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'the certificate was not …', /^TLS with/, /intermediate/),
  tls('ERR_SSL_WRONG_VERSION_NUMBER', 'the port does not speak TLS', /does not speak TLS\.$/, /port/),
  tls('ERR_SSL_NEW', 'something new', /failed: something new\.$/, /TLS settings/),
  network('connect', 'ECONNREFUSED', 'the connection was refused', /^Could not connect .*refused\.$/, /port/),
  network('connect', 'EHOSTUNREACH', 'there is no route', /^Could not connect .*no route\.$/, /Internet/),
  network('handshake', 'ECONNRESET', 'the connection was reset', /during the TLS handshake: .*reset\.$/, /logs/),
  network('response', 'ECONNRESET', 'the connection was reset', /^The connection .* established, .*reset\.$/, /logs/),
  network('response', 'HPE_INVALID_CONSTANT', 'not valid HTTP', /not valid HTTP\.$/, /HTTP\/1\.1/),
  { error: 'NETWORK', detail: 'it was reset', summary: /^The connection .* failed: it was reset\.$/, advice: /HTTP/ },
  {
    error: 'DNS',
    code: 'ENOTFOUND',
    phase: 'resolve',
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

const nothing = { status: null, code: null, phase: null, detail: null }
const attempt = (facts: Facts, round = 1) => ({ round, finishedAt: '2026-03-01T12:00:00.000Z', ...nothing, ...facts })
const failed = { status: 'FAILED', failureReason: 'RECEIVES_EXHAUSTED' } as const

describe('why a delivery failed, and what to do', () => {
  for (const { summary, advice, ...seen } of cases) {
    test(`${seen.error} ${seen.status ?? [seen.phase, seen.code].join(' ')}`, () => {
      const explained = explainDelivery(failed, 1, [attempt({ error: 'DNS' }), attempt(seen)])
      assert.match(explained?.summary ?? '', summary)
      assert.match(explained?.advice ?? '', advice)
      assert.equal(explainAttempt(attempt(seen)), explained?.summary)
      for (const text of [explained?.summary, explained?.advice])
        assert.match(text ?? '', /^[A-Z][^$]*\.$/, 'a sentence')
      assert.match(explained?.advice ?? '', /, then Retry\.$/)
    })
  }

  test('every error has an explanation', () => {
    assert.deepEqual([...new Set(cases.map(({ error }) => error))].toSorted(), attemptErrors.toSorted())
    // Even if the record has no detail.
    for (const error of attemptErrors) assert.match(explainAttempt(attempt({ error })) ?? '', /^[A-Z].*\.$/)
  })

  test('every failure reason has an explanation · DLV-18', () => {
    const explain = (failureReason: FailureReason) =>
      explainDelivery({ status: 'FAILED', failureReason }, 1, [attempt({ error: 'HTTP_4XX', status: 413 })])
    const summaries: Record<FailureReason, RegExp> = {
      ENQUEUE_FAILED: /queued/,
      WEBHOOK_DISABLED: /disabled or removed/,
      ORGANIZATION_INACTIVE: /^The organization is inactive/,
      CANDIDATE_ERASED: /personal data was erased/,
      RECEIVER_REJECTED: /413/,
      RECEIVES_EXHAUSTED: /413/,
    }
    for (const reason of failureReasons) assert.match(explain(reason)?.summary ?? '', summaries[reason])
    assert.equal(explain('ORGANIZATION_INACTIVE')?.advice, 'Retry once it is active again.')
    const died = explainDelivery(failed, 1, [{ ...nothing, round: 1, finishedAt: null, error: null }])
    assert.match(died?.summary ?? '', /interrupted/)
  })

  test('a response with an incomplete body counts, and the explanation says so · DLV-14', () => {
    const seen = { finishedAt: 'now', phase: 'body', code: 'ECONNRESET', detail: 'the connection was reset' } as const
    assert.equal(
      explainAttempt({ ...seen, error: null, status: 200 }),
      'Your endpoint answered 200, which is what counts, but its response body did not arrive completely: the connection was reset.',
    )
    assert.match(explainAttempt({ ...seen, error: 'HTTP_4XX', status: 404 }) ?? '', /^Your endpoint answered 404: /)
  })

  test('an automatic retry is explained; a delivery that arrived or was restarted has nothing to explain', () => {
    const history = [attempt({ error: 'HTTP_5XX', status: 503 })]
    const pending = { status: 'PENDING', failureReason: null } as const
    assert.match(explainDelivery(pending, 1, history)?.advice ?? '', /; the next attempt is automatic\.$/)
    // Even while the first attempt after a Retry is in progress.
    assert.equal(explainDelivery(pending, 2, history), null)
    assert.match(
      explainDelivery(pending, 2, [...history, attempt({ error: 'DNS' }, 2)])?.summary ?? '',
      /address of your endpoint/,
    )
    assert.equal(explainDelivery({ status: 'DELIVERED', failureReason: null }, 1, history), null)
    assert.equal(explainAttempt({ ...nothing, finishedAt: 'now', error: null, status: 200 }), null)
  })
})
