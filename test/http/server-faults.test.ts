import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openPostgres } from '../../server/database/database.ts'
import { engine, engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { call, type Partner, type Service, startService } from '../../support/service.ts'

const calls: [name: string, table: string, method: string, path: string, body?: unknown][] = [
  ['authentication', 'api_keys', 'GET', '/v1/templates'],
  ['authentication for a URL that can’t be decoded', 'api_keys', 'GET', '/v1/%zz'],
  ['a list of templates', 'templates', 'GET', '/v1/templates'],
  ['a new template', 'templates', 'POST', '/v1/templates', { title: 'T', description: 'D' }],
  ['results', 'results', 'GET', '/v1/interview-results'],
]

for (const each of engines) {
  describe(`internal errors on ${each.name}`, () => {
    let service: Service
    let partner: Partner
    before(async () => {
      service = await startService(each)
      partner = await service.partner()
    })
    after(() => service.close())

    for (const [name, table, method, path, body] of calls) {
      test(`${name} fails with 500, and the cause is only in the log, with the request ID · LIM-3 LIM-4`, async () => {
        await service.database.script(`alter table ${table} rename to moved_away`)
        const response = await partner.call(method, path, body)
        await service.database.script(`alter table moved_away rename to ${table}`)

        assertRefused(response, 500, 'Internal server error')
        const id = response.headers.get('x-request-id')
        const lines = service.logged().split('\n')
        const logged = lines.filter((line) => line.includes(`"${id}"`) && line.includes('request failed'))
        assert.equal(logged.length, 1)
        assert.match(logged.join(), new RegExp(`relation .*${table}.* does not exist`))
        assert.ok(!service.logged().includes(partner.key))

        const again = await partner.call('GET', '/v1/templates')
        assert.equal(again.status, 200)
      })
    }
  })
}

describe('an unavailable database', () => {
  let server: PostgresServer
  let service: Service
  let partner: Partner
  before(async () => {
    server = await startPostgres()
    const openEmpty = async () => openPostgres({ url: await server.createDatabase(), connections: 10 })
    service = await startService(engine('PostgreSQL', openEmpty))
    partner = await service.partner({ unlimited: true })
  })
  after(async () => {
    await service.close()
    await server.close()
  })

  for (const mode of ['fast', 'immediate'] as const) {
    test(`stopped (${mode}): 503 with Retry-After, and normal service once it is back · LIM-3 LIM-4`, async () => {
      const inFlight = Array.from({ length: 30 }, (_, index) =>
        partner.call('POST', '/v1/templates', { title: `T${index}`, description: 'D' }),
      )
      await server.stop(mode)
      for (const response of await Promise.all(inFlight)) {
        assert.ok([201, 503].includes(response.status), response.text)
        if (response.status === 503) assertUnavailable(response)
      }
      for (const path of ['/v1/templates', '/v1/nothing', '/v1/%zz', '/v1/interview-results', '/readyz']) {
        assertUnavailable(await partner.call('GET', path))
      }
      assert.equal((await call(service.url, 'GET', '/healthz', {})).status, 200)
      assertRefused(await call(service.url, 'GET', '/v1/templates', {}), 401, 'API key is required')

      await server.start()
      for (const path of ['/v1/templates', '/v1/interview-results', '/readyz']) {
        assert.equal((await partner.call('GET', path)).status, 200)
      }
    })
  }
})

function assertUnavailable(response: Awaited<ReturnType<typeof call>>): void {
  assertRefused(response, 503, 'Service unavailable')
  assert.match(response.headers.get('retry-after') ?? '', /^\d+$/)
}
