import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ActivityPage } from '../../server/http/settings/schemas.ts'
import { commandsOf } from '../../support/commands.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { type SignedInMember, signedInMember } from '../../support/members.ts'
import { type Partner, type Service, startService } from '../../support/service.ts'
import { settingsRoutes } from '../../support/settings-routes.ts'

for (const engine of engines) {
  describe(`an inactive organization in the settings area on ${engine.name}`, () => {
    let service: Service
    let partner: Partner
    let admin: SignedInMember
    before(async () => {
      service = await startService(engine)
      partner = await service.partner({ name: 'Acme' })
      admin = await signedInMember(service, 'admin', partner.organizationId)
      await commandsOf(service).json('organization', 'deactivate', '--id', partner.organizationId)
    })
    after(() => service.close())

    for (const { name, body } of settingsRoutes.filter(({ name }) => name.includes(':organizationId'))) {
      const [method = '', path = ''] = name.split(' ')
      test(`${name} is ${method === 'GET' ? 'read' : 'refused'}`, async () => {
        const filled = path.replace(':organizationId', partner.organizationId).replace(':keyId', partner.keyId)
        const answer = await admin.call(method, filled, body)
        if (method === 'GET') assert.ok([200, 404].includes(answer.status), answer.text)
        else assertRefused(answer, 403, 'Organization is inactive')
      })
    }

    test('its activity says who deactivated and activated it, once each', async () => {
      const commands = commandsOf(service)
      for (const name of ['deactivate', 'activate', 'activate']) {
        await commands.json('organization', name, '--id', partner.organizationId)
      }
      const { body } = await admin.call<ActivityPage>('GET', `/organizations/${partner.organizationId}/activity`)
      const recorded = body.data.map(({ actor, action, subject }) => [actor, action, subject])
      assert.deepEqual(recorded.slice(0, 2), [
        ['command line', 'organization.activated', 'Acme'],
        ['command line', 'organization.deactivated', 'Acme'],
      ])
      assert.equal(recorded.filter(([, action]) => action?.startsWith('organization.')).length, 2)
    })
  })
}
