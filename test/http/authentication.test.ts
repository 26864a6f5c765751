import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { mintKey, revokeKey, type Scope, scopes } from '../../server/organizations/api-keys.ts'
import { setOrganizationActive } from '../../server/organizations/organizations.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { documentedName, partnerRoutes, requestFor } from '../../support/partner-routes.ts'
import { call, type Partner, type Service, startService } from '../../support/service.ts'
import { exchange } from '../../support/wire.ts'

const noKey: [name: string, headers: Record<string, string>][] = [
  ['no header', {}],
  ['an empty X-Service-Api-Key', { 'x-service-api-key': '' }],
  ['a bearer without a token', { authorization: 'Bearer' }],
  ['a bearer with spaces for a token', { authorization: 'Bearer   ' }],
  ['Basic authorization', { authorization: 'Basic dXNlcjpwYXNzd29yZA==' }],
  ['an unknown scheme', { authorization: 'Token abc' }],
  ['both headers empty', { 'x-service-api-key': '', authorization: 'Bearer ' }],
]

const invalidKeys: [name: string, corrupt: (key: string, another: string) => string][] = [
  ['a well-formed unknown key', () => `service_live_${'A'.repeat(16)}.${'b'.repeat(43)}`],
  ['the public part of one key and the secret of another', (key, another) => publicPart(key) + secretPart(another)],
  ['a secret with its last character changed', (key) => key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A')],
  ['a truncated secret', (key) => key.slice(0, -1)],
  ['a secret with an extra character', (key) => `${key}A`],
  ['the public part alone', (key) => publicPart(key)],
  ['the secret alone', (key) => secretPart(key)],
  ['another prefix', (key) => key.replace('service_live_', 'service_test_')],
  ['the prefix in capitals', (key) => key.replace('service_live_', 'SERVICE_LIVE_')],
  ['a key with its case swapped', (key) => `service_live_${swapped(key.slice('service_live_'.length))}`],
  ['the key twice', (key) => `${key}, ${key}`],
  ['a key with a space in it', (key) => key.replace('.', ' .')],
  ['a key of 10,000 characters', (key) => key + 'A'.repeat(10_000)],
  ['a key in quotes', (key) => `"${key}"`],
  ['SQL', () => "service_live_' or '1' = '1"],
  ['non-ASCII letters', () => 'service_live_äöü'],
]

for (const engine of engines) {
  describe(`authentication on ${engine.name}`, () => {
    let service: Service
    let partner: Partner
    before(async () => {
      service = await startService(engine)
      partner = await service.partner({ unlimited: true })
    })
    after(() => service.close())

    const ask = (headers: Record<string, string>) => call(service.url, 'GET', '/v1/templates', headers)

    test('the key is read from X-Service-Api-Key · AUTH-3', async () => {
      assert.equal((await ask({ 'X-Service-Api-Key': partner.key })).status, 200)
    })

    test('the key is read from Authorization: Bearer, in any case · AUTH-4', async () => {
      for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR', 'Bearer  ']) {
        assert.equal((await ask({ authorization: `${scheme} ${partner.key}` })).status, 200, scheme)
      }
    })

    test('the same key in both headers is one key · AUTH-3 AUTH-4', async () => {
      const response = await ask({ 'x-service-api-key': partner.key, authorization: `Bearer ${partner.key}` })
      assert.equal(response.status, 200)
      const other = await ask({ 'x-service-api-key': partner.key, authorization: 'Basic dXNlcjpwYXNzd29yZA==' })
      assert.equal(other.status, 200)
    })

    test('two different keys are invalid even if each is valid · AUTH-6', async () => {
      const another = await service.partner()
      const response = await ask({ 'x-service-api-key': partner.key, authorization: `Bearer ${another.key}` })
      assertRefused(response, 401, 'Invalid API key')
      const twice = `GET /v1/templates HTTP/1.1\r\nhost: a\r\nx-service-api-key: ${partner.key}\r\nx-service-api-key: ${another.key}\r\n\r\n`
      assertRefused(await exchange(service.url, twice), 401, 'Invalid API key')
    })

    for (const [name, headers] of noKey) {
      test(`${name}: 401 API key is required · AUTH-5`, async () => {
        const response = await ask(headers)
        assertRefused(response, 401, 'API key is required')
        assert.equal(response.headers.get('www-authenticate'), 'Bearer')
        assert.equal(response.headers.get('ratelimit'), null)
      })
    }

    for (const [name, corrupt] of invalidKeys) {
      test(`${name}: 401 Invalid API key · AUTH-2 AUTH-6`, async () => {
        const another = await service.partner()
        const key = corrupt(partner.key, another.key)
        for (const headers of [{ 'x-service-api-key': key }, { authorization: `Bearer ${key}` }]) {
          const response = await ask(headers)
          assertRefused(response, 401, 'Invalid API key')
          assert.equal(response.headers.get('ratelimit'), null)
        }
      })
    }

    test('a revoked key is rejected permanently from the next request on · AUTH-6', async () => {
      const leaving = await service.partner()
      assert.equal((await leaving.call('GET', '/v1/templates')).status, 200)
      await revokeKey(service.database, leaving.keyId, service.time.now)
      assertRefused(await leaving.call('GET', '/v1/templates'), 401, 'Invalid API key')
      await setOrganizationActive(service.database, leaving.organizationId, false)
      assertRefused(await leaving.call('GET', '/v1/templates'), 401, 'Invalid API key')
    })

    test('revoking one key does not affect the organization’s other keys · AUTH-6', async () => {
      const { organizationId, keyId, call: callWithFirst } = await service.partner()
      const options = { organizationId, label: 'second', scopes: [...scopes], createdBy: 'test' }
      const second = await mintKey(service.database, options, service.time.now)
      await revokeKey(service.database, keyId, service.time.now)
      assertRefused(await callWithFirst('GET', '/v1/templates'), 401, 'Invalid API key')
      assert.equal((await ask({ 'x-service-api-key': second.key })).status, 200)
    })

    test('an inactive organization’s key is 403 until the organization is active again · AUTH-7', async () => {
      const resting = await service.partner()
      await setOrganizationActive(service.database, resting.organizationId, false)
      for (const path of ['/v1/templates', '/v1/interview-results', '/v1/nothing']) {
        assertRefused(await resting.call('GET', path), 403, 'Organization is inactive')
      }
      await setOrganizationActive(service.database, resting.organizationId, true)
      assert.equal((await resting.call('GET', '/v1/templates')).status, 200)
    })

    test('the table of routes covers the whole API · AUTH-8', async () => {
      const { body } = await call<{ paths: Record<string, object> }>(service.url, 'GET', '/openapi.json', {})
      const documented = Object.entries(body.paths).flatMap(([path, operations]) =>
        Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
      )
      assert.deepEqual(documented.sort(), partnerRoutes.map(documentedName).sort())
    })

    for (const route of partnerRoutes) {
      const { method, scope } = route
      const name = documentedName(route)
      test(`${name} needs ${scope} and nothing else · AUTH-8`, async () => {
        for (const tried of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
          const allowed = await limitedTo([scope])
          const good = await allowed.send(tried)
          assert.equal(good.status, allowed.request.status, good.text)
          const refused = await (await limitedTo(scopes.filter((other) => other !== scope))).send(tried)
          if (tried === 'HEAD') assert.equal(refused.status, 403)
          else assertRefused(refused, 403, `API key scope ${scope} is required`)
        }
      })

      test(`${name} accepts a key from before scopes existed until it is revoked · AUTH-10`, async () => {
        const legacy = await limitedTo(['templates:write'])
        await service.database.query(sql`update api_keys set scopes = null where id = ${legacy.keyId}`)
        const response = await legacy.send(method)
        assert.equal(response.status, legacy.request.status, response.text)
        await revokeKey(service.database, legacy.keyId, service.time.now)
        assertRefused(await legacy.send(method), 401, 'Invalid API key')
      })

      /** A key with these scopes, in an organization with a template. */
      async function limitedTo(limited: Scope[]) {
        const owner = await service.partner()
        const { body } = await owner.call<{ id: string }>('POST', '/v1/templates', { title: 'T', description: 'D' })
        const options = { organizationId: owner.organizationId, label: 'limited', scopes: limited, createdBy: 'test' }
        const { id: keyId, key } = await mintKey(service.database, options, service.time.now)
        const served = requestFor(route, { templateId: body.id, externalPostingId: 'job-4711' })
        return {
          keyId,
          request: served,
          send: (tried: string) =>
            call(service.url, tried, served.path, { authorization: `Bearer ${key}` }, served.json),
        }
      }
    }
  })
}

function publicPart(key: string): string {
  return key.slice(0, key.indexOf('.') + 1)
}

function secretPart(key: string): string {
  return key.slice(key.indexOf('.') + 1)
}

function swapped(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}
