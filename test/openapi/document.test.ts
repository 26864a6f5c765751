import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fastify from 'fastify'
import { openPostgres } from '../../server/database/database.ts'
import { errors, publicText } from '../../server/http/errors.ts'
import { partnerApi } from '../../server/http/partner/api.ts'
import { documentedName, partnerRoutes } from '../../support/partner-routes.ts'
import { sharedPostgres } from '../../support/postgres.ts'
import { postgresEnvironment, type ServerProcess, startServer } from '../../support/process.ts'
import { lint } from './lint.ts'
import { type Document, faultsBy, fieldsOf, operations, readDocument } from './read-document.ts'

// As in the contract.
const eventFields = `eventId: string
eventType: string
occurredAt: string
idempotencyKey: string
resultId: string
template.id: string
template.name: string
candidate.id: string
candidate.email: string
candidate.firstName: string
candidate.lastName: string
interview.id: string
interview.completedAt: string
interview.status: string
resultUrl: string
thumbnail.contentType: string
thumbnail.dataBase64: string
result.resultId: string
result.aiAnalysis.scoring.technical_score: number
result.aiAnalysis.scoring.technical_feedback: string
result.aiAnalysis.scoring.soft_skills_score: number
result.aiAnalysis.scoring.soft_skills_feedback: string
result.aiAnalysis.scoring.language_proficiency: number
result.aiAnalysis.scoring.language_proficiency_feedback: string
result.aiAnalysis.scoring.weighted_score: number
result.aiAnalysis.scoring.feedback: string
result.aiAnalysis.scoring.highlights: array of string
result.aiAnalysis.scoring.suggestions: array of string
result.aiAnalysis.scoring.duration: integer`.split('\n')

describe('the OpenAPI document of a running server', () => {
  let server: ServerProcess
  let document: Document

  before(async () => {
    const url = await (await sharedPostgres()).createDatabase()
    server = await startServer({ ...postgresEnvironment(url), APP_URL: 'https://interviews.example' })
    document = await readDocument(server.url)
  })
  after(() => server?.kill())

  test('the linter reports no errors and no warnings', async () => {
    assert.deepEqual(await lint(document), [])
  })

  test('the linter does report errors in a faulty document', async () => {
    const { security, ...open } = document
    const problems = await lint(open)
    assert.ok(problems.some(({ severity }) => severity === 'error'))
  })

  test('it is OpenAPI 3.1 and names the URL of the service', () => {
    assert.match(document.openapi, /^3\.1\.\d$/)
    assert.deepEqual(document.servers, [{ url: 'https://interviews.example' }])
  })

  test('every optional field of a request may be null, as the API accepts it, and no required one', () => {
    for (const name of ['TemplateInput', 'TemplateChanges', 'InvitationInput', 'CandidateInput']) {
      const { properties, required = [] } = document.components.schemas[name] ?? {}
      const nullable = Object.entries(Object(properties)).filter(([, property]) =>
        [Object(property).type].flat().includes('null'),
      )
      const optional = Object.keys(Object(properties)).filter((field) => ![required].flat().includes(field))
      assert.deepEqual(
        nullable.map(([field]) => field),
        optional,
        name,
      )
    }
    assert.doesNotMatch(JSON.stringify(document), /x-null-is-absent/)
  })

  test('it has every route of the partner API and no other', async () => {
    assert.deepEqual([...operations(document).keys()].sort(), (await declaredRoutes()).sort())
    assert.deepEqual([...operations(document).keys()].sort(), partnerRoutes.map(documentedName).sort())
    for (const path of Object.keys(document.paths)) assert.match(path, /^\/v1\//)
    assert.equal(/\/(internal|settings|healthz|readyz)\b|engine (token|API)/i.exec(JSON.stringify(document)), null)
  })

  test('it documents both headers for the key', () => {
    const { apiKeyHeader, bearer } = document.components.securitySchemes
    assert.partialDeepStrictEqual(apiKeyHeader, { type: 'apiKey', in: 'header', name: 'X-Service-Api-Key' })
    assert.partialDeepStrictEqual(bearer, { type: 'http', scheme: 'bearer' })
    assert.deepEqual(document.security, [{ apiKeyHeader: [] }, { bearer: [] }])
    for (const operation of operations(document).values()) assert.equal('security' in operation, false)
  })

  for (const route of partnerRoutes) {
    const { scope, success, refusals } = route
    const name = documentedName(route)
    test(`${name} lists every status it can return, with every error text`, () => {
      const operation = operations(document).get(name)
      assert.ok(operation)
      const expected = new Set([...success, ...refusals.map((code) => errors[code].status)].map(String))
      assert.deepEqual(Object.keys(operation.responses).sort(), [...expected].sort())

      const texts = refusals.map((code) => `${errors[code].status} ${publicText(code, scope)}`)
      const shown = Object.entries(operation.responses).flatMap(([status, { content }]) =>
        Object.entries(content?.['application/json']?.examples ?? {})
          .filter(([example]) => !example.startsWith('invalid_') || example in errors)
          .map(([, { value }]) => `${status} ${value.error}`),
      )
      assert.deepEqual(shown.sort(), texts.sort())
    })
  }

  test('the event has exactly the fields of the contract, all required · EVT-3', () => {
    const event = document.webhooks['result.completed']?.post
    const schema = event?.requestBody?.content['application/json']?.schema
    assert.ok(schema)
    assert.equal(event.requestBody?.required, true)
    assert.deepEqual(fieldsOf(document, schema), eventFields)
    assert.deepEqual(Object.keys(document.webhooks), ['result.completed'])
  })

  test('the example event matches its schema', () => {
    const { schema = {}, example } =
      document.webhooks['result.completed']?.post?.requestBody?.content['application/json'] ?? {}
    assert.deepEqual(faultsBy(document, schema, example), [])
  })

  test('the event has the headers of the contract · EVT-8', () => {
    const parameters = document.webhooks['result.completed']?.post?.parameters ?? []
    const names = ['X-Service-Event', 'X-Service-Event-Id', 'X-Service-Idempotency-Key', 'X-Service-Signature']
    assert.deepEqual(
      parameters.map((parameter) => [parameter.in, parameter.required, parameter.name]),
      names.map((name) => ['header', true, name]),
    )
  })
})

/** The registered routes, as the document writes them. */
async function declaredRoutes(): Promise<string[]> {
  const found: string[] = []
  const app = fastify()
  app.addHook('onRoute', ({ method, url, schema }) => {
    if (schema?.hide) return
    const methods = [method].flat().filter((one) => one !== 'HEAD')
    found.push(...methods.map((one) => `${one} ${url.replace(/:(\w+)/g, '{$1}')}`))
  })
  const database = openPostgres({ url: 'postgres://127.0.0.1:1/never-reached', connections: 1 })
  const address = 'https://interviews.example'
  await app.register(partnerApi, {
    prefix: '/v1',
    database,
    authenticate: async () => ({ outcome: 'invalid' }),
    clock: () => new Date(),
    appUrl: address,
    apiUrl: address,
    interviewUrl: `${address}/{token}`,
  })
  await database.close()
  return found
}
