import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setOrganizationActive } from '../../server/organizations/organizations.ts'
import { engines } from '../../support/engines.ts'
import { documentedName, partnerRoutes } from '../../support/partner-routes.ts'
import { finish } from '../../support/results.ts'
import { type Service, setWindow, startService } from '../../support/service.ts'
import { exchange, type RequestParts, requestText, type WireResponse } from '../../support/wire.ts'
import { type Document, faultsBy, operations, readDocument } from './read-document.ts'

/** A request to a documented route with its expected status and, for an error, its exact text. */
type Case = { route: string; path: string; status: number; error?: string; headers?: Record<string, string> } & (
  | { json?: unknown }
  | { text: string }
)

const unknown = '01m7efx4xwfztrm1s20bva7r58'
const template = { title: 'Backend engineer', description: 'Queues' }
const posting = { ...template, externalPostingId: 'job-4711' }

describe('responses match the OpenAPI document', () => {
  let service: Service
  let document: Document
  const keys = { good: '', scopeless: { read: '', results: '' }, inactive: '', exhausted: '' }
  const ids = { template: '', other: '', invitation: '', result: '' }
  let interviewed: string

  before(async () => {
    const engine = engines.find(({ name }) => name === 'PostgreSQL')
    assert.ok(engine)
    service = await startService(engine)
    document = await readDocument(service.url)

    const partner = await service.partner({ unlimited: true })
    keys.good = partner.key
    keys.scopeless.read = (await service.partner({ scopes: ['templates:read'], unlimited: true })).key
    keys.scopeless.results = (await service.partner({ scopes: ['results:read'], unlimited: true })).key
    const inactive = await service.partner({ unlimited: true })
    await setOrganizationActive(service.database, inactive.organizationId, false)
    keys.inactive = inactive.key
    const exhausted = await service.partner()
    await setWindow(service.database, exhausted.keyId, 120)
    keys.exhausted = exhausted.key

    await partner.call('POST', '/v1/templates', { ...template, externalPostingId: 'taken' })
    ids.other = idOf(await partner.call('POST', '/v1/templates', template))
    ids.template = idOf(await partner.call('POST', '/v1/templates', template))
    const finished = await finish(service, partner.organizationId, { templateId: ids.template })
    await finish(service, partner.organizationId, { templateId: ids.template })
    ids.invitation = finished.invitation.id
    ids.result = finished.resultId
    interviewed = finished.invitation.candidate.email
  })
  after(() => service?.close())

  const successes: [name: string, make: () => Case][] = [
    ['a new template', () => ({ ...post('/v1/templates', template), status: 201 })],
    ['an unknown posting', () => ({ ...post('/v1/templates', posting), status: 201 })],
    [
      'a posting already mapped',
      () => ({ ...post('/v1/templates', { ...posting, externalPostingId: 'taken' }), status: 200 }),
    ],
    ['all templates', () => get('/v1/templates')],
    ['a page of them', () => get('/v1/templates', '?limit=1')],
    ['templates of a posting', () => get('/v1/templates', '?externalPostingId=taken')],
    ['one template', () => ({ ...one('GET'), status: 200 })],
    ['a changed template', () => ({ ...one('PATCH'), json: { externalPostingId: null, title: 'New' }, status: 200 })],
    ['a new invitation', () => ({ ...invitation('ada@example.com'), status: 201 })],
    ['all results', () => get('/v1/interview-results')],
    ['a page of them', () => get('/v1/interview-results', '?limit=1')],
    [
      'results with every filter',
      () =>
        get(
          '/v1/interview-results',
          `?invitationId=${ids.invitation}&resultId=${ids.result}&templateId=${ids.template}&completedAfter=2026-01-01T00:00:00Z&completedBefore=2027-01-01T00:00:00Z`,
        ),
    ],
  ]
  for (const [name, make] of successes) {
    test(`${make().route}: ${name}`, async () => {
      const response = await ask(make())
      const { content } = documented(make().route, response)
      const schema = content?.['application/json']?.schema
      assert.ok(schema)
      assert.deepEqual(faultsBy(document, schema, response.body), [], response.text)
      assert.notDeepEqual(faultsBy(document, schema, { ...Object(response.body), leaked: true }), [])
    })
  }

  test('POST /v1/interview-invitations: the same candidate again, and one whose interview is finished', async () => {
    const route = 'POST /v1/interview-invitations'
    await ask({ ...invitation('grace@example.com'), status: 201 })
    const again = await ask({ ...invitation('Grace@example.com'), status: 200 })
    const over = await ask({ ...invitation(interviewed), status: 200 })
    assert.partialDeepStrictEqual(over.body, { inviteUrl: null, interview: { status: 'COMPLETED' } })
    for (const response of [again, over]) {
      const schema = documented(route, response).content?.['application/json']?.schema
      assert.deepEqual(faultsBy(document, schema ?? {}, response.body), [], response.text)
    }
  })

  const list = '/v1/interview-results'
  const refusals: [status: number, error: string, make: () => Omit<Case, 'status' | 'error'>][] = [
    [400, 'title is required', () => post('/v1/templates', { description: 'D' })],
    [400, 'title must be at most 200 characters', () => post('/v1/templates', { ...template, title: 'x'.repeat(201) })],
    [400, 'Unknown field: titel', () => post('/v1/templates', { ...template, titel: 'T' })],
    [400, 'limit must be an integer between 1 and 100', () => get('/v1/templates', '?limit=0')],
    [400, 'Unknown query parameter: x', () => get('/v1/templates', '?x=1')],
    [400, 'cursor is invalid', () => get('/v1/templates', '?cursor=x')],
    [400, 'Request URL is not valid', () => one('GET', '%zz')],
    [404, 'Template not found', () => one('GET', `tpl_${unknown}`)],
    [400, 'Request URL is not valid', () => ({ ...one('PATCH', '%zz'), json: {} })],
    [400, 'Request body must have at least one field to change', () => ({ ...one('PATCH'), json: {} })],
    [400, 'title must be at most 200 characters', () => ({ ...one('PATCH'), json: { title: 'x'.repeat(201) } })],
    [400, 'Unknown field: titel', () => ({ ...one('PATCH'), json: { titel: 'T' } })],
    [404, 'Template not found', () => ({ ...one('PATCH', `tpl_${unknown}`), json: { title: 'T' } })],
    [
      409,
      'externalPostingId is already mapped to another template',
      () => ({ ...one('PATCH'), json: { externalPostingId: 'taken' } }),
    ],
    [400, 'candidate.email must be a valid email address', () => invitation('ada')],
    [
      400,
      'templateId is required',
      () => ({ ...invitation('a@b.example'), json: { candidate: person('a@b.example') } }),
    ],
    [404, 'Template not found', () => invitation('ada@example.com', `tpl_${unknown}`)],
    [
      400,
      'completedAfter must be an ISO 8601 time such as 2026-01-02T03:04:05.678Z',
      () => get(list, '?completedAfter=yesterday'),
    ],
    [
      400,
      'completedAfter must not be later than completedBefore',
      () => get(list, '?completedAfter=2026-02-01T00:00:00Z&completedBefore=2026-01-01T00:00:00Z'),
    ],
    [400, 'cursor is invalid', () => get(list, '?cursor=x')],
    [404, 'Template not found', () => get(list, `?templateId=tpl_${unknown}`)],
    [404, 'Interview invitation not found', () => get(list, `?invitationId=inv_${unknown}`)],
    [404, 'Interview result not found', () => get(list, `?resultId=res_${unknown}`)],
  ]
  for (const [status, error, make] of refusals) {
    test(`${make().route}: ${status} ${error}`, async () => refused({ ...make(), status, error }))
  }

  for (const { method, path: pattern, scope } of partnerRoutes) {
    const route = documentedName({ method, path: pattern })
    test(`${route}: the errors of every route`, async () => {
      const path = pattern.replace(':templateId', ids.template)
      const has = (key: string) => ({ 'x-service-api-key': key })
      const scopeless = scope === 'results:read' ? keys.scopeless.read : keys.scopeless.results
      const cases: [status: number, error: string, headers: Record<string, string>][] = [
        [401, 'API key is required', has('')],
        [401, 'Invalid API key', has('service_live_x.y')],
        [403, 'Organization is inactive', has(keys.inactive)],
        [403, `API key scope ${scope} is required`, has(scopeless)],
        [429, 'API key rate limit exceeded', has(keys.exhausted)],
        [431, 'Request header fields are too large', { 'x-large': 'x'.repeat(20_000) }],
        [400, 'Request is not valid HTTP', { 'content-length': 'x' }],
      ]
      for (const [status, error, headers] of cases) await refused({ route, path, headers, status, error })
    })

    if (route.startsWith('GET')) continue
    test(`${route}: the errors of every route with a body`, async () => {
      const path = pattern.replace(':templateId', ids.template)
      const plain = { 'content-type': 'text/plain' }
      await refused({ route, path, text: '{', status: 400, error: 'Request body must be valid JSON' })
      await refused({ route, path, text: '[]', status: 400, error: 'Request body must be a JSON object' })
      await refused({
        route,
        path,
        text: '{}',
        headers: plain,
        status: 415,
        error: 'Content-Type must be application/json',
      })
      const large = JSON.stringify({ title: 'x'.repeat(300_000) })
      await refused({ route, path, text: large, status: 413, error: 'Request body is too large' })
    })
  }

  /** The response matches its schema, and its text is among the examples. */
  async function refused(asked: Case): Promise<void> {
    const response = await ask(asked)
    const { schema = {}, examples = {} } = documented(asked.route, response).content?.['application/json'] ?? {}
    assert.deepEqual(faultsBy(document, schema, response.body), [], response.text)
    assert.deepEqual(response.body, { error: asked.error })
    const texts = Object.values(examples).map(({ value }) => value.error)
    assert.ok(texts.includes(asked.error ?? ''), `not among ${texts.join(' · ')}`)
  }

  /** Returns what the document says about a response, and checks that all documented headers are present. */
  function documented(route: string, { status, headers }: WireResponse) {
    const response = operations(document).get(route)?.responses[status]
    assert.ok(response, `${route} does not list ${status}`)
    // Malformed HTTP is rejected before the key is checked.
    const early = headers.get('connection') === 'close' && status === 400
    for (const name of Object.keys(response.headers ?? {})) {
      if (early && name.startsWith('RateLimit')) continue
      if (name !== 'Link') assert.ok(headers.has(name), `${name} is missing`)
    }
    return response
  }

  async function ask({ route, path, status, headers, ...body }: Case): Promise<WireResponse> {
    const [method = ''] = route.split(' ')
    const text = 'text' in body ? body.text : body.json === undefined ? undefined : JSON.stringify(body.json)
    const request: RequestParts = {
      method,
      path,
      headers: {
        'x-service-api-key': keys.good,
        ...(text !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(text !== undefined && { body: text }),
    }
    const response = await exchange(service.url, requestText(request))
    assert.equal(response.status, status, response.text)
    return response
  }

  function one(method: 'GET' | 'PATCH', id = ids.other) {
    return { route: `${method} /v1/templates/{id}`, path: `/v1/templates/${id}` }
  }

  function invitation(email: string, templateId = ids.template) {
    return post('/v1/interview-invitations', { templateId, candidate: person(email) })
  }
})

function get(path: string, query = '') {
  return { route: `GET ${path}`, path: path + query, status: 200 }
}

function post(path: string, json: unknown) {
  return { route: `POST ${path}`, path, json }
}

function person(email: string) {
  return { email, firstName: 'Ada', lastName: 'Lovelace' }
}

function idOf({ text }: { text: string }): string {
  return JSON.parse(text).id
}
