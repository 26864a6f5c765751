import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { listResults } from '../../server/interviews/results.ts'
import { createOrReuseTemplate } from '../../server/interviews/templates.ts'
import { engines } from '../support/engines.ts'
import { type Finished, finish } from '../support/results.ts'
import { type Service, startService } from '../support/service.ts'

for (const engine of engines) {
  describe(`results that arrive while paging on ${engine.name}`, () => {
    let service: Service
    before(async () => {
      service = await startService(engine)
    })
    after(() => service.close())

    async function organization() {
      const { organizationId } = await service.partner()
      const newTemplate = async () => {
        const fields = { title: 'T', description: 'D' }
        const made = await createOrReuseTemplate(service.database, organizationId, fields, service.time.now)
        return made.template.id
      }
      const templateId = await newTemplate()
      const made: Finished[] = []
      return {
        made,
        templateId,
        newTemplate,
        /** Results completed on these days of one month, in the order in which they arrive. */
        async arrive(days: number[], into = templateId) {
          for (const day of days) {
            const completedAt = `2026-02-${String(day).padStart(2, '0')}T00:00:00.000Z`
            made.push(await finish(service, organizationId, { completedAt, templateId: into }))
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

    test('late ones with an older completion come later in the walk, and each comes once · RES-5', async () => {
      const { arrive, page, made } = await organization()
      await arrive([3, 4, 5, 6])
      const first = await page(2, null)
      await arrive([1, 9])
      const second = await page(2, first.nextCursor)
      const third = await page(2, second.nextCursor)
      assert.deepEqual([...first.ids, ...second.ids, ...third.ids], ids(made))
      assert.equal(third.nextCursor, null)
    })

    test('whatever arrives between the pages, a walk to the end reads each result once · RES-5', async () => {
      const arrivals = fc.array(fc.integer({ min: 1, max: 28 }), { maxLength: 4 })
      const walk = fc.record({
        before: arrivals,
        between: fc.array(arrivals, { maxLength: 4 }),
        limit: fc.integer({ min: 1, max: 4 }),
      })
      await fc.assert(
        fc.asyncProperty(walk, async ({ before, between, limit }) => {
          const { arrive, page, made } = await organization()
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
          assert.deepEqual(seen.sort(), ids(made).sort())
          assert.deepEqual((await page(100, null)).ids, ids(inOrder(made)))
        }),
        { numRuns: 20 },
      )
    })

    test('a walk through a filter reads each result that passes it once · RES-5', async () => {
      const { arrive, page, made, templateId, newTemplate } = await organization()
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
      const passing = made.filter(
        ({ invitation, completedAt }) => invitation.templateId === templateId && completedAt >= filter.completedAfter,
      )
      assert.deepEqual(seen.sort(), ids(passing).sort())
    })

    test('forty that arrive all at once during a walk are each read at most once, and none too late · RES-5', async () => {
      const { arrive, page, made } = await organization()
      await arrive([14, 15, 16])
      const arriving = Promise.all(Array.from({ length: 40 }, (_, index) => arrive([1 + (index % 28)])))
      const seen: string[] = []
      let cursor: string | null = null
      let there: string[]
      do {
        there = ids(made)
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

function ids(made: Finished[]): string[] {
  return made.map(({ resultId }) => resultId)
}

function inOrder(made: Finished[]): Finished[] {
  return [...made].sort(
    (a, b) => a.completedAt.getTime() - b.completedAt.getTime() || (a.resultId < b.resultId ? -1 : 1),
  )
}
