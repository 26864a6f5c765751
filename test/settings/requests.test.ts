import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { RequestPage } from '../../server/http/settings/request-schemas.ts'
import { engines } from '../../support/engines.ts'
import { type SignedInMember, signedInMember } from '../../support/members.ts'
import { eventually } from '../../support/process.ts'
import { call, type Partner, type Service, startService } from '../../support/service.ts'

for (const engine of engines) {
  describe(`the request log on ${engine.name}`, () => {
    let service: Service
    let partner: Partner
    let admin: SignedInMember
    before(async () => {
      service = await startService(engine)
      partner = await service.partner()
      admin = await signedInMember(service, 'admin', partner.organizationId)
    })
    after(() => service.close())

    const ask = (method: string, path: string, requestId: string, body?: unknown) =>
      call(service.url, method, path, { 'x-service-api-key': partner.key, 'x-request-id': requestId }, body)
    const logged = async (query: string) => {
      const path = `/organizations/${partner.organizationId}/requests?${query}`
      return (await admin.call<RequestPage>('GET', path)).body.data
    }

    test('a request is logged with key, route, status, error and duration, and without its body · SET-4', async () => {
      const secretTitle = 'A title nobody may log'
      await ask('GET', '/v1/templates?limit=1', 'list-1')
      await ask('POST', '/v1/templates', 'create-1', { title: secretTitle })
      await ask('GET', '/v1/templates/tpl_unknown', 'read-1')
      await ask('GET', '/v1/nothing?secret=1', 'typo-1')
      await ask('PUT', '/v1/templates/tpl_unknown', 'method-1', {})
      assert.ok(await eventually(async () => (await logged('')).length === 5))
      const facts = (await logged('')).map(({ requestId, method, route, status, error }) => [
        ...[requestId, method, route],
        ...[status, error],
      ])
      assert.deepEqual(facts, [
        ['method-1', 'PUT', '/v1/templates/:id', 405, 'Method not allowed'],
        ['typo-1', 'GET', 'unknown', 404, 'Not found'],
        ['read-1', 'GET', '/v1/templates/:id', 404, 'Template not found'],
        ['create-1', 'POST', '/v1/templates', 400, 'description is required'],
        ['list-1', 'GET', '/v1/templates', 200, null],
      ])
      const [found] = await logged('requestId=create-1')
      assert.equal(found?.keyId, partner.keyId)
      assert.ok((found?.milliseconds ?? -1) >= 0)
      assert.equal((await logged('only=errors')).length, 4)
      assert.ok(!JSON.stringify(await logged('')).includes(secretTitle))
    })

    test('names that the database can’t store don’t keep others from being logged · ROB-4', async () => {
      await ask('GET', '/v1/templates?%00=1', 'nul-1')
      await ask('POST', '/v1/templates', 'half-1', JSON.parse(String.raw`{"\ud800": 1, "\u0000": 1}`))
      await ask('GET', '/v1/templates?limit=1', 'other-1')
      assert.ok(await eventually(async () => (await logged('requestId=other-1')).length === 1))
      for (const id of ['nul-1', 'half-1']) {
        const [entry] = await logged(`requestId=${id}`)
        assert.equal(entry?.status, 400)
        assert.match(entry?.error ?? '', /Unknown/)
      }
    })

    test('a wrong key is nobody’s request', async () => {
      const before = await logged('')
      await call(service.url, 'GET', '/v1/templates', { 'x-service-api-key': 'wrong', 'x-request-id': 'wrong-1' })
      await ask('GET', '/v1/templates', 'last-1')
      assert.ok(await eventually(async () => (await logged('requestId=last-1')).length === 1))
      assert.equal((await logged('')).length, before.length + 1)
    })
  })
}
