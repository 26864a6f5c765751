import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import type { Statement } from '../../server/database/database.ts'
import { createEventImages } from '../../server/images/event-images.ts'
import { createThumbnailChecker } from '../../server/images/thumbnail-checker.ts'
import { findThumbnail } from '../../server/images/thumbnail-store.ts'
import { createThumbnailUploader } from '../../server/images/thumbnail-uploader.ts'
import type { ThumbnailVerdict } from '../../server/images/thumbnail-verdict.ts'
import { assertRefused } from '../support/answers.ts'
import { type Deliveries, image, type Subscriber, startDeliveries } from '../support/deliveries.ts'
import { engines } from '../support/engines.ts'
import { padded } from '../support/jpeg.ts'
import { eventually } from '../support/process.ts'
import { engineToken, send } from '../support/service.ts'
import { watchStatements } from '../support/watched-statements.ts'

type Uploaded = { interviewId: string; bytes: number; usable: boolean | null; problem: object | null }

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
      return send<Uploaded>(deliveries.service.url, 'PUT', path, headers, new Uint8Array(bytes))
    }

    test('an image is stored as uploaded and can be replaced; an upload of another type, empty or too large is refused', async () => {
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

    test('the answer says whether the image is usable, and what is wrong with it', async () => {
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
      const checker = { ...threads, check: () => assert.fail('it was checked again') }
      const images = createEventImages({ database: deliveries.service.database, checker })
      const { outcome } = await deliveries.attempt(deliveryId, { with: { images } })
      assert.equal(outcome, 'delivered')
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
        assert.equal(statements.length, 1)
      }
    })

    test('an image that could not be checked is stored all the same, and checked before it is sent · THU-4', async () => {
      check = () => Promise.reject(new Error('no thread starts'))
      const id = await begin()
      const answer = await upload(id, image)
      assert.deepEqual(
        [answer.status, answer.body],
        [200, { interviewId: id, bytes: image.length, usable: null, problem: null }],
      )
      assert.ok(image.equals(await imageOf(id)))
      const problem = `could not check the image of interview ${id}; it will be checked before it is sent`
      assert.ok(deliveries.service.logged().includes(problem))

      const { deliveryId } = await subscriber.complete({ image: image.subarray(0, -2) })
      assert.equal((await deliveries.attempt(deliveryId)).attempt?.error, 'THUMBNAIL_MALFORMED')
    })

    test('a transient fault is not held against the image: it is checked again before it is sent', async () => {
      const { deliveryId, invitation } = await subscriber.complete({ image: null })
      const detail = 'The image takes too long to decode.'
      check = async () => ({ ok: false, error: 'THUMBNAIL_TOO_COSTLY', detail, transient: true })
      const { body } = await upload(invitation.interview.id, image)
      assert.partialDeepStrictEqual(body, { usable: null, problem: null })
      assert.ok(deliveries.service.logged().includes(detail))
      assert.equal((await deliveries.attempt(deliveryId)).outcome, 'delivered')
    })

    test('of many large images at once a few are checked, and the rest are answered without waiting', async () => {
      const large = padded(image, 1_000_000)
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      check = async (bytes) => {
        await released
        return threads.check(bytes)
      }
      const ids = await Promise.all(Array.from({ length: 8 }, begin))
      const usable: (boolean | null)[] = []
      const answers = ids.map(async (id) => {
        usable.push((await upload(id, large)).body.usable)
        if (usable.length === 4) release()
      })
      await Promise.all(answers)
      assert.deepEqual(usable, [...Array(4).fill(null), ...Array(4).fill(true)])
      assert.equal(checks, 4)

      checks = 0
      await Promise.all(ids.map((id) => upload(id, image)))
      assert.equal(checks, ids.length, 'small ones are over before anybody has waited for them')
    })

    for (const [name, slow, quick] of [
      ['valid', image, image.subarray(0, -2)],
      ['bad', image.subarray(0, -2), image],
    ] as const) {
      test(`of two uploads at once the last one stored counts, with its own verdict: ${name} · THU-5`, async () => {
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

    test('a check that takes long goes on after the upload is answered, and its verdict is stored', async () => {
      const { database, time } = deliveries.service
      const { promise: verdict, resolve } = Promise.withResolvers<ThumbnailVerdict>()
      const checker = { ...threads, check: () => verdict }
      const uploader = createThumbnailUploader({ database, checker, report: assert.fail, patienceMilliseconds: 1 })
      const id = await begin()
      assert.deepEqual(await uploader.upload(id, image, time.now), { outcome: 'stored', verdict: null })
      resolve({ ok: true })
      assert.ok(await eventually(async () => (await findThumbnail(database, id))?.verdict?.ok === true))
    })

    test('a late verdict is not stored for the image that replaced its own · THU-5', async () => {
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

    test('a late verdict that cannot be stored is reported', async () => {
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

    test('uploads are counted by their verdict', async () => {
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

function refusal(error: string, detail: string) {
  return { usable: false, problem: { error, detail } }
}
