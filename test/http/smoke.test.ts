import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { engines } from '../support/engines.ts'
import { type Service, startService } from '../support/service.ts'

for (const engine of engines) {
  describe(`templates on ${engine.name}`, () => {
    let service: Service
    before(async () => {
      service = await startService(engine)
    })
    after(() => service.close())

    test('POST makes a template from title and description · TPL-1', async () => {
      const partner = await service.partner()
      const made = await partner.call('POST', '/v1/templates', { title: 'T', description: 'D' })
      assert.equal(made.status, 201)
    })
  })
}
