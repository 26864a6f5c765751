import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { openPostgres } from '../../server/database/database.ts'
import { decodeCursor, encodeCursor, maxCursorLength } from '../../server/database/paging.ts'
import { listResults } from '../../server/interviews/results.ts'
import { createOrReuseTemplate } from '../../server/interviews/templates.ts'
import { engines, engine as postgres } from '../../support/engines.ts'
import { sharedPostgres } from '../../support/postgres.ts'
import { type FinishedInterview, finish, invite } from '../../support/results.ts'
import { type Service, startService } from '../../support/service.ts'

for (const engine of engines) {
  describe(`results that arrive while paging on ${engine.name}`, () => {
    let service: Service
    before(async () => {
      service = await startService(engine)
    })
    after(() => service.close())

    type Organization = Awaited<ReturnType<typeof organization>>
    async function organization() {
      const { organizationId } = await service.partner()
      const newTemplate = async () => {
        const fields = { title: 'T', description: 'D' }
        const created = await createOrReuseTemplate(service.database, organizationId, fields, service.time.now)
        return created.template.id
      }
      const templateId = await newTemplate()
      const created: FinishedInterview[] = []
      return {
        organizationId,
        created,
        templateId,
        newTemplate,
        /** Results completed on these days of a month, in order of arrival. */
        async arrive(days: number[], into = templateId) {
          for (const day of days) {
            const completedAt = `2026-02-${String(day).padStart(2, '0')}T00:00:00.000Z`
            created.push(await finish(service, organizationId, { completedAt, templateId: into }))
          }
        },
        async page(limit: number, cursor: string | null, filter: { templateId?: string; completedAfter?: Date } = {}) {
          const asked = { ...filter, limit, ...(cursor !== null && { cursor }) }
          const page = await listResults(service.database, organizationId, asked, { appUrl: '' })
          assert.ok(typeof page !== 'string', String(page))
          return { ids: page.data.map(({ resultId }) => resultId), nextCursor: page.nextCursor }
        },
      }
    }

    test('late results with an earlier completion time appear later, exactly once · RES-5', async () => {
      const { arrive, page, created } = await organization()
      await arrive([3, 4, 5, 6])
      const first = await page(2, null)
      await arrive([1, 9])
      const second = await page(2, first.nextCursor)
      const third = await page(2, second.nextCursor)
      assert.deepEqual([...first.ids, ...second.ids, ...third.ids], ids(created))
      assert.equal(third.nextCursor, null)
    })

    test('paging to the end returns each result once, whatever arrives between pages · RES-5', async () => {
      const arrivals = fc.array(fc.integer({ min: 1, max: 28 }), { maxLength: 4 })
      const walk = fc.record({
        before: arrivals,
        between: fc.array(arrivals, { maxLength: 4 }),
        limit: fc.integer({ min: 1, max: 4 }),
      })
      await fc.assert(
        fc.asyncProperty(walk, async ({ before, between, limit }) => {
          const { arrive, page, created } = await organization()
          await arrive(before)
          const batches = [...between]
          const seen: string[] = []
          let cursor: string | null = null
          do {
            const read: Awaited<ReturnType<typeof page>> = await page(limit, cursor)
            seen.push(...read.ids)
            cursor = read.nextCursor
            if (cursor !== null) await arrive(batches.shift() ?? [])
          } while (cursor !== null)
          assert.deepEqual(seen.sort(), ids(created).sort())
          assert.deepEqual((await page(100, null)).ids, ids(inOrder(created)))
        }),
        { numRuns: 20 },
      )
    })

    test('paging with a filter returns each matching result once · RES-5', async () => {
      const { arrive, page, created, templateId, newTemplate } = await organization()
      const other = await newTemplate()
      const filter = { templateId, completedAfter: new Date('2026-02-05T00:00:00Z') }
      await arrive([4, 5, 6, 7])
      await arrive([8, 9], other)
      const seen: string[] = []
      const batches: [days: number[], templateId: string][] = [
        [[1, 12], templateId],
        [[13], other],
        [[5, 6], templateId],
      ]
      let cursor: string | null = null
      do {
        const read: Awaited<ReturnType<typeof page>> = await page(1, cursor, filter)
        seen.push(...read.ids)
        cursor = read.nextCursor
        const [days, into] = (cursor !== null && batches.shift()) || [[], templateId]
        await arrive(days, into)
      } while (cursor !== null)
      const passing = created.filter(
        ({ invitation, completedAt }) => invitation.templateId === templateId && completedAt >= filter.completedAfter,
      )
      assert.deepEqual(seen.sort(), ids(passing).sort())
    })

    /** Reads the remaining pages, one result per page. */
    async function rest({ page }: Organization, cursor: string | null): Promise<string[]> {
      const seen: string[] = []
      while (cursor !== null) {
        const read: Awaited<ReturnType<typeof page>> = await page(1, cursor)
        seen.push(...read.ids)
        cursor = read.nextCursor
        assert.ok(seen.length < 100)
      }
      return seen
    }

    test('a result whose transaction was open when paging started comes in the next batch · RES-5', async () => {
      const one = await organization()
      await one.arrive([3, 4])
      const [early] = await service.database.query<{ id: string }>(sql`select pg_current_xact_id()::text as id`)
      assert.ok(early)
      await one.arrive([5])
      const first = await one.page(1, null)
      const [, snapshot = '', last = ''] = decodeCursor(first.nextCursor ?? '')?.map(String) ?? []
      const [, xmax = ''] = snapshot.split(':')
      const cursor = encodeCursor(['', `${early.id}:${xmax}:${early.id}`, last])
      await one.arrive([1, 9])
      await service.database.query(sql`
        update results set arrived = ${early.id}::xid8 where id = ${one.created.at(-1)?.resultId}`)
      assert.deepEqual([...first.ids, ...(await rest(one, cursor))], ids(one.created))
    })

    test('an incomplete result arrives when it becomes final · RES-5', async () => {
      const one = await organization()
      const invitation = await invite(service, one.organizationId, one.templateId)
      const incomplete = await finish(service, one.organizationId, { invitation, final: false })
      await one.arrive([3, 4])
      const first = await one.page(1, null)
      const final = await finish(service, one.organizationId, { invitation, completedAt: '2026-02-01T00:00:00.000Z' })
      assert.equal(final.resultId, incomplete.resultId)
      assert.deepEqual([...first.ids, ...(await rest(one, first.nextCursor))], [...ids(one.created), final.resultId])
    })

    test('after a restore from a dump all results are returned, and later ones too · RES-5', async () => {
      const one = await organization()
      const other = await organization()
      await one.arrive([3, 4, 5])
      await other.arrive([1])
      const ahead = sql`update results set arrived = '9000000000000000001' where organization_id`
      await service.database.query(sql`${ahead} = ${one.organizationId} and id <> ${one.created[0]?.resultId}`)
      await service.database.query(sql`${ahead} = ${other.organizationId}`)
      const first = await one.page(1, null)
      await one.arrive([1, 9])
      assert.deepEqual([...first.ids, ...(await rest(one, first.nextCursor))], ids(one.created))
      assert.deepEqual((await one.page(100, null)).ids, ids(inOrder(one.created)))
      const arrivals = await service.database.query(sql`
        select distinct arrived::text from results where organization_id = ${other.organizationId}`)
      assert.deepEqual(arrivals, [{ arrived: '9000000000000000001' }], 'other organizations are not reset')
      assert.deepEqual((await other.page(100, null)).ids, ids(other.created))
    })

    // The embedded engine has one connection, so nothing is ever concurrent with a page.
    if (engine.name === 'PostgreSQL') {
      test('a result stored before paging starts and committed during it is neither skipped nor repeated · RES-5', async () => {
        const one = await organization()
        await one.arrive([3, 4, 5])
        const early = await invite(service, one.organizationId, one.templateId)
        const stored = Promise.withResolvers<string>()
        const commit = Promise.withResolvers<void>()
        const open = service.database.transaction(async (transaction) => {
          const completedAt = '2026-02-01T00:00:00.000Z'
          const within = { ...service, database: { ...service.database, query: transaction.query } }
          stored.resolve((await finish(within, one.organizationId, { invitation: early, completedAt })).resultId)
          await commit.promise
        })
        const resultId = await stored.promise
        await one.arrive([6])
        const first = await one.page(1, null)
        const second = await one.page(1, first.nextCursor)
        commit.resolve()
        await open
        await one.arrive([2])
        const seen = [...first.ids, ...second.ids, ...(await rest(one, second.nextCursor))]
        const before = ids(one.created.slice(0, 4))
        assert.deepEqual(seen, [...before, resultId, ...ids(one.created.slice(4))])
      })

      test('results stored during a long transaction are returned immediately · RES-5', async () => {
        const one = await organization()
        await one.arrive([5])
        const commit = Promise.withResolvers<void>()
        const begun = Promise.withResolvers<void>()
        const open = service.database.transaction(async (transaction) => {
          await transaction.query(sql`select pg_current_xact_id()`)
          begun.resolve()
          await commit.promise
        })
        await begun.promise
        await one.arrive([3, 4])
        const { ids: seen, nextCursor } = await one.page(100, null)
        commit.resolve()
        await open
        assert.deepEqual([seen, nextCursor], [ids(inOrder(one.created)), null])
      })
    }

    test('forty results that arrive at once during paging are returned at most once, and none is missed · RES-5', async () => {
      const { arrive, page, created } = await organization()
      await arrive([14, 15, 16])
      const arriving = Promise.all(Array.from({ length: 40 }, (_, index) => arrive([1 + (index % 28)])))
      const seen: string[] = []
      let cursor: string | null = null
      let there: string[]
      do {
        there = ids(created)
        const read: Awaited<ReturnType<typeof page>> = await page(3, cursor)
        seen.push(...read.ids)
        cursor = read.nextCursor
      } while (cursor !== null)
      assert.equal(new Set(seen).size, seen.length)
      assert.deepEqual(
        there.filter((id) => !seen.includes(id)),
        [],
      )
      await arriving
      assert.equal((await page(100, null)).ids.length, 43)
    })
  })
}

describe('paging during more transactions than a cursor has room for', () => {
  let service: Service
  before(async () => {
    const server = await sharedPostgres()
    const openEmpty = async () => openPostgres({ url: await server.createDatabase(), connections: 45 })
    service = await startService(postgres('PostgreSQL', openEmpty))
  })
  after(() => service.close())

  test('repeats no result, and returns skipped ones first the next time · RES-5', async () => {
    const { organizationId } = await service.partner()
    const { database } = service
    const page = async (cursor?: string | null) => {
      const read = await listResults(database, organizationId, { limit: 2, ...(cursor && { cursor }) }, { appUrl: '' })
      assert.ok(typeof read !== 'string', String(read))
      return { ids: read.data.map(({ resultId }) => resultId), nextCursor: read.nextCursor }
    }
    const arrive = async () => (await finish(service, organizationId)).resultId
    const before = [await arrive(), await arrive(), await arrive()]

    const end = Promise.withResolvers<void>()
    const open: Promise<void>[] = []
    const during: string[] = []
    for (let count = 0; count < 40; count++) {
      const begun = Promise.withResolvers<void>()
      open.push(
        database.transaction(async (transaction) => {
          await transaction.query(sql`select pg_current_xact_id()`)
          begun.resolve()
          await end.promise
        }),
      )
      await begun.promise
      if (count === 30 || count === 39) during.push(await arrive())
    }
    const [early = '', late = ''] = during

    const first = await page()
    const second = await page(first.nextCursor)
    assert.deepEqual([...first.ids, ...second.ids, second.nextCursor], [...before, early, null])
    assert.ok((first.nextCursor?.length ?? 0) <= maxCursorLength)
    end.resolve()
    await Promise.all(open)
    const rest = await page(first.nextCursor)
    const last = await page(rest.nextCursor)
    assert.deepEqual([...rest.ids, ...last.ids, last.nextCursor], [before[2], early, late, null])
  })
})

function ids(created: FinishedInterview[]): string[] {
  return created.map(({ resultId }) => resultId)
}

function inOrder(created: FinishedInterview[]): FinishedInterview[] {
  return [...created].sort(
    (a, b) => a.completedAt.getTime() - b.completedAt.getTime() || (a.resultId < b.resultId ? -1 : 1),
  )
}
