import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { revokeKey } from '../../server/organizations/api-keys.ts'
import { setOrganizationActive } from '../../server/organizations/organizations.ts'
import { engines } from '../../support/engines.ts'
import { signedInMember } from '../../support/members.ts'
import { appUrl, type Service, startService } from '../../support/service.ts'
import { requestText } from '../../support/wire.ts'

const json = { 'content-type': 'application/json' }

for (const engine of engines) {
  describe(`bodies that arrive late on ${engine.name}`, () => {
    let service: Service
    before(async () => {
      service = await startService(engine)
    })
    after(() => service.close())

    test('a key that is revoked while a body arrives is refused · AUTH-6', async () => {
      const partner = await service.partner()
      const headers = { ...json, 'x-service-api-key': partner.key }
      const body = JSON.stringify({ title: 'Backend engineer', description: 'Queues' })
      const another = () => partner.call('GET', '/v1/templates')
      const request = { path: '/v1/templates', headers, body, another }
      assert.match(await sendSlowly(request, async () => {}), /^HTTP\/1\.1 201/)
      const revoke = () => revokeKey(service.database, partner.keyId, service.time.now)
      assert.match(await sendSlowly(request, revoke), /^HTTP\/1\.1 401/)
      const [stored] = await service.database.query<{ count: number }>(sql`
        select count(*) from templates where organization_id = ${partner.organizationId}`)
      assert.equal(stored?.count, 1)
    })

    test('a key whose organization is deactivated while a body arrives is refused as that · AUTH-7', async () => {
      const partner = await service.partner()
      const headers = { ...json, 'x-service-api-key': partner.key }
      const body = JSON.stringify({ title: 'Backend engineer', description: 'Queues' })
      const another = () => partner.call('GET', '/v1/templates')
      const deactivate = () => setOrganizationActive(service.database, partner.organizationId, false)
      const request = { path: '/v1/templates', headers, body, another }
      assert.match(await sendSlowly(request, deactivate), /^HTTP\/1\.1 403/)
    })

    test('a member who is removed while a body arrives changes nothing · SET-2', async () => {
      const { organizationId } = await service.partner()
      const admin = await signedInMember(service, 'admin', organizationId)
      const path = `/settings/api/organizations/${organizationId}/keys`
      const headers = { ...json, cookie: admin.cookie, origin: appUrl }
      const another = () => admin.call('GET', `/organizations/${organizationId}/keys`)
      const body = JSON.stringify({ label: 'Late', scopes: ['templates:read'] })
      const request = { path, headers, body, another }
      assert.match(await sendSlowly(request, async () => {}), /^HTTP\/1\.1 201/)
      const remove = () => service.database.query(sql`delete from members where organization_id = ${organizationId}`)
      assert.match(await sendSlowly(request, remove), /^HTTP\/1\.1 404/)
    })

    /** Sends a POST whose last byte follows once another request was answered, so this one is admitted, and `change` is done. */
    async function sendSlowly(
      {
        path,
        headers,
        body,
        another,
      }: { path: string; headers: Record<string, string>; body: string; another: () => Promise<unknown> },
      change: () => Promise<unknown>,
    ): Promise<string> {
      const { hostname, port } = new URL(service.url)
      const socket = connect(Number(port), hostname).setEncoding('utf8')
      const length = { 'content-length': String(body.length) }
      const expect = { expect: '100-continue' }
      socket.write(requestText({ method: 'POST', path, headers: { ...headers, ...length, ...expect } }))
      assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 100/)
      socket.write(body.slice(0, -1))
      await another()
      await change()
      socket.write(body.slice(-1))
      const [answer] = await once(socket, 'data')
      socket.destroy()
      return String(answer)
    }
  })
}
