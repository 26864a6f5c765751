import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { newId } from '../../server/database/ids.ts'
import { encodeCursor, type Page } from '../../server/interviews/paging.ts'
import type { ResultSummary } from '../../server/interviews/results.ts'
import { assertRefused } from '../support/answers.ts'
import { engines } from '../support/engines.ts'
import { type Finished, finish, invite } from '../support/results.ts'
import { appUrl, type Partner, type Service, startService } from '../support/service.ts'

const time = 'must be an ISO 8601 time such as 2026-01-02T03:04:05.678Z'
const noTimes = [
  'yesterday',
  '',
  '2026-01-02',
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
const iso = '2026-01-02T03:04:05.678Z'
const noCursors = [
  'x',
  encodeCursor([]),
  encodeCursor([0]),
  encodeCursor(['0', '1']),
  encodeCursor([-1, 5]),
  encodeCursor([0, 1.5]),
  encodeCursor([0, 2 ** 53]),
  encodeCursor([0, 5, iso]),
  encodeCursor([0, 5, 'yesterday', res]),
  encodeCursor([0, 5, iso, 'tpl_01m7efx4xwfztrm1s20bva7r58']),
  encodeCursor([0, 5, iso, 7]),
  encodeCursor([0, 5, '-271821-04-20T00:00:00.000Z', res]),
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

    test('without results: an empty page · RES-1', async () => {
      const { status, body, headers } = await list()
      assert.deepEqual([status, body, headers.get('link')], [200, { data: [], nextCursor: null }, null])
    })

    test('a result is its two ids, its link and its score, and nothing else · RES-1 RES-3', async () => {
      const { resultId, token, invitation } = await complete({ score: 87.125 })
      const { body, text } = await list()
      const resultUrl = `${appUrl}/shared/interview-details/${token}`
      const expected = { resultId, invitationId: invitation.id, resultUrl, overallScore: 87.125 }
      assert.deepEqual(body, { data: [expected], nextCursor: null })
      for (const word of ['@', 'Ada', 'Lovelace', 'tpl_', 'cand_', 'int_', '2026', 'secret', 'Hire', 'technical']) {
        assert.ok(!text.includes(word), `${word} in ${text}`)
      }
    })

    test('the oldest completion comes first, whenever its result arrived · RES-1', async () => {
      const times = ['2026-02-03', '2026-02-01', '2026-02-05', '2026-02-01', '2025-12-31']
      const made: Finished[] = []
      for (const date of times) made.push(await complete({ completedAt: `${date}T00:00:00.000Z` }))
      assert.deepEqual(await idsOf({}), inOrder(made))
    })

    test('pages of any size, followed by cursor or by Link, hold each result once · RES-1', async () => {
      const made: Finished[] = []
      for (const minute of [5, 3, 1, 3, 4, 2, 1]) {
        made.push(await complete({ completedAt: `2026-02-01T00:0${minute}:00.000Z` }))
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
        assert.deepEqual(seen, inOrder(made), `limit ${limit}`)
      }
    })

    test('fifty to a page unless asked otherwise · RES-1', async () => {
      for (let count = 0; count < 51; count++) await complete()
      const { body } = await list()
      assert.equal(body.data.length, 50)
      assert.equal((await list({ cursor: body.nextCursor ?? '' })).body.data.length, 1)
    })

    test('a result that is not final is not seen until it is · RES-2', async () => {
      const { invitation, resultId } = await complete({ final: false })
      assert.deepEqual(await idsOf({}), [])
      assert.deepEqual(await idsOf({ invitationId: invitation.id }), [])
      assert.deepEqual(await idsOf({ templateId: invitation.templateId }), [])
      assertRefused(await list({ resultId }), 404, 'Interview result not found')
      await complete({ invitation })
      assert.deepEqual(await idsOf({}), [resultId])
      assert.deepEqual(await idsOf({ resultId }), [resultId])
    })

    test('an interview that is not done yet: 200 and no data · RES-4', async () => {
      const { id, templateId } = await invite(service, partner.organizationId)
      await complete()
      const empty = { data: [], nextCursor: null }
      for (const query of [{ invitationId: id }, { templateId }, { invitationId: id, templateId }]) {
        const { status, body } = await list(query)
        assert.deepEqual([status, body], [200, empty])
      }
    })

    test('filters by invitation, result and template, each alone and all at once · RES-4', async () => {
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

    test('times are inclusive, to the millisecond and in any zone · RES-4', async () => {
      const times = ['2026-02-01T10:00:00.000Z', '2026-02-01T10:00:00.001Z', '2026-02-01T10:00:00.002Z']
      const made: Finished[] = []
      for (const completedAt of times) made.push(await complete({ completedAt }))
      const [first = '', second = '', third = ''] = inOrder(made)
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
      test(`${JSON.stringify(text)} is no time · RES-4`, async () => {
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
      test(`an unknown ${name}: 404, so that a typo does not poll for ever · RES-4`, async () => {
        await complete()
        for (const id of [newId(kind), newId('org'), 'x', '', `${newId(kind)} `, '\u0000', '😀'.repeat(50)]) {
          assertRefused(await list({ [name]: id }), 404, error)
        }
      })
    }

    for (const cursor of noCursors) {
      test(`cursor ${Buffer.from(cursor, 'base64url')} is refused · RES-1`, async () => {
        assertRefused(await list({ cursor }), 400, 'cursor is invalid')
      })
    }
  })
}

function inOrder(made: Finished[]): string[] {
  const sorted = [...made].sort(
    (a, b) => a.completedAt.getTime() - b.completedAt.getTime() || (a.resultId < b.resultId ? -1 : 1),
  )
  return sorted.map(({ resultId }) => resultId)
}

function linked(link: string): Record<string, string> {
  const [, address = ''] = /^<([^>]+)>; rel="next"$/.exec(link) ?? []
  assert.ok(address.startsWith(`${appUrl}/v1/interview-results?`), link)
  return Object.fromEntries(new URL(address).searchParams)
}
