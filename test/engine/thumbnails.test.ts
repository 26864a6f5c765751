import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import type { Statement } from '../../server/database/database.ts'
import { createEventImages } from '../../server/images/event-images.ts'
import { createRecentImages } from '../../server/images/recent-images.ts'
import { createThumbnailChecker } from '../../server/images/thumbnail-checker.ts'
import { findThumbnail } from '../../server/images/thumbnail-store.ts'
import { createThumbnailUploader } from '../../server/images/thumbnail-uploader.ts'
import type { ThumbnailVerdict } from '../../server/images/thumbnail-verdict.ts'
import { type Deliveries, image, type Subscriber, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { padded } from '../../support/jpeg.ts'
import { draw, range } from '../../support/jpeg-drawing.ts'
import { eventually } from '../../support/process.ts'
import { engineToken, send } from '../../support/service.ts'
import { watchStatements } from '../../support/watch-statements.ts'

type UploadResponse = { interviewId: string; bytes: number; usable: boolean | null; problem: object | null }

const nobody = 'int_01m7efx4xwfztrm1s20bva7r58'
const authorization = `Bearer ${engineToken}`

for (const engine of engines) {
  describe(`the engine API for images on ${engine.name}`, () => {
    const threads = createThumbnailChecker({ threads: 1 })
    let check = threads.check
    let checks = 0
    let deliveries: Deliveries
    let subscriber: Subscriber
    before(async () => {
      const checker = {
        ...threads,
        check(bytes: Uint8Array) {
          checks += 1
          return check(bytes)
        },
      }
      deliveries = await startDeliveries(engine, { checker })
      subscriber = await deliveries.subscriber()
    })
    beforeEach(() => {
      check = threads.check
      checks = 0
    })
    after(() => deliveries?.close())

    const begin = async () => (await subscriber.invite()).interview.id
    const upload = (interviewId: string, bytes: Uint8Array, type = 'image/jpeg') => {
      const path = `/internal/v1/interviews/${interviewId}/thumbnail`
      const headers: Record<string, string> = type === '' ? { authorization } : { authorization, 'content-type': type }
      return send<UploadResponse>(deliveries.service.url, 'PUT', path, headers, new Uint8Array(bytes))
    }

    test('an image is stored as uploaded and can be replaced; an empty or oversized upload or one of another type is rejected', async () => {
      const id = await begin()
      const put = (bytes: Uint8Array, type?: string) => upload(id, bytes, type)
      for (const bytes of [image, Buffer.from('no image at all'), Buffer.alloc(4 * 1024 * 1024, 7)]) {
        const stored = await put(bytes)
        assert.equal(stored.status, 200)
        assert.partialDeepStrictEqual(stored.body, { interviewId: id, bytes: bytes.length })
        assert.ok(bytes.equals(await imageOf(id)))
      }
      assertRefused(await put(Buffer.alloc(4 * 1024 * 1024 + 1)), 413, 'Request body is too large')
      assertRefused(await put(Buffer.alloc(0)), 400, 'Request body must be the image')
      for (const type of ['image/png', 'application/json', 'application/octet-stream', '']) {
        assertRefused(await put(image, type), 415, 'Content-Type must be image/jpeg')
      }
      assertRefused(await upload(nobody, image), 404, 'Interview not found')
      assert.equal((await imageOf(id)).length, 4 * 1024 * 1024)
    })

    test('the response says whether the image is usable and what is wrong with it', async () => {
      const id = await begin()
      const verdicts: [Buffer, object][] = [
        [image, { usable: true, problem: null }],
        [padded(image, 1_000_000), { usable: true, problem: null }],
        [Buffer.from('no image at all'), refusal('THUMBNAIL_MALFORMED', 'The file is not a JPEG.')],
        [
          padded(image, 1_000_001),
          refusal('THUMBNAIL_TOO_LARGE', 'The thumbnail has 1,000,001 bytes; at most 1,000,000 are allowed.'),
        ],
      ]
      for (const [bytes, verdict] of verdicts) {
        const { body } = await upload(id, bytes)
        assert.deepEqual(body, { interviewId: id, bytes: bytes.length, ...verdict })
      }
    })

    test('an image that was checked on upload is not checked again before it is sent', async () => {
      const { deliveryId } = await subscriber.complete()
      assert.equal(checks, 1)
      const checker = { ...threads, check: () => assert.fail('the image was checked again') }
      const images = createEventImages({ database: deliveries.service.database, checker })
      const { outcome } = await deliveries.attempt(deliveryId, { with: { images } })
      assert.equal(outcome, 'delivered')
    })

    test('a valid image too large to be loaded with its delivery is kept for its event', async () => {
      const { database, time } = deliveries.service
      const recent = createRecentImages()
      const { upload } = createThumbnailUploader({ database, checker: threads, recent, report: assert.fail })
      const id = await begin()
      const kept = async (bytes: Buffer) => {
        await upload(id, bytes, time.now)
        return recent.take((await findThumbnail(database, id))?.version ?? '')
      }
      const large = padded(image, 65_537)
      assert.equal(await kept(large), large)
      for (const other of [image, large.subarray(0, -2), padded(image, 1_000_001)])
        assert.equal(await kept(other), null)
    })

    test('an event that follows the upload of a large image carries that image · THU-1 THU-5', async () => {
      const [first, second] = [padded(image, 70_000), padded(image, 80_000)]
      const { deliveryId, invitation } = await subscriber.complete({ image: first })
      await upload(invitation.interview.id, second)
      assert.equal((await deliveries.attempt(deliveryId)).outcome, 'delivered')
      const body = JSON.parse(subscriber.requests.at(-1)?.body.toString() ?? '')
      assert.equal(body.thumbnail.dataBase64, second.toString('base64'))
    })

    test('an image and its verdict are stored by one statement', async () => {
      const { database, time } = deliveries.service
      const statements: string[] = []
      const watched = watchStatements(database, ({ text }) => void statements.push(text))
      const { upload } = createThumbnailUploader({ database: watched, checker: threads, report: assert.fail })
      const id = await begin()
      for (const bytes of [image, image.subarray(0, -2), padded(image, 1_000_001), image]) {
        statements.length = 0
        const stored = await upload(id, bytes, time.now)
        assert.ok(stored.outcome === 'stored')
        assert.deepEqual((await findThumbnail(database, id))?.verdict, stored.verdict)
        assert.equal(statements.filter((text) => /insert|update/.test(text)).length, 1)
      }
    })

    test('an image that could not be checked is still stored, and checked before it is sent · THU-4', async () => {
      check = () => Promise.reject(new Error('no thread starts'))
      const id = await begin()
      const response = await upload(id, image)
      assert.deepEqual(
        [response.status, response.body],
        [200, { interviewId: id, bytes: image.length, usable: null, problem: null }],
      )
      assert.ok(image.equals(await imageOf(id)))
      const problem = `could not check the image of interview ${id}; it will be checked before it is sent`
      assert.ok(deliveries.service.logged().includes(problem))

      const { deliveryId } = await subscriber.complete({ image: image.subarray(0, -2) })
      assert.equal((await deliveries.attempt(deliveryId)).attempt?.error, 'THUMBNAIL_MALFORMED')
    })

    test('after a transient failure the image is checked again before it is sent', async () => {
      const { deliveryId, invitation } = await subscriber.complete({ image: null })
      const detail = 'The image takes too long to decode.'
      check = async () => ({ ok: false, error: 'THUMBNAIL_TOO_COSTLY', detail, transient: true })
      const { body } = await upload(invitation.interview.id, image)
      assert.partialDeepStrictEqual(body, { usable: null, problem: null })
      assert.ok(deliveries.service.logged().includes(detail))
      assert.equal((await deliveries.attempt(deliveryId)).outcome, 'delivered')
    })

    test('of many large images at once only a few are checked, and the other uploads don’t wait', async () => {
      const large = padded(image, 1_000_000)
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      check = async (bytes) => {
        await released
        return threads.check(bytes)
      }
      const { database, time } = deliveries.service
      const checker = {
        ...threads,
        check(bytes: Uint8Array) {
          checks += 1
          return check(bytes)
        },
      }
      // Longer than storing the others takes on a busy machine.
      const patienceMilliseconds = 60_000
      const uploader = createThumbnailUploader({ database, checker, report: assert.fail, patienceMilliseconds })
      const ids = await Promise.all(Array.from({ length: 8 }, begin))
      const usable: (boolean | null)[] = []
      const responses = ids.map(async (id) => {
        const stored = await uploader.upload(id, large, time.now)
        usable.push(stored.outcome === 'stored' && stored.verdict ? stored.verdict.ok : null)
        if (usable.length === 3) release()
      })
      await Promise.all(responses)
      // The first, while nothing was pending, and the organization's share of four.
      assert.deepEqual(usable, [...Array(3).fill(null), ...Array(5).fill(true)])
      assert.equal(checks, 5)

      checks = 0
      await Promise.all(ids.map((id) => uploader.upload(id, image, time.now)))
      assert.equal(checks, ids.length, 'small images are checked without waiting')
    })

    test("one organization's costly images delay another's by no more than the one being checked · ROB-4", async () => {
      const { database, time } = deliveries.service
      const other = await deliveries.subscriber()
      const order: (string | undefined)[] = []
      const checker = {
        ...threads,
        async check(bytes: Uint8Array, owner?: string) {
          const verdict = await threads.check(bytes, owner)
          order.push(owner)
          return verdict
        },
      }
      const { upload } = createThumbnailUploader({ database, checker, report: assert.fail })
      const [costlyId, ordinaryId] = [await begin(), (await other.invite()).interview.id]
      const images = [...Array(12).fill(costly), ...Array(4).fill(padded(costly, 200_000))]
      const uploads = images.map((bytes) => upload(costlyId, bytes, time.now))
      await eventually(async () => order.length > 0)
      const begun = order.length
      const ordinary = await upload(ordinaryId, image, time.now)
      assert.deepEqual(ordinary, { outcome: 'stored', verdict: { ok: true } })
      // The one being checked, and one that may end while the response is in flight.
      assert.ok(order.indexOf(other.organizationId) <= begun + 2, order.join())
      await Promise.all(uploads)
      await eventually(async () => order.length === images.length + 1)
    })

    for (const [name, slow, quick] of [
      ['valid', image, image.subarray(0, -2)],
      ['bad', image.subarray(0, -2), image],
    ] as const) {
      test(`of two concurrent uploads the one stored last counts, with its own verdict: ${name} · THU-5`, async () => {
        const { deliveryId, invitation } = await subscriber.complete({ image: null })
        const { id } = invitation.interview
        const usable = name === 'valid'
        check = async (bytes) => {
          check = threads.check
          assert.partialDeepStrictEqual((await upload(id, quick)).body, { usable: !usable })
          return threads.check(bytes)
        }
        assert.partialDeepStrictEqual((await upload(id, slow)).body, { usable })
        assert.ok(slow.equals(await imageOf(id)))
        const { attempt } = await deliveries.attempt(deliveryId)
        assert.equal(attempt?.error, usable ? null : 'THUMBNAIL_MALFORMED')
      })
    }

    test('a slow check continues after the upload has returned, and its verdict is stored', async () => {
      const { database, time } = deliveries.service
      const { promise: verdict, resolve } = Promise.withResolvers<ThumbnailVerdict>()
      const checker = { ...threads, check: () => verdict }
      const uploader = createThumbnailUploader({ database, checker, report: assert.fail, patienceMilliseconds: 1 })
      const id = await begin()
      assert.deepEqual(await uploader.upload(id, image, time.now), { outcome: 'stored', verdict: null })
      resolve({ ok: true })
      assert.ok(await eventually(async () => (await findThumbnail(database, id))?.verdict?.ok === true))
    })

    test('a late verdict is not stored for the image that replaced the checked one · THU-5', async () => {
      const { database, time } = deliveries.service
      const { promise: verdict, resolve } = Promise.withResolvers<ThumbnailVerdict>()
      const { promise: written, resolve: wrote } = Promise.withResolvers<void>()
      const watched = {
        ...database,
        async query<Row>(statement: Statement): Promise<Row[]> {
          const rows = await database.query<Row>(statement)
          if (statement.text.includes('update thumbnails set verdict')) wrote()
          return rows
        },
      }
      const checker = { ...threads, check: () => verdict }
      const dependencies = { database: watched, checker, report: assert.fail, patienceMilliseconds: 1 }
      const id = await begin()
      await createThumbnailUploader(dependencies).upload(id, image.subarray(0, -2), time.now)
      check = () => Promise.reject(new Error('no thread starts'))
      assert.partialDeepStrictEqual((await upload(id, image)).body, { usable: null })
      resolve({ ok: false, error: 'THUMBNAIL_MALFORMED', detail: 'It is cut off.' })
      await written
      assert.equal((await findThumbnail(database, id))?.verdict, null)
    })

    test('a failure to store a late verdict is reported', async () => {
      const { database, time } = deliveries.service
      const failing = watchStatements(database, ({ text }) => {
        if (text.includes('update thumbnails set verdict')) throw new Error('the disk is full')
      })
      const { promise: verdict, resolve } = Promise.withResolvers<ThumbnailVerdict>()
      const { promise: reported, resolve: report } = Promise.withResolvers<string>()
      const checker = { ...threads, check: () => verdict }
      const uploader = createThumbnailUploader({ database: failing, checker, report, patienceMilliseconds: 1 })
      const id = await begin()
      await uploader.upload(id, image, time.now)
      resolve({ ok: true })
      assert.equal(await reported, `could not store the verdict on the image of interview ${id}`)
    })

    test('uploads are counted by verdict', async () => {
      const { database, time } = deliveries.service
      const counted: string[] = []
      const observe = (verdict: string) => void counted.push(verdict)
      const { upload } = createThumbnailUploader({ database, checker: threads, report: assert.fail, observe })
      const id = await begin()
      await upload(id, image, time.now)
      await upload(id, image.subarray(0, -2), time.now)
      const failing = { ...threads, check: () => Promise.reject(new Error('no thread starts')) }
      await createThumbnailUploader({ database, checker: failing, report() {}, observe }).upload(id, image, time.now)
      assert.deepEqual(await upload(nobody, image, time.now), { outcome: 'not_found' })
      assert.deepEqual(counted, ['usable', 'refused', 'none'])
    })

    async function imageOf(interviewId: string): Promise<Buffer> {
      const [row] = await deliveries.service.database.query<{ base64: string }>(
        sql`select base64 from thumbnails where interview_id = ${interviewId}`,
      )
      return Buffer.from(row?.base64 ?? '', 'base64')
    }
  })
}

/** Valid, small, and as expensive to decode as an image may be. */
const costly = draw({
  width: 2800,
  height: 2800,
  frame: 'progressive',
  plain: true,
  scans: [{ components: [0] }, ...range(61).map((index) => ({ components: [0], first: index + 1, last: index + 1 }))],
})

function refusal(error: string, detail: string) {
  return { usable: false, problem: { error, detail } }
}
