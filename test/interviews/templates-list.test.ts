import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { encodeCursor, type Page } from '../../server/database/paging.ts'
import type { Template } from '../../server/interviews/templates.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { apiUrl, type Partner, type Service, startService } from '../../support/service.ts'

const limits = ['0', '101', '-1', '1.5', '1e1', '+5', ' 5', '', 'ten', '0x10', '99999999999999999999', '٣']
const cursors = [
  '',
  'x',
  'null',
  '%00',
  'a'.repeat(2_049),
  encodeCursor([]),
  encodeCursor([1]),
  encodeCursor(['x']),
  encodeCursor(['inv_01m7efx4xwfztrm1s20bva7r58']),
  encodeCursor(['tpl_01m7efx4xwfztrm1s20bva7r5']),
  Buffer.from('{"0": "tpl_01m7efx4xwfztrm1s20bva7r58"}').toString('base64url'),
]

for (const engine of engines) {
  describe(`lists of templates on ${engine.name}`, () => {
    let service: Service
    let partner: Partner
    before(async () => {
      service = await startService(engine)
    })
    after(() => service.close())
    beforeEach(async () => {
      partner = await service.partner({ unlimited: true })
    })

    const list = (query = '') => partner.call<Page<Template>>('GET', `/v1/templates${query}`)

    async function createTemplates(count: number, first = 0): Promise<Template[]> {
      const created: Template[] = []
      for (let index = first; index < first + count; index++) {
        const fields = { title: `T${index}`, description: 'D', externalPostingId: `job-${index}` }
        created.push((await partner.call<Template>('POST', '/v1/templates', fields)).body)
      }
      return created
    }

    test('an organization without templates has an empty list · TPL-7', async () => {
      const response = await list()
      assert.deepEqual([response.status, response.body], [200, { data: [], nextCursor: null }])
      assert.equal(response.headers.get('link'), null)
    })

    test('the newest comes first, fifty per page by default · TPL-7', async () => {
      const created = (await createTemplates(51)).reverse()
      const { body } = await list()
      assert.deepEqual(body.data, created.slice(0, 50))
      assert.ok(body.nextCursor)
      const all = await list('?limit=100')
      assert.deepEqual(all.body, { data: created, nextCursor: null })
      assert.equal(all.headers.get('link'), null)
      assert.deepEqual((await list('?limit=51')).body, { data: created, nextCursor: null })
      assert.deepEqual((await list('?limit=1')).body.data, created.slice(0, 1))
    })

    test('following Link to the end returns every template once · TPL-7', async () => {
      const created = (await createTemplates(7)).reverse()
      const seen: Template[] = []
      let query: string | null = '?limit=3'
      let pages = 0
      while (query !== null) {
        const response: Awaited<ReturnType<typeof list>> = await list(query)
        seen.push(...response.body.data)
        pages++
        const link: string | null = response.headers.get('link')
        const next: URL | null = link === null ? null : linked(link)
        assert.equal(next?.searchParams.get('cursor') ?? null, response.body.nextCursor)
        assert.equal(next?.searchParams.get('limit') ?? '3', '3')
        query = next?.search ?? null
      }
      assert.deepEqual([seen, pages], [created, 3])
    })

    test('creating or changing templates while paging causes no repeats or gaps · TPL-7', async () => {
      const created = (await createTemplates(6)).reverse()
      const first = await list('?limit=2')
      await createTemplates(3, 10)
      await partner.call('PATCH', `/v1/templates/${created[4]?.id}`, { title: 'changed' })
      const second = await list(`?limit=2&cursor=${first.body.nextCursor}`)
      await createTemplates(1, 20)
      const third = await list(`?limit=2&cursor=${second.body.nextCursor}`)
      const ids = [first, second, third].flatMap(({ body }) => body.data.map(({ id }) => id))
      assert.deepEqual(
        ids,
        created.map(({ id }) => id),
      )
      assert.equal(third.body.nextCursor, null)
    })

    test('externalPostingId returns its template, compared exactly · TPL-7', async () => {
      const created = await createTemplates(3)
      assert.deepEqual((await list('?externalPostingId=job-1')).body, { data: [created[1]], nextCursor: null })
      for (const other of ['JOB-1', 'job-1%20', 'job', 'job-_', 'job-%25']) {
        assert.deepEqual((await list(`?externalPostingId=${other}`)).body.data, [], other)
      }
      const odd = 'a b&c=ü/😀'
      const fields = { title: 'T', description: 'D', externalPostingId: odd }
      const { body } = await partner.call<Template>('POST', '/v1/templates', fields)
      assert.deepEqual((await list(`?externalPostingId=${encodeURIComponent(odd)}`)).body.data, [body])
    })

    for (const limit of limits) {
      test(`limit=${limit} is rejected · TPL-8`, async () => {
        const response = await list(`?limit=${encodeURIComponent(limit)}`)
        assertRefused(response, 400, 'limit must be an integer between 1 and 100')
      })
    }

    for (const cursor of cursors) {
      test(`cursor=${cursor.slice(0, 40)} is rejected · TPL-8`, async () => {
        const error = cursor.length > 2_048 ? 'cursor must be at most 2048 characters' : 'cursor is invalid'
        assertRefused(await list(`?cursor=${cursor}`), 400, error)
      })
    }

    test('all errors in a query are named · TPL-8', async () => {
      const error =
        'externalPostingId is required; limit must be an integer between 1 and 100; Unknown query parameter: x'
      const { status, body } = await partner.call<{ error: string }>(
        'GET',
        '/v1/templates?x=1&limit=0&externalPostingId=',
      )
      assert.deepEqual([status, body.error.split('; ').sort()], [400, error.split('; ').sort()])
    })
  })
}

function linked(link: string): URL {
  const [, address = ''] = /^<([^>]+)>; rel="next"$/.exec(link) ?? []
  assert.ok(address.startsWith(`${apiUrl}/v1/templates?`), link)
  return new URL(address)
}
