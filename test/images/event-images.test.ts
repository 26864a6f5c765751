import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import type { Database, Queryable, Statement } from '../../server/database/database.ts'
import { DatabaseUnavailable } from '../../server/database/failures.ts'
import { createEventImages, type ImageRequest } from '../../server/images/event-images.ts'
import { createRecentImages } from '../../server/images/recent-images.ts'
import { createThumbnailChecker, type ThumbnailChecker } from '../../server/images/thumbnail-checker.ts'
import {
  joinThumbnail,
  readThumbnail,
  type StoredThumbnail,
  storeThumbnail,
  type ThumbnailColumns,
  thumbnailColumns,
} from '../../server/images/thumbnail-store.ts'
import type { ThumbnailFault, ThumbnailVerdict } from '../../server/images/thumbnail-verdict.ts'
import { createOrReuseInvitation } from '../../server/interviews/invitations.ts'
import { createOrReuseTemplate } from '../../server/interviews/templates.ts'
import { createOrganization } from '../../server/organizations/organizations.ts'
import { engines } from '../../support/engines.ts'
import { padded, photograph } from '../../support/jpeg.ts'
import { eventually } from '../../support/process.ts'
import { watchStatements } from '../../support/watch-statements.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const image = photograph({ width: 48, height: 48 })
const broken = image.subarray(0, -2)
const large = padded(image, 70_000)
const valid: ThumbnailVerdict = { ok: true }

for (const engine of engines) {
  describe(`images for events on ${engine.name}`, () => {
    const threads = createThumbnailChecker({ threads: 1 })
    let database: Database
    let interviews = 0
    before(async () => {
      database = await engine.open()
    })
    after(async () => {
      await threads.close()
      await database?.close()
    })

    /** An interview with this image, as it is loaded with its delivery. */
    async function createRequest(bytes: Buffer | null, verdict: ThumbnailVerdict | null = null): Promise<ImageRequest> {
      interviews += 1
      const { id: organizationId } = await createOrganization(database, `Organization ${interviews}`, now)
      const fields = { title: 'Backend engineer', description: 'Queues.' }
      const { template } = await createOrReuseTemplate(database, organizationId, fields, now)
      const invited = await createOrReuseInvitation(
        database,
        organizationId,
        { templateId: template.id, candidate: { email: 'ada@example.com', firstName: 'Ada' } },
        { interviewUrl: 'https://interviews.example/{token}', now },
      )
      assert.ok(invited !== 'template_not_found')
      const interviewId = invited.invitation.interview.id
      if (bytes) await storeThumbnail(database, { interviewId, image: bytes, verdict, now })
      return { interviewId, organizationId, stored: await load(interviewId) }
    }

    async function load(interviewId: string): Promise<StoredThumbnail | null> {
      const [row] = await database.query<ThumbnailColumns>(sql`
        select ${thumbnailColumns} from interviews i ${joinThumbnail(sql`i.id`)} where i.id = ${interviewId}`)
      assert.ok(row)
      return readThumbnail(row)
    }

    async function reload(request: ImageRequest): Promise<ImageRequest> {
      return { ...request, stored: await load(request.interviewId) }
    }

    /** Counts the statements and checks needed to provide images. */
    function watchImages(check: ThumbnailChecker['check'] = threads.check) {
      const counts = { statements: 0, checks: 0 }
      const images = createEventImages({
        database: watchStatements(database, () => void counts.statements++),
        checker: {
          ...threads,
          check(bytes) {
            counts.checks += 1
            return check(bytes)
          },
        },
      })
      return { ...images, counts }
    }

    test('a valid small image needs no further statement', async () => {
      const { provide, counts } = watchImages()
      const request = await createRequest(image, valid)
      const used = await provide(request, async (base64) => base64)
      assert.deepEqual(used, { ok: true, result: image.toString('base64') })
      // So that it does not stay in memory with the delivery.
      assert.equal(request.stored?.base64, null)
      assert.deepEqual(counts, { statements: 0, checks: 0 })
    })

    test('a valid large image is fetched by one statement · THU-1', async () => {
      const largest = padded(image, 1_000_000)
      const request = await createRequest(largest, valid)
      assert.equal(request.stored?.base64, null)
      const { provide, counts } = watchImages()
      const used = await provide(request, async (base64) => base64)
      assert.deepEqual(used, { ok: true, result: largest.toString('base64') })
      assert.deepEqual(counts, { statements: 1, checks: 0 })
    })

    test('an image of 65,536 bytes is loaded with its delivery, one byte more is not', async () => {
      for (const size of [65_536, 65_537]) {
        const { stored } = await createRequest(padded(image, size))
        assert.equal(stored?.size, size)
        assert.equal(stored.base64 !== null, size === 65_536)
      }
    })

    const bad: [string, Buffer | null, ThumbnailVerdict | null, Omit<ThumbnailFault, 'ok'>][] = [
      ['a missing image', null, null, { error: 'THUMBNAIL_MISSING', detail: 'The interview has no thumbnail.' }],
      [
        'an image known to be invalid',
        broken,
        { ok: false, error: 'THUMBNAIL_MALFORMED', detail: 'Known.' },
        { error: 'THUMBNAIL_MALFORMED', detail: 'Known.' },
      ],
      [
        'an oversized image',
        padded(image, 1_234_567),
        null,
        {
          error: 'THUMBNAIL_TOO_LARGE',
          detail: 'The thumbnail has 1,234,567 bytes; at most 1,000,000 are allowed.',
        },
      ],
    ]
    for (const [name, bytes, verdict, problem] of bad) {
      test(`${name} is rejected without being read or checked · THU-4`, async () => {
        const { provide, counts } = watchImages()
        const used = await provide(await createRequest(bytes, verdict), () => assert.fail('the image was used'))
        assert.deepEqual(used, { ok: false, ...problem })
        assert.deepEqual(counts, { statements: 0, checks: 0 })
      })
    }

    for (const [name, bytes, ok] of [
      ['valid', image, true],
      ['valid large', large, true],
      ['bad', broken, false],
      ['bad large', padded(image, 70_000).subarray(0, -2), false],
    ] as const) {
      test(`an unchecked ${name} image is checked once · THU-4`, async () => {
        const request = await createRequest(bytes)
        const { provide, counts } = watchImages()
        const use = async (base64: string) => base64.length
        const first = await provide(request, ok ? use : () => assert.fail('the image was used'))
        assert.equal(first.ok, ok)
        assert.deepEqual((await load(request.interviewId))?.verdict, ok ? valid : first)
        assert.deepEqual(await provide(await reload(request), use), first)
        assert.equal(counts.checks, 1)
      })
    }

    test('what became of the request does not depend on storing the verdict · DLV-3', async () => {
      const { provide } = createEventImages({
        database: watchStatements(database, () => {
          throw new DatabaseUnavailable('gone after the request')
        }),
        checker: threads,
      })
      assert.deepEqual(await provide(await createRequest(image), async () => 410), { ok: true, result: 410 })
    })

    test('after the last use, the verdict on a valid image is not stored', async () => {
      const request = await createRequest(image)
      const used = await watchImages().provide(
        request,
        async () => 200,
        (status) => status === 200,
      )
      assert.deepEqual([used, (await load(request.interviewId))?.verdict], [{ ok: true, result: 200 }, null])
    })

    test('a transient failure is not stored, so the next attempt checks the image again', async () => {
      const late: ThumbnailVerdict = { ok: false, error: 'THUMBNAIL_TOO_COSTLY', detail: 'Too long.', transient: true }
      const request = await createRequest(image)
      const first = await watchImages(async () => late).provide(request, () => assert.fail('the image was used'))
      assert.deepEqual(first, late)
      const again = await reload(request)
      assert.equal(again.stored?.verdict, null)
      assert.deepEqual(await watchImages().provide(again, async () => 'sent'), { ok: true, result: 'sent' })
    })

    test('a verdict on an image replaced during its check is not stored · THU-5', async () => {
      const request = await createRequest(broken)
      const { provide } = watchImages(async (bytes) => {
        await storeThumbnail(database, { interviewId: request.interviewId, image, verdict: null, now })
        return threads.check(bytes)
      })
      assert.equal((await provide(request, () => assert.fail('the image was used'))).ok, false)
      assert.equal((await load(request.interviewId))?.verdict, null)
    })

    test('a large image replaced or removed while it waited is judged by its current state · THU-5', async () => {
      const request = await createRequest(large, valid)
      const { provide } = watchImages()
      await storeThumbnail(database, { interviewId: request.interviewId, image, verdict: null, now })
      const replaced = await provide(request, async (base64) => base64)
      assert.deepEqual(replaced, { ok: true, result: image.toString('base64') })

      await storeThumbnail(database, { interviewId: request.interviewId, image: broken, verdict: null, now })
      assert.partialDeepStrictEqual(await provide(request, () => assert.fail('the image was used')), {
        error: 'THUMBNAIL_MALFORMED',
      })
      await storeThumbnail(database, {
        interviewId: request.interviewId,
        image: padded(image, 1_000_001),
        verdict: null,
        now,
      })
      assert.partialDeepStrictEqual(await provide(request, () => assert.fail('the image was used')), {
        error: 'THUMBNAIL_TOO_LARGE',
      })
      await database.query(sql`delete from thumbnails where interview_id = ${request.interviewId}`)
      assert.partialDeepStrictEqual(await provide(request, () => assert.fail('the image was used')), {
        error: 'THUMBNAIL_MISSING',
      })
    })

    test('two large images are fetched at once, and unchecked images do not block the others', async () => {
      const checks = Promise.withResolvers<void>()
      const fetching = gatedDatabase(database)
      const checker: ThumbnailChecker = {
        ...threads,
        async check(bytes) {
          await checks.promise
          return threads.check(bytes)
        },
      }
      const { provide } = createEventImages({ database: fetching.database, checker })
      const unchecked = await createRequest(large)
      const checked = await createRequest(large, valid)
      const use = async () => 'sent'
      const waiting = [1, 2, 3].map(() => provide(unchecked, use))
      assert.ok(await eventually(async () => fetching.held() === 2))
      fetching.release()
      const others = [1, 2, 3, 4].map(() => provide(checked, use))
      assert.ok(await eventually(async () => fetching.held() === 2))
      fetching.release()
      assert.ok(await eventually(async () => fetching.held() === 2))
      fetching.open()
      for (const other of others) assert.deepEqual(await other, { ok: true, result: 'sent' })
      checks.resolve()
      for (const one of waiting) assert.deepEqual(await one, { ok: true, result: 'sent' })
    })

    test('large images share a memory budget: each organization has its share, and small images need none · DLV-12', async () => {
      const memory = { total: 300_000, perOrganization: 150_000 }
      const { provide } = createEventImages({ database, checker: threads, memory })
      const [a, b, c] = [
        await createRequest(large, valid),
        await createRequest(large, valid),
        await createRequest(large, valid),
      ]
      const small = await createRequest(image, valid)
      const running: { name: string; end: () => void }[] = []
      const start = (name: string, request: ImageRequest) =>
        provide(request, () => new Promise<void>((resolve) => running.push({ name, end: resolve })))
      const names = () => running.map(({ name }) => name).sort()
      const end = (ended: string) => running.find(({ name }) => name === ended)?.end()

      const all = [start('a1', a), start('a2', a), start('a3', a), start('b1', b), start('b2', b), start('c1', c)]
      assert.ok(await eventually(async () => running.length === 4))
      all.push(start('small', { ...small, organizationId: a.organizationId }))
      assert.ok(await eventually(async () => running.length === 5))
      assert.deepEqual(names(), ['a1', 'a2', 'b1', 'b2', 'small'])
      end('b1')
      assert.ok(await eventually(async () => names().includes('c1')))
      assert.ok(!names().includes('a3'))
      end('a1')
      assert.ok(await eventually(async () => names().includes('a3')))
      for (const { end } of running) end()
      for (const one of all) assert.equal((await one).ok, true)
    })

    test('a large image that was uploaded a moment ago needs no statement, except for a second attempt', async () => {
      const recent = createRecentImages()
      const statements: Statement[] = []
      const watched = watchStatements(database, (statement) => void statements.push(statement))
      const { provide } = createEventImages({ database: watched, checker: threads, recent })
      const request = await createRequest(large, valid)
      recent.keep(request.stored?.version ?? '', large)
      const use = async (base64: string, waited: boolean) => ({ base64, waited })
      const base64 = large.toString('base64')
      assert.deepEqual(await provide(request, use), { ok: true, result: { base64, waited: false } })
      assert.equal(statements.length, 0)
      assert.deepEqual(await provide(request, use), { ok: true, result: { base64, waited: true } })
      assert.equal(statements.length, 1)
    })

    test('an event that waits for memory says so, although its image was uploaded a moment ago · DLV-16', async () => {
      const recent = createRecentImages()
      const memory = { total: 70_000, perOrganization: 70_000 }
      const { provide } = createEventImages({ database, checker: threads, recent, memory })
      const [first, second] = [await createRequest(large, valid), await createRequest(large, valid)]
      for (const { stored } of [first, second]) recent.keep(stored?.version ?? '', large)
      const { promise: ended, resolve: end } = Promise.withResolvers<void>()
      const use = async (_: string, waited: boolean) => {
        await ended
        return waited
      }
      const both = [provide(first, use), provide(second, use)]
      end()
      assert.deepEqual(await Promise.all(both), [
        { ok: true, result: false },
        { ok: true, result: true },
      ])
    })

    test('the budget is 48 MB of large images, and 12 MB per organization', async () => {
      const { provide } = createEventImages({ database, checker: threads })
      const { interviewId, stored } = await createRequest(large, valid)
      assert.ok(stored)
      const running: string[] = []
      const { promise: ended, resolve: end } = Promise.withResolvers<void>()
      const start = (organizationId: string) =>
        provide({ interviewId, organizationId, stored: { ...stored, size: 1_000_000 } }, async () => {
          running.push(organizationId)
          await ended
        })
      const organizations = ['a', 'b', 'c', 'd', 'e']
      const all = organizations.flatMap((organizationId) => Array.from({ length: 13 }, () => start(organizationId)))
      assert.ok(await eventually(async () => running.length >= 48))
      for (const organization of organizations) {
        const count = running.filter((one) => one === organization).length
        assert.equal(count, organization === 'e' ? 0 : 12)
      }
      end()
      await Promise.all(all)
      assert.equal(running.length, 65)
    })

    for (const [name, use] of [
      ['throws', () => assert.fail('on purpose')],
      ['rejects', () => Promise.reject(new Error('on purpose'))],
    ] as const) {
      test(`a use that ${name} frees its memory`, async () => {
        const memory = { total: 70_000, perOrganization: 70_000 }
        const { provide } = createEventImages({ database, checker: threads, memory })
        const request = await createRequest(large, valid)
        for (const _ of [1, 2, 3]) await assert.rejects(provide(request, use), /on purpose/)
        assert.deepEqual(await provide(request, async () => 'sent'), { ok: true, result: 'sent' })
      })
    }

    test('an image that can’t be fetched or checked frees its memory', async () => {
      const memory = { total: 70_000, perOrganization: 70_000 }
      let failing = true
      const { provide } = createEventImages({
        database: watchStatements(database, () => {
          if (failing) throw new Error('on purpose')
        }),
        checker: { ...threads, check: () => Promise.reject(new Error('no thread starts')) },
        memory,
      })
      const [checked, unchecked] = [await createRequest(large, valid), await createRequest(large)]
      for (const _ of [1, 2, 3])
        await assert.rejects(
          provide(checked, async () => 'sent'),
          /on purpose/,
        )
      failing = false
      for (const _ of [1, 2, 3])
        await assert.rejects(
          provide(unchecked, async () => 'sent'),
          /no thread starts/,
        )
      assert.deepEqual(await provide(checked, async () => 'sent'), { ok: true, result: 'sent' })
    })
  })
}

/** Holds each query until it is released, or until all are. */
function gatedDatabase(database: Database) {
  const gates: (() => void)[] = []
  let isOpen = false
  const gated: Queryable = {
    ...database,
    async query<Row>(statement: Statement): Promise<Row[]> {
      if (!isOpen) await new Promise<void>((resolve) => gates.push(resolve))
      return database.query<Row>(statement)
    },
  }
  const release = () => {
    for (const open of gates.splice(0)) open()
  }
  return {
    database: gated,
    held: () => gates.length,
    release,
    open() {
      isOpen = true
      release()
    },
  }
}
