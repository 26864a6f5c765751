import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../server/database/ids.ts'
import { mintKey, revokeKey, type Scope } from '../../server/organizations/api-keys.ts'
import { setOrganizationActive } from '../../server/organizations/organizations.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { type Service, send, setWindow, startService } from '../../support/service.ts'

type Refusal = [status: number, error: string]

const json = 'application/json'
const tooLarge = JSON.stringify({ title: 'x'.repeat(300_000) })

/** Requests with errors of the later stages. `route` is the error of the route itself, `rest` the first one after the scope. */
type FaultyRequest = {
  name: string
  method: string
  path: (ids: { taken: string; other: string; unknown: string }) => string
  type: string
  body: string
  scope?: Scope
  route?: Refusal
  rest: Refusal
}

const patch = { method: 'PATCH', scope: 'templates:write' as const, type: json }
const unknown = ({ unknown }: { unknown: string }) => `/v1/templates/${unknown}`

const requests: FaultyRequest[] = [
  {
    name: 'an unknown route with a body of the wrong type',
    method: 'POST',
    path: () => '/v1/nothing',
    type: 'text/plain',
    body: tooLarge,
    rest: [404, 'Not found'],
    route: [404, 'Not found'],
  },
  {
    name: 'a wrong method with a body of the wrong type',
    method: 'DELETE',
    path: unknown,
    type: 'text/plain',
    body: tooLarge,
    rest: [405, 'Method not allowed'],
    route: [405, 'Method not allowed'],
  },
  {
    name: 'a URL that can’t be decoded',
    method: 'PATCH',
    path: () => '/v1/templates/%zz',
    type: 'text/plain',
    body: tooLarge,
    rest: [400, 'Request URL is not valid'],
    route: [400, 'Request URL is not valid'],
  },
  {
    ...patch,
    name: 'an oversized body of the wrong type, for an unknown template',
    path: unknown,
    type: 'text/plain',
    body: tooLarge,
    rest: [415, 'Content-Type must be application/json'],
  },
  {
    ...patch,
    name: 'an oversized body, for an unknown template',
    path: unknown,
    body: tooLarge,
    rest: [413, 'Request body is too large'],
  },
  {
    ...patch,
    name: 'a body that is not JSON, for an unknown template',
    path: unknown,
    body: '{',
    rest: [400, 'Request body must be valid JSON'],
  },
  {
    ...patch,
    name: 'an unknown field for an unknown template',
    path: unknown,
    body: '{"titel": "T"}',
    rest: [400, 'Unknown field: titel'],
  },
  {
    ...patch,
    name: 'a posting that is taken, for an unknown template',
    path: unknown,
    body: '{"externalPostingId": "taken"}',
    rest: [404, 'Template not found'],
  },
  {
    ...patch,
    name: 'a posting that is taken',
    path: ({ other }) => `/v1/templates/${other}`,
    body: '{"externalPostingId": "taken"}',
    rest: [409, 'externalPostingId is already mapped to another template'],
  },
  {
    name: 'an invalid query for an unknown template',
    method: 'GET',
    path: ({ unknown }) => `/v1/interview-results?templateId=${unknown}&limit=0`,
    type: '',
    body: '',
    scope: 'results:read',
    rest: [400, 'limit must be an integer between 1 and 100'],
  },
]

/** Keys with every flaw of the stages after the one that rejects them. */
const keys: {
  name: string
  refusal?: Refusal
  flaws: ('revoked' | 'inactive' | 'over limit' | 'no scope')[] | null
}[] = [
  { name: 'no key', flaws: null, refusal: [401, 'API key is required'] },
  {
    name: 'a revoked key of an inactive organization, over its limit and without the scope',
    flaws: ['revoked', 'inactive', 'over limit', 'no scope'],
    refusal: [401, 'Invalid API key'],
  },
  {
    name: 'a key of an inactive organization, over its limit and without the scope',
    flaws: ['inactive', 'over limit', 'no scope'],
    refusal: [403, 'Organization is inactive'],
  },
  {
    name: 'a key over its limit and without the scope',
    flaws: ['over limit', 'no scope'],
    refusal: [429, 'API key rate limit exceeded'],
  },
  { name: 'a key without the scope', flaws: ['no scope'] },
  { name: 'a valid key', flaws: [] },
]

for (const engine of engines) {
  describe(`the order of checks on ${engine.name}`, () => {
    let service: Service
    before(async () => {
      service = await startService(engine)
    })
    after(() => service.close())

    for (const { name, flaws, refusal } of keys) {
      test(`${name}: the response names the first error · LIM-3`, async () => {
        const { key, ids } = await organization(flaws)
        for (const { name, method, path, type, body, scope, route, rest } of requests) {
          const lacksScope = scope !== undefined && flaws?.includes('no scope')
          const missing: Refusal | undefined = lacksScope ? [403, `API key scope ${scope} is required`] : undefined
          const [status, error] = refusal ?? route ?? missing ?? rest
          const headers = { ...(type && { 'content-type': type }), ...(key && { 'x-service-api-key': key }) }
          const response = await send(service.url, method, path(ids), headers, body || undefined)
          assertRefused(response, status, error)
          assert.equal(response.headers.has('allow'), status === 405, name)
          assert.equal(response.headers.has('ratelimit'), status !== 401, name)
          assert.equal(response.headers.has('retry-after'), status === 429, name)
        }
      })
    }

    async function organization(flaws: (typeof keys)[number]['flaws']) {
      const partner = await service.partner()
      const make = async (externalPostingId?: string) => {
        const fields = { title: 'T', description: 'D', externalPostingId }
        const { body } = await partner.call<{ id: string }>('POST', '/v1/templates', fields)
        return body.id
      }
      const ids = { taken: await make('taken'), other: await make(), unknown: newId('tpl') }
      if (flaws === null) return { key: null, ids }

      const { organizationId } = partner
      const scopes: Scope[] = flaws.includes('no scope') ? ['invitations:write'] : ['templates:write', 'results:read']
      const { id, key } = await mintKey(
        service.database,
        { organizationId, label: 'faulty', scopes, createdBy: 'test' },
        service.time.now,
      )
      if (flaws.includes('over limit')) await setWindow(service.database, id, 120)
      if (flaws.includes('inactive')) await setOrganizationActive(service.database, organizationId, false)
      if (flaws.includes('revoked')) await revokeKey(service.database, id, service.time.now)
      return { key, ids }
    }
  })
}
