import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { engines } from '../../support/engines.ts'
import { assertErrorShape } from '../../support/error-responses.ts'
import { finish } from '../../support/results.ts'
import { type Partner, type Service, send, startService } from '../../support/service.ts'
import { exchange, requestText } from '../../support/wire.ts'
import { type KnownIds, type Request, requestKinds } from './arbitrary-requests.ts'

for (const engine of engines) {
  describe(`no request causes a server error on ${engine.name}`, () => {
    let service: Service
    let partner: Partner
    let known: KnownIds
    before(async () => {
      service = await startService(engine)
      partner = await service.partner({ unlimited: true })
      const { invitation, resultId } = await finish(service, partner.organizationId)
      known = { template: invitation.templateId, invitation: invitation.id, result: resultId }
    })
    after(() => service.close())

    for (const [name, requests] of requestKinds) {
      test(`${name} of any kind succeed or get a well-formed error · LIM-3 LIM-4`, async () => {
        const statuses = new Map<number, number>()
        const served = async ({ method, path, body }: Request) => {
          const headers = { 'x-service-api-key': partner.key, 'content-type': 'application/json' }
          const response =
            body === undefined
              ? await exchange(service.url, requestText({ method, path, headers }))
              : await send(service.url, method, path, headers, body)
          statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
          assert.ok(response.status < 500, `${response.status} ${response.text}`)
          if (response.status >= 400 && method !== 'HEAD') assertErrorShape(response)
        }
        await fc.assert(fc.asyncProperty(requests(known), served), { numRuns: 120 })
        assert.ok(statuses.size > 1, `every response had the same status, which proves little: ${[...statuses]}`)
      })
    }
  })
}
