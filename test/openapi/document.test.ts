import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import fastify from 'fastify'
import { openPostgres } from '../../server/database/database.ts'
import { type ErrorCode, errors, publicText } from '../../server/http/errors.ts'
import { partnerApi } from '../../server/http/partner/api.ts'
import { sharedPostgres } from '../support/postgres.ts'
import { postgresEnvironment, type ServerProcess, startServer, temporaryFolder } from '../support/process.ts'
import { type Document, faultsBy, fieldsOf, operations, readDocument } from './reading.ts'

const always: ErrorCode[] = [
  'bad_http',
  'key_required',
  'key_invalid',
  'organization_inactive',
  'scope_required',
  'request_timeout',
  'rate_limited',
  'headers_too_large',
  'internal',
  'unavailable',
]
const withBody: ErrorCode[] = ['invalid_json', 'not_an_object', 'body_too_large', 'not_json']

const routes: Record<string, { scope: string; success: number[]; refusals: ErrorCode[] }> = {
  'POST /v1/templates': {
    scope: 'templates:write',
    success: [200, 201],
    refusals: [...always, ...withBody],
  },
  'GET /v1/templates': {
    scope: 'templates:read',
    success: [200],
    refusals: [...always, 'invalid_cursor'],
  },
  'GET /v1/templates/{id}': {
    scope: 'templates:read',
    success: [200],
    refusals: [...always, 'bad_url', 'template_not_found'],
  },
  'PATCH /v1/templates/{id}': {
    scope: 'templates:write',
    success: [200],
    refusals: [...always, ...withBody, 'bad_url', 'no_changes', 'template_not_found', 'posting_taken'],
  },
  'POST /v1/interview-invitations': {
    scope: 'invitations:write',
    success: [200, 201],
    refusals: [...always, ...withBody, 'template_not_found'],
  },
  'GET /v1/interview-results': {
    scope: 'results:read',
    success: [200],
    refusals: [
      ...always,
      ...(['invalid_cursor', 'times_reversed'] as const),
      ...(['template_not_found', 'invitation_not_found', 'result_not_found'] as const),
    ],
  },
}

// As the contract lists them.
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

  test('a linter finds nothing in it, not even to warn of', async () => {
    await using folder = await temporaryFolder()
    await writeFile(join(folder.path, 'openapi.json'), JSON.stringify(document))
    assert.deepEqual(await lint(folder.path), { totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] })
  })

  test('the linter does find faults where there are some', async () => {
    await using folder = await temporaryFolder()
    const { security, ...open } = document
    await writeFile(join(folder.path, 'openapi.json'), JSON.stringify(open))
    const { totals } = await lint(folder.path)
    assert.ok(totals.errors > 0)
  })

  test('it is OpenAPI 3.1 and names the address of the service', () => {
    assert.match(document.openapi, /^3\.1\.\d$/)
    assert.deepEqual(document.servers, [{ url: 'https://interviews.example' }])
  })

  test('it has every route of the partner API and no other', async () => {
    assert.deepEqual([...operations(document).keys()].sort(), (await partnerRoutes()).sort())
    assert.deepEqual([...operations(document).keys()].sort(), Object.keys(routes).sort())
    for (const path of Object.keys(document.paths)) assert.match(path, /^\/v1\//)
    assert.equal(/\/(internal|settings|healthz|readyz)\b|engine (token|API)/i.exec(JSON.stringify(document)), null)
  })

  test('the key goes by either header', () => {
    const { apiKeyHeader, bearer } = document.components.securitySchemes
    assert.partialDeepStrictEqual(apiKeyHeader, { type: 'apiKey', in: 'header', name: 'X-Service-Api-Key' })
    assert.partialDeepStrictEqual(bearer, { type: 'http', scheme: 'bearer' })
    assert.deepEqual(document.security, [{ apiKeyHeader: [] }, { bearer: [] }])
    for (const operation of operations(document).values()) assert.equal('security' in operation, false)
  })

  for (const [name, { scope, success, refusals }] of Object.entries(routes)) {
    test(`${name} lists every status it can answer, and every text with it`, () => {
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

  test('the event has every field of the contract, all of them required, and no other · EVT-3', () => {
    const event = document.webhooks['result.completed']?.post
    const schema = event?.requestBody?.content['application/json']?.schema
    assert.ok(schema)
    assert.equal(event.requestBody?.required, true)
    assert.deepEqual(fieldsOf(document, schema), eventFields)
    assert.deepEqual(Object.keys(document.webhooks), ['result.completed'])
  })

  test('its example of the event is one', () => {
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

type Findings = { totals: { errors: number; warnings: number; ignored: number }; problems: unknown[] }

async function lint(folder: string): Promise<Findings> {
  const entry = createRequire(import.meta.url).resolve('@redocly/cli/package.json')
  const script = join(dirname(entry), 'bin', 'cli.js')
  const args = [script, 'lint', 'openapi.json', '--extends=recommended-strict', '--format=json']
  const env = {
    ...{ PATH: process.env.PATH, HOME: folder, TMPDIR: folder, SystemRoot: process.env.SystemRoot },
    // It must neither report to anybody nor ask for news; a proxy that nobody is behind makes sure of it.
    ...{ REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' },
    ...{ HTTP_PROXY: 'http://127.0.0.1:1', HTTPS_PROXY: 'http://127.0.0.1:1' },
  }
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env }).catch((error) => error)
  const { totals, problems }: Findings = JSON.parse(stdout)
  return { totals, problems }
}

/** The routes as they are declared to the router, in the form in which the document names them. */
async function partnerRoutes(): Promise<string[]> {
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
    clock: () => new Date(),
    appUrl: address,
    interviewUrl: `${address}/{token}`,
  })
  await database.close()
  return found
}
