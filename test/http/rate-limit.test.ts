import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { mintKey } from '../../server/organizations/api-keys.ts'
import { setOrganizationActive } from '../../server/organizations/organizations.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { type ApiResponse, call, type Partner, type Service, send, startService } from '../../support/service.ts'

const counted: [name: string, status: number, method: string, path: string, type?: string, body?: string][] = [
  ['a list', 200, 'GET', '/v1/templates'],
  ['only the headers of a list', 200, 'HEAD', '/v1/templates'],
  ['a new template', 201, 'POST', '/v1/templates', 'application/json', '{"title": "T", "description": "D"}'],
  ['results', 200, 'GET', '/v1/interview-results'],
  ['an unknown route', 404, 'GET', '/v1/nothing'],
  ['a wrong method', 405, 'DELETE', '/v1/templates'],
  ['an unknown template', 404, 'GET', '/v1/templates/tpl_1'],
  ['a URL that can’t be decoded', 400, 'GET', '/v1/%zz'],
  ['an invalid query', 400, 'GET', '/v1/templates?limit=0'],
  ['an invalid body', 400, 'POST', '/v1/templates', 'application/json', '{'],
  ['a body of the wrong type', 415, 'POST', '/v1/templates', 'text/plain', 'x'],
  ['an oversized body', 413, 'POST', '/v1/templates', 'application/json', `"${'x'.repeat(300_000)}"`],
  ['a missing scope', 403, 'POST', '/v1/interview-invitations', 'application/json', '{}'],
]

for (const engine of engines) {
  describe(`the rate limit on ${engine.name}`, () => {
    let service: Service
    before(async () => {
      service = await startService(engine)
    })
    after(() => service.close())

    test('the 121st request in a window is 429, and the next window starts at zero · LIM-1', async () => {
      const { partner, result } = await withinOneMinute(async (partner) => {
        const admitted: ApiResponse[] = []
        for (let batch = 0; batch < 6; batch++) {
          const calls = Array.from({ length: 20 }, () => partner.call('GET', '/v1/interview-results?limit=1'))
          admitted.push(...(await Promise.all(calls)))
        }
        return { admitted, refused: [await partner.call('GET', '/v1/templates'), await partner.call('PUT', '/v1/x')] }
      })

      for (const response of [...result.admitted, ...result.refused]) {
        assert.equal(response.headers.get('ratelimit-policy'), '"default";q=120;w=60')
        assert.match(response.headers.get('ratelimit') ?? '', /^"default";r=\d+;t=\d+$/)
        assert.ok(window(response).secondsToReset >= 1 && window(response).secondsToReset <= 60)
      }
      const left = result.admitted.map((response) => window(response).left).sort((a, b) => b - a)
      assert.deepEqual(
        left,
        Array.from({ length: 120 }, (_, index) => 119 - index),
      )
      for (const response of result.admitted) assert.equal(response.status, 200)
      for (const response of result.refused) {
        assertRefused(response, 429, 'API key rate limit exceeded')
        assert.equal(window(response).left, 0)
        assert.equal(response.headers.get('retry-after'), String(window(response).secondsToReset))
      }

      await service.database.query(sql`update rate_windows set minute = minute - 1 where key_id = ${partner.keyId}`)
      const next = await partner.call('GET', '/v1/templates')
      assert.deepEqual([next.status, window(next).left], [200, 119])
    })

    test('setting the clock back does not block a key until the clock has caught up · LIM-1', async () => {
      const partner = await service.partner()
      await partner.call('GET', '/v1/templates')
      await service.database.query(sql`
        update rate_windows set minute = minute + 60, used = 120 where key_id = ${partner.keyId}`)
      assert.equal((await partner.call('GET', '/v1/templates')).status, 200)
      assert.equal((await partner.call('GET', '/v1/templates')).status, 200)
    })

    test('every authenticated request counts, whatever its status · LIM-2', async () => {
      const { result } = await withinOneMinute(async (partner) => {
        const responses: ApiResponse[] = []
        for (const [, , method, path, type, body] of counted) {
          const headers = { 'x-service-api-key': partner.key, ...(type && { 'content-type': type }) }
          responses.push(await send(service.url, method, path, headers, body))
        }
        await setOrganizationActive(service.database, partner.organizationId, false)
        responses.push(await partner.call('GET', '/v1/templates'))
        return responses
      })
      const seen = result.map((response) => ({ status: response.status, left: window(response).left }))
      const expected = [...counted.map(([, status]) => status), 403]
      assert.deepEqual(
        seen,
        expected.map((status, index) => ({ status, left: 119 - index })),
      )
    })

    test('a 401 does not count · LIM-2', async () => {
      const { result } = await withinOneMinute(async (partner) => {
        const first = await partner.call('GET', '/v1/templates')
        const [publicPart] = partner.key.split('.')
        for (const key of [`${publicPart}.${'A'.repeat(43)}`, `${publicPart}.short`, '']) {
          assert.equal((await call(service.url, 'GET', '/v1/templates', { 'x-service-api-key': key })).status, 401)
        }
        return [first, await partner.call('GET', '/v1/templates')]
      })
      assert.deepEqual(
        result.map((response) => window(response).left),
        [119, 118],
      )
    })

    test('each key has its own window, even within one organization · LIM-2', async () => {
      const { result } = await withinOneMinute(async (partner) => {
        const options = { organizationId: partner.organizationId, label: 'second', createdBy: 'test' }
        const now = service.time.now
        const second = await mintKey(service.database, { ...options, scopes: ['templates:read'] }, now)
        await partner.call('GET', '/v1/templates')
        await partner.call('GET', '/v1/templates')
        return [await call(service.url, 'GET', '/v1/templates', { authorization: `Bearer ${second.key}` })]
      })
      assert.deepEqual(
        result.map((response) => window(response).left),
        [119],
      )
    })

    test('a key’s last use is written at most once a minute', async () => {
      const { partner } = await withinOneMinute(async (partner) => {
        await partner.call('GET', '/v1/templates')
        await service.database.query(sql`update api_keys set last_used_at = null where id = ${partner.keyId}`)
        await partner.call('GET', '/v1/templates')
      })
      const lastUsed = async () => {
        const [row] = await service.database.query<{ lastUsedAt: string | null }>(
          sql`select last_used_at as "lastUsedAt" from api_keys where id = ${partner.keyId}`,
        )
        return row?.lastUsedAt
      }
      assert.equal(await lastUsed(), null)
      await service.database.query(sql`update rate_windows set minute = minute - 1 where key_id = ${partner.keyId}`)
      await partner.call('GET', '/v1/templates')
      assert.match((await lastUsed()) ?? '', /^\d{4}-\d\d-\d\dT/)
    })

    /** Runs the work with a new key, and again with another if the database's minute ended in between. */
    async function withinOneMinute<Result>(
      work: (partner: Partner) => Promise<Result>,
    ): Promise<{ partner: Partner; result: Result }> {
      for (;;) {
        const scopes = ['templates:read', 'templates:write', 'results:read'] as const
        const partner = await service.partner({ scopes: [...scopes] })
        const begun = await minute()
        const result = await work(partner)
        if ((await minute()) === begun) return { partner, result }
      }
    }

    async function minute(): Promise<number | undefined> {
      const [row] = await service.database.query<{ minute: number }>(
        sql`select floor(extract(epoch from now()) / 60)::bigint as minute`,
      )
      return row?.minute
    }
  })
}

function window(response: ApiResponse): { left: number; secondsToReset: number } {
  const [, left, seconds] = /r=(\d+);t=(\d+)/.exec(response.headers.get('ratelimit') ?? '') ?? []
  return { left: Number(left), secondsToReset: Number(seconds) }
}
