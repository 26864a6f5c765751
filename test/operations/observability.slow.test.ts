import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { hashPassword } from '../../server/auth/passwords.ts'
import type { Database } from '../../server/database/database.ts'
import { outcomes } from '../../server/deliveries/outcome.ts'
import { setEndpointEnabled } from '../../server/endpoints/endpoint.ts'
import { createMetrics } from '../../server/operations/metrics/metrics.ts'
import { mintKey, scopes } from '../../server/organizations/api-keys.ts'
import { addMember } from '../../server/organizations/members.ts'
import { createOrganization } from '../../server/organizations/organizations.ts'
import { createDestinationGuard } from '../../server/outbound/destination.ts'
import { saveWebhook } from '../../server/workflows/administer.ts'
import { type Collector, type ReceivedSpan, startCollector } from '../../support/collector.ts'
import { type Invitation, image, scoring } from '../../support/deliveries.ts'
import { type DeliverySite, openDeliverySite } from '../../support/delivery-site.ts'
import { type Environment, eventually, type ServerProcess, startServer } from '../../support/process.ts'
import type { Receiver } from '../../support/receiver.ts'
import { parseSamples, type Samples } from '../../support/scrape.ts'
import { call, send, setWindow } from '../../support/service.ts'

const metricsPort = 15_000 + (process.pid % 1_000)
const callersTrace = randomBytes(16).toString('hex')
const person = { email: 'grace@example.com', password: 'a password that nobody may read' }

/** A server with every signal enabled, on which everything that can be observed happens. */
describe('logs, metrics and traces', () => {
  const began = performance.now()
  let site: DeliverySite
  let receiver: Receiver
  let collector: Collector
  let database: Database
  let environment: Environment
  let server: ServerProcess
  let key: string
  let secret: string
  let earlier: Samples
  let whileFailing: Samples
  let later: Samples
  let cookie = ''
  let results: Record<'arrives' | 'rejected' | 'broken' | 'faceless', string>

  before(async () => {
    collector = await startCollector()
    site = await openDeliverySite()
    receiver = site.receiver
    database = site.database
    environment = {
      ...site.environment,
      DATABASE_CONNECTIONS: '2',
      LOG_LEVEL: 'trace',
      SWEEP_INTERVAL_SECONDS: '1',
      WEBHOOK_RETRY_DELAY_SECONDS: '0',
      METRICS_PORT: String(metricsPort),
      METRICS_TOKEN: randomBytes(24).toString('hex'),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    }
    server = await startServer(environment)
    earlier = await scrape()
    await live()
    later = await scrape()
  })
  after(async () => {
    await server?.kill()
    await collector?.close()
    await site?.close()
  })

  test('every series exists and changes when what it measures happens', async () => {
    const registry = createMetrics({ connections: database.connections, backlog: async () => null })
    const named = (await registry.snapshot()).map(({ name }) => name)
    const served = [...later.names()].map((name) => name.replace(/_(bucket|sum|count)$/, ''))
    const ours = (names: string[]) => new Set(names.filter((name) => name.startsWith('interview_api_')))
    assert.deepEqual(ours(served), ours(named))

    const rose = (name: string, ...labels: string[]) => later.sum(name, ...labels) - earlier.sum(name, ...labels)
    const route = 'route="/v1/templates"'
    assert.equal(rose('interview_api_http_request_duration_seconds_count', route, 'method="POST"', 'status="201"'), 4)
    assert.equal(rose('interview_api_rate_limited_requests_total', route), 1)
    const outcome = (name: string, error: string) =>
      rose('interview_api_delivery_outcomes_total', `outcome="${name}"`, `error="${error}"`)
    assert.equal(outcome('delivered', 'none'), 1)
    assert.equal(outcome('rejected', 'HTTP_4XX'), 1)
    assert.equal(outcome('postponed', 'HTTP_5XX'), 3)
    assert.equal(outcome('exhausted', 'HTTP_5XX'), 1)
    assert.equal(outcome('exhausted', 'THUMBNAIL_MISSING'), 1)
    assert.equal(outcome('canceled', 'none'), 1)
    for (const phase of ['dns', 'wait', 'total']) {
      assert.equal(rose('interview_api_delivery_phase_duration_seconds_count', `phase="${phase}"`), 6, phase)
    }
    for (const phase of ['connect', 'tls']) {
      assert.ok(rose('interview_api_delivery_phase_duration_seconds_count', `phase="${phase}"`) > 0, phase)
    }
    assert.equal(rose('interview_api_stored_to_delivered_seconds_count'), 1)
    const seconds = rose('interview_api_stored_to_delivered_seconds_sum')
    assert.ok(seconds > 0 && seconds < (performance.now() - began) / 1_000, `${seconds} s`)
    // On a busy machine, a check takes longer than the response to the upload waits for it, and may be repeated.
    const uploads = (verdict: string) => rose('interview_api_image_uploads_total', `verdict="${verdict}"`)
    assert.equal(uploads('usable') + uploads('none'), 3)
    assert.ok(rose('interview_api_image_check_duration_seconds_count') >= 3)
    assert.equal(rose('interview_api_image_refusals_total', 'THUMBNAIL_MISSING'), 4)
    assert.equal(rose('interview_api_sweep_finds_total'), 1)
    assert.equal(rose('interview_api_endpoint_changes_total', 'state="failing"'), 1)
    assert.equal(whileFailing.of('interview_api_endpoints_failing'), 1)
    assert.equal(later.of('interview_api_dead_letters'), 2)
    assert.equal(later.of('interview_api_deliveries_pending'), 0)
    assert.equal(later.of('interview_api_database_connections{state="open"}'), 2)
    assert.ok(rose('interview_api_database_connection_waits_total') > 0)
    assert.ok(rose('interview_api_database_connection_wait_seconds_total') > 0)
    assert.ok((later.of('nodejs_eventloop_lag_p99_seconds') ?? 0) > 0)
  })

  test('metrics need the token and are not served on the main port', async () => {
    const ask = (authorization: string) =>
      fetch(`http://127.0.0.1:${metricsPort}/metrics`, { headers: { authorization } })
    assert.equal((await ask('Bearer something else')).status, 401)
    assert.equal((await ask('')).status, 401)
    assert.equal((await fetch(`http://127.0.0.1:${metricsPort}/v1/templates`)).status, 404)
    const { METRICS_TOKEN: token } = environment
    const elsewhere = await call(server.url, 'GET', '/metrics', { authorization: `Bearer ${token}` })
    assert.equal(elsewhere.status, 404)
  })

  test("one trace goes from the caller's request to every attempt", async () => {
    const find = (name: string) =>
      collector.spans().filter((span) => span.traceId === callersTrace && span.name === name)
    const request = 'PUT /internal/v1/interviews/:id/result'
    await eventually(async () => find('delivery attempt').length === 4 && find(request).length === 1)

    const [put] = find(request)
    assert.equal(put?.parentSpanId, 'b7ad6b7169203331', 'the caller’s span is the parent')
    assert.equal(put?.attributes['http.response.status_code'], 201)
    const attempts = find('delivery attempt')
    const of = (name: string) => attempts.map(({ attributes }: ReceivedSpan) => attributes[name])
    assert.deepEqual(new Set(attempts.map(({ parentSpanId }) => parentSpanId)), new Set([put?.spanId]))
    assert.equal(new Set(of('delivery.id')).size, 1)
    assert.deepEqual(of('delivery.outcome').toSorted(), ['exhausted', 'postponed', 'postponed', 'postponed'])
    assert.deepEqual(new Set(of('error.type')), new Set(['HTTP_5XX']))
    assert.deepEqual(new Set(of('http.response.status_code')), new Set([500]))
    for (const phase of ['dns', 'wait', 'total']) {
      for (const milliseconds of of(`delivery.${phase}_ms`)) assert.equal(typeof milliseconds, 'number', phase)
    }
  })

  test('every log line is JSON with the ID of its request or delivery', async () => {
    await server.printed('"msg":"swept"')
    const lines = server.stdout().trimEnd().split('\n')
    const entries = lines.map((line): Record<string, unknown> => JSON.parse(line))
    for (const line of entries.filter(({ msg }) => msg === 'request completed'))
      assert.equal(typeof line.reqId, 'string')
    const deliveries = entries.filter(({ msg }) => outcomes.some((outcome) => outcome === msg))
    assert.equal(deliveries.length, 11)
    for (const line of deliveries) assert.match(String(line.deliveryId), /^dlv_/)
  })

  test('logs, metrics and traces contain no key, secret, token, password, cookie, image, text, name or link', async () => {
    await eventually(async () => collector.spans().some(({ name }) => name === 'POST /settings/api/sign-in'))
    const { status, stdout, stderr } = await server.stop()
    assert.equal(status, 0)
    const outputs = { stdout, stderr, metrics: await metricsText, traces: collector.raw() }
    assert.ok(stdout.includes('/v1/templates') && outputs.metrics.includes('/v1/templates'))
    assert.ok(outputs.traces.includes('/v1/templates'))

    const { ENGINE_TOKEN, SECRETS_KEY, METRICS_TOKEN, DATABASE_URL } = environment
    const [link] = await database.query<{ token: string; result: string }>(sql`
      select i.token, r.token as result from interviews i join results r on r.interview_id = i.id limit 1`)
    const planted = {
      key,
      'secret of the key': key.split('.')[1],
      'signing secret': secret,
      'engine token': ENGINE_TOKEN,
      'secrets key': SECRETS_KEY,
      'metrics token': METRICS_TOKEN,
      'database password': new URL(DATABASE_URL ?? '').password,
      password: person.password,
      cookie: decodeURIComponent(cookie.split('=')[1] ?? '').split('.')[0],
      image: image.toString('base64').slice(0, 40),
      feedback: scoring.technical_feedback,
      transcript: 'said-in-confidence',
      'email address': 'ada.1@example.com',
      'query of a request': 'searched-for',
      'link to an interview': link?.token,
      'link to a result': link?.result,
      'path of the endpoint': 'events-for-you',
    }
    for (const [what, text = ''] of Object.entries(planted)) {
      assert.ok(text.length >= 8, what)
      for (const [where, all] of Object.entries(outputs)) assert.ok(!all.includes(text), `${what} is in ${where}`)
    }
  })

  let metricsText: Promise<string> = Promise.resolve('')

  async function scrape(): Promise<Samples> {
    const headers = { authorization: `Bearer ${environment.METRICS_TOKEN}` }
    const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`, { headers })
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
    metricsText = response.text()
    return parseSamples(await metricsText)
  }

  async function live(): Promise<void> {
    const now = new Date()
    const { id: organizationId } = await createOrganization(database, 'Acme', now)
    const options = { organizationId, label: 'test', scopes: [...scopes], createdBy: 'test' }
    const created = await mintKey(database, options, now)
    key = created.key
    const guard = createDestinationGuard({ resolve: async () => [], allowCidrs: ['127.0.0.0/8'] })
    const secretsKey = Buffer.from(environment.SECRETS_KEY ?? '', 'base64')
    const url = receiver.url('/events-for-you')
    const saved = await saveWebhook({ database, guard, secretsKey }, { organizationId, actor: 'test' }, { url }, now)
    assert.ok(saved.outcome === 'saved' && saved.secret !== null)
    secret = saved.secret

    results = { arrives: await complete(1), rejected: '', broken: '', faceless: '' }
    await waitForStatus(results.arrives, 'DELIVERED')
    receiver.answer({ status: 400, body: 'no' })
    results.rejected = await complete(2)
    await waitForStatus(results.rejected, 'FAILED')
    receiver.answer({ status: 500 })
    results.broken = await complete(3, { traceparent: `00-${callersTrace}-b7ad6b7169203331-01` })
    await waitForStatus(results.broken, 'FAILED')
    // An attempt counts toward its endpoint's health a few seconds after it has ended.
    await database.script(`
      update delivery_attempts set started_at = started_at - interval '1 minute',
        finished_at = finished_at - interval '1 minute';
      update webhook_endpoints set updated_at = updated_at - interval '1 hour'`)
    await eventually(async () => (await scrape()).of('interview_api_endpoints_failing') === 1)
    whileFailing = await scrape()
    results.faceless = await complete(4, {}, null)
    await waitForStatus(results.faceless, 'FAILED')

    // A retried delivery whose webhook is disabled when it is due.
    await setEndpointEnabled(database, organizationId, false, now)
    await database.query(sql`
      update deliveries set status = 'PENDING', failure_reason = null, updated_at = now() - interval '2 minutes'
      where result_id = ${results.rejected}`)
    await waitForStatus(results.rejected, 'FAILED')

    // More concurrent requests than there are connections.
    await Promise.all(Array.from({ length: 20 }, () => partner('GET', '/v1/templates?externalPostingId=searched-for')))
    await setWindow(database, created.id, 120)
    assert.equal((await partner('GET', '/v1/templates')).status, 429)

    const passwordHash = await hashPassword(person.password)
    const member = { organizationId, email: person.email, name: 'Grace', role: 'admin' as const, actor: 'test' }
    await database.transaction((transaction) => addMember(transaction, { ...member, passwordHash }, now))
    const origin = { origin: server.url }
    const signedIn = await call(server.url, 'POST', '/settings/api/sign-in', origin, person)
    assert.equal(signedIn.status, 200, signedIn.text)
    cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    assert.equal((await call(server.url, 'GET', '/settings/api/session', { cookie })).status, 200)
    // Values read from the database may be five seconds old.
    await eventually(async () => (await scrape()).of('interview_api_dead_letters') === 2)
  }

  function partner(method: string, path: string, body?: object) {
    return call<Invitation>(server.url, method, path, { 'x-service-api-key': key }, body)
  }

  /** Runs an interview from invitation to final result and returns the result. */
  async function complete(number: number, headers: Record<string, string> = {}, picture: Buffer | null = image) {
    const template = await partner('POST', '/v1/templates', { title: 'T', description: 'D' })
    const candidate = { email: `ada.${number}@example.com`, firstName: 'Ada' }
    const invited = await partner('POST', '/v1/interview-invitations', { templateId: template.body.id, candidate })
    const path = `/internal/v1/interviews/${invited.body.interview.id}`
    const engine = { authorization: `Bearer ${environment.ENGINE_TOKEN}` }
    if (picture) {
      const jpeg = { ...engine, 'content-type': 'image/jpeg' }
      await send(server.url, 'PUT', `${path}/thumbnail`, jpeg, new Uint8Array(picture))
    }
    const report = { scoring, analysis: { transcript: 'said-in-confidence' } }
    const response = await call<{ resultId: string }>(
      server.url,
      'PUT',
      `${path}/result`,
      { ...engine, ...headers },
      report,
    )
    assert.equal(response.status, 201, response.text)
    return response.body.resultId
  }

  async function waitForStatus(resultId: string, status: string): Promise<void> {
    const reached = await eventually(async () => {
      const [row] = await database.query<{ status: string }>(
        sql`select status from deliveries where result_id = ${resultId}`,
      )
      return row?.status === status
    })
    assert.ok(reached, `${resultId} is not ${status}`)
  }
})
