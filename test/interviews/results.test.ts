import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { newId } from '../../server/database/ids.ts'
import { encodeCursor, type Page } from '../../server/database/paging.ts'
import type { ResultSummary } from '../../server/interviews/results.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { eventually } from '../../support/process.ts'
import { type FinishedInterview, finish, invite } from '../../support/results.ts'
import { apiUrl, appUrl, type Partner, type Service, startService } from '../../support/service.ts'

const time = 'must be an ISO 8601 time such as 2026-01-02T03:04:05.678Z'
const noTimes = [
  'yesterday',
  '',
  '2026-01-02T03:04:05.678',
  '2026-01-02 03:04:05Z',
  '2026-13-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-01-02T25:00:00Z',
  '2026-01-02T00:00:00+99:00',
  '1767323045',
  '+275760-09-13T00:00:00Z',
  '-000001-01-01T00:00:00Z',
]

const res = 'res_01m7efx4xwfztrm1s20bva7r58'
const noCursors = [
  'x',
  encodeCursor([]),
  encodeCursor(['']),
  encodeCursor([0, 1]),
  encodeCursor([5]),
  encodeCursor(['0:9:']),
  encodeCursor(['9:3:']),
  encodeCursor(['3:9:5,4']),
  encodeCursor(['3:9:9']),
  encodeCursor(['3:4294967296:']),
  encodeCursor(['3:9:; drop table results']),
  encodeCursor([`3:99:${Array.from({ length: 33 }, (_, index) => index + 4)}`]),
  encodeCursor(['3:9:', '3:9:']),
  encodeCursor(['', '', res]),
  encodeCursor(['', '3:9:', 7]),
  encodeCursor(['', '3:9:', 'tpl_01m7efx4xwfztrm1s20bva7r58']),
  encodeCursor(['5:4:', '3:9:', res]),
  encodeCursor(['', '3:9:', res, 1]),
  // Well-formed, but with a transaction far ahead, or after a result that doesn't exist.
  encodeCursor(['3:9000000000000000001:']),
  encodeCursor(['', '3:9000000000000000001:', res]),
  encodeCursor(['', '3:9:', res]),
  // From before arrivals were recorded.
  encodeCursor([0, 5, '2026-01-02T03:04:05.678Z', res]),
]

for (const engine of engines) {
  describe(`results on ${engine.name}`, () => {
    let service: Service
    let partner: Partner
    before(async () => {
      service = await startService(engine)
    })
    after(() => service.close())
    beforeEach(async () => {
      partner = await service.partner({ unlimited: true })
    })

    const list = (query: Record<string, string> = {}) =>
      partner.call<Page<ResultSummary>>('GET', `/v1/interview-results?${new URLSearchParams(query)}`)
    const complete = (options: Parameters<typeof finish>[2] = {}) => finish(service, partner.organizationId, options)

    async function idsOf(query: Record<string, string>): Promise<string[]> {
      const { status, body, text } = await list(query)
      assert.equal(status, 200, text)
      return body.data.map(({ resultId }) => resultId)
    }

    test('without results, the page is empty · RES-1', async () => {
      const { status, body, headers } = await list()
      assert.deepEqual([status, body, headers.get('link')], [200, { data: [], nextCursor: null }, null])
    })

    test('a result has its two IDs, its link and its score, and nothing else · RES-1 RES-3', async () => {
      const { resultId, token, invitation } = await complete({ score: 87.125 })
      const { body, text } = await list()
      const resultUrl = `${appUrl}/shared/interview-details/${token}`
      const expected = { resultId, invitationId: invitation.id, resultUrl, overallScore: 87.125 }
      assert.deepEqual(body, { data: [expected], nextCursor: null })
      for (const word of ['@', 'Ada', 'Lovelace', 'tpl_', 'cand_', 'int_', '2026', 'secret', 'Hire', 'technical']) {
        assert.ok(!text.includes(word), `${word} in ${text}`)
      }
    })

    test('a date without a time means its start, and a plus sign need not be encoded · RES-4', async () => {
      const { resultId } = await complete({ completedAt: '2026-02-03T00:00:00.000Z' })
      assert.deepEqual(await idsOf({ completedAfter: '2026-02-03' }), [resultId])
      assert.deepEqual(await idsOf({ completedBefore: '2026-02-02' }), [])
      const response = await partner.call<Page<ResultSummary>>(
        'GET',
        '/v1/interview-results?completedAfter=2026-02-03T02:00:00+02:00',
      )
      assert.equal(response.body.data[0]?.resultId, resultId)
    })

    test('the oldest completion comes first, whenever the result arrived · RES-1', async () => {
      const times = ['2026-02-03', '2026-02-01', '2026-02-05', '2026-02-01', '2025-12-31']
      const created: FinishedInterview[] = []
      for (const date of times) created.push(await complete({ completedAt: `${date}T00:00:00.000Z` }))
      assert.deepEqual(await idsOf({}), inOrder(created))
    })

    test('pages of any size, by cursor or by Link, contain each result once · RES-1', async () => {
      const created: FinishedInterview[] = []
      for (const minute of [5, 3, 1, 3, 4, 2, 1]) {
        created.push(await complete({ completedAt: `2026-02-01T00:0${minute}:00.000Z` }))
      }
      for (const limit of ['1', '2', '3', '7', '100']) {
        const seen: string[] = []
        let query: Record<string, string> | null = { limit, completedAfter: '2026-01-01T00:00:00Z' }
        while (query) {
          const { body, headers }: Awaited<ReturnType<typeof list>> = await list(query)
          seen.push(...body.data.map(({ resultId }) => resultId))
          const link: string | null = headers.get('link')
          assert.equal(link === null, body.nextCursor === null)
          query = link === null ? null : linked(link)
          if (query) assert.deepEqual(query, { limit, completedAfter: '2026-01-01T00:00:00Z', cursor: body.nextCursor })
        }
        assert.deepEqual(seen, inOrder(created), `limit ${limit}`)
      }
    })

    test('a page has fifty results by default · RES-1', async () => {
      for (let count = 0; count < 51; count++) await complete()
      const { body } = await list()
      assert.equal(body.data.length, 50)
      assert.equal((await list({ cursor: body.nextCursor ?? '' })).body.data.length, 1)
    })

    test('a result is not returned until it is final · RES-2', async () => {
      const { invitation, resultId } = await complete({ final: false })
      assert.deepEqual(await idsOf({}), [])
      assert.deepEqual(await idsOf({ invitationId: invitation.id }), [])
      assert.deepEqual(await idsOf({ templateId: invitation.templateId }), [])
      assertRefused(await list({ resultId }), 404, 'Interview result not found')
      await complete({ invitation })
      assert.deepEqual(await idsOf({}), [resultId])
      assert.deepEqual(await idsOf({ resultId }), [resultId])
    })

    test('an unfinished interview is 200 with no data · RES-4', async () => {
      const { id, templateId } = await invite(service, partner.organizationId)
      await complete()
      const empty = { data: [], nextCursor: null }
      for (const query of [{ invitationId: id }, { templateId }, { invitationId: id, templateId }]) {
        const { status, body } = await list(query)
        assert.deepEqual([status, body], [200, empty])
      }
    })

    test('filters by invitation, result and template work alone and combined · RES-4', async () => {
      const one = await complete()
      const two = await complete({ templateId: one.invitation.templateId })
      const three = await complete()
      const all = { invitationId: one.invitation.id, resultId: one.resultId, templateId: one.invitation.templateId }
      assert.deepEqual(await idsOf({ invitationId: two.invitation.id }), [two.resultId])
      assert.deepEqual(await idsOf({ resultId: three.resultId }), [three.resultId])
      assert.deepEqual(await idsOf({ templateId: one.invitation.templateId }), inOrder([one, two]))
      assert.deepEqual(await idsOf(all), [one.resultId])
      assert.deepEqual(await idsOf({ ...all, resultId: two.resultId }), [])
      assert.deepEqual(await idsOf({ ...all, templateId: three.invitation.templateId }), [])
    })

    test('times are inclusive, to the millisecond, and in any time zone · RES-4', async () => {
      const times = ['2026-02-01T10:00:00.000Z', '2026-02-01T10:00:00.001Z', '2026-02-01T10:00:00.002Z']
      const created: FinishedInterview[] = []
      for (const completedAt of times) created.push(await complete({ completedAt }))
      const [first = '', second = '', third = ''] = inOrder(created)
      const [early = '', middle = ''] = times
      assert.deepEqual(await idsOf({ completedAfter: middle }), [second, third])
      assert.deepEqual(await idsOf({ completedBefore: middle }), [first, second])
      assert.deepEqual(await idsOf({ completedAfter: middle, completedBefore: middle }), [second])
      assert.deepEqual(await idsOf({ completedAfter: '2026-02-01T12:00:00.001+02:00' }), [second, third])
      assert.deepEqual(await idsOf({ completedBefore: '2026-02-01T10:00Z' }), [first])
      assert.deepEqual(await idsOf({ completedBefore: '0000-01-01T00:00:00Z' }), [])
      assert.deepEqual(await idsOf({ completedAfter: '9999-12-31T23:59:59.999999999Z' }), [])
      assertRefused(
        await list({ completedAfter: middle, completedBefore: early }),
        400,
        'completedAfter must not be later than completedBefore',
      )
    })

    for (const text of noTimes) {
      test(`${JSON.stringify(text)} is not a valid time · RES-4`, async () => {
        assertRefused(await list({ completedAfter: text }), 400, `completedAfter ${time}`)
        assertRefused(await list({ completedBefore: text }), 400, `completedBefore ${time}`)
      })
    }

    const unknown: [name: string, kind: 'inv' | 'res' | 'tpl', error: string][] = [
      ['invitationId', 'inv', 'Interview invitation not found'],
      ['resultId', 'res', 'Interview result not found'],
      ['templateId', 'tpl', 'Template not found'],
    ]
    for (const [name, kind, error] of unknown) {
      test(`an unknown ${name} is 404, so that a typo does not poll forever · RES-4`, async () => {
        await complete()
        for (const id of [newId(kind), newId('org'), 'x', '', `${newId(kind)} `, '\u0000', '😀'.repeat(50)]) {
          assertRefused(await list({ [name]: id }), 404, error)
        }
      })
    }

    test('a cursor that points to another organization’s result or to an incomplete one is rejected · RES-1', async () => {
      const [snapshot] = await service.database.query<{ now: string }>(sql`select pg_current_snapshot()::text as now`)
      const after = (resultId: string) => list({ cursor: encodeCursor(['', snapshot?.now ?? '', resultId]) })
      const own = await complete()
      const incomplete = await complete({ final: false })
      const other = await service.partner()
      const foreign = await finish(service, other.organizationId)
      assert.equal((await after(own.resultId)).status, 200)
      for (const { resultId } of [incomplete, foreign]) assertRefused(await after(resultId), 400, 'cursor is invalid')
    })

    test('results whose time JavaScript can’t represent are each listed once, in order · RES-1', async () => {
      const created: string[] = []
      const times = ['-infinity', '0001-01-01 BC', '2026-02-01', '294276-01-01', 'infinity', 'infinity']
      for (const completedAt of times) {
        const { resultId, token } = await complete()
        created.push(resultId)
        await service.database.query(sql`
          update results set completed_at = ${completedAt}::timestamptz where id = ${resultId}`)
        const page = await fetch(`${service.url}/shared/interview-details/${token}`)
        assert.equal(page.status, 200)
      }
      // Not immediately while other databases on the server are being written to: a long list of their open transactions
      // is truncated.
      await eventually(async () => (await walk('1')).length === created.length)
      assert.deepEqual(await walk('1'), created)
      assert.deepEqual(await walk('4'), created)
    })

    async function walk(limit: string): Promise<string[]> {
      const seen: string[] = []
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const { body }: Awaited<ReturnType<typeof list>> = await list({ limit, ...(cursor && { cursor }) })
        seen.push(...body.data.map(({ resultId }) => resultId))
        cursor = body.nextCursor
        assert.ok(seen.length < 100)
      }
      return seen
    }

    for (const cursor of noCursors) {
      test(`cursor ${Buffer.from(cursor, 'base64url').toString().slice(0, 60)} is rejected · RES-1`, async () => {
        assertRefused(await list({ cursor }), 400, 'cursor is invalid')
      })
    }
  })
}

function inOrder(created: FinishedInterview[]): string[] {
  const sorted = [...created].sort(
    (a, b) => a.completedAt.getTime() - b.completedAt.getTime() || (a.resultId < b.resultId ? -1 : 1),
  )
  return sorted.map(({ resultId }) => resultId)
}

function linked(link: string): Record<string, string> {
  const [, address = ''] = /^<([^>]+)>; rel="next"$/.exec(link) ?? []
  assert.ok(address.startsWith(`${apiUrl}/v1/interview-results?`), link)
  return Object.fromEntries(new URL(address).searchParams)
}
