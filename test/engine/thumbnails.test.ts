import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { deliver } from '../../server/deliveries/attempt.ts'
import { createThumbnailChecker, type ThumbnailVerdict } from '../../server/images/thumbnail.ts'
import { createUpload } from '../../server/images/thumbnail-upload.ts'
import { findThumbnail } from '../../server/images/thumbnails.ts'
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
    let looked = 0
    let deliveries: Deliveries
    let subscriber: Subscriber
    before(async () => {
      const checker = {
        ...threads,
        check(bytes: Uint8Array | null) {
          looked += 1
          return check(bytes)
        },
      }
      deliveries = await startDeliveries(engine, { checker })
      subscriber = await deliveries.subscriber()
    })
    beforeEach(() => {
      check = threads.check
      looked = 0
    })
    after(() => deliveries?.close())

    const begin = async () => (await subscriber.invite()).interview.id
    const upload = (interviewId: string, bytes: Uint8Array, type = 'image/jpeg') => {
      const path = `/internal/v1/interviews/${interviewId}/thumbnail`
      const headers: Record<string, string> = type === '' ? { authorization } : { authorization, 'content-type': type }
      return send<Uploaded>(deliveries.service.url, 'PUT', path, headers, new Uint8Array(bytes))
    }

    test('an image is stored as it came and can be replaced; what is no image/jpeg, empty or too large is refused', async () => {
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

    test('the answer tells whether the image will do, and what is wrong with it', async () => {
      const id = await begin()
      const verdicts: [Buffer, object][] = [
        [image, { usable: true, problem: null }],
        [padded(image, 1_000_000), { usable: true, problem: null }],
        [Buffer.from('no image at all'), refusal('THUMBNAIL_MALFORMED', 'The file does not begin like a JPEG.')],
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

    test('what was looked at when it came is not looked at again before it is sent', async () => {
      const { deliveryId } = await subscriber.complete()
      assert.equal(looked, 1)
      const checker = { ...threads, check: () => assert.fail('it was looked at again') }
      const { disposition } = await deliver({ ...deliveries.out, checker }, { deliveryId, last: false })
      assert.equal(disposition, 'done')
    })

    test('an image that nobody could look at is stored all the same, and looked at before it is sent · THU-4', async () => {
      check = () => Promise.reject(new Error('no thread starts'))
      const id = await begin()
      const answer = await upload(id, image)
      assert.deepEqual(
        [answer.status, answer.body],
        [200, { interviewId: id, bytes: image.length, usable: null, problem: null }],
      )
      assert.ok(image.equals(await imageOf(id)))
      const said = `the image of interview ${id} is stored, but could not be looked at yet`
      assert.ok(deliveries.service.logged().includes(said))

      const { deliveryId } = await subscriber.complete({ image: image.subarray(0, -2) })
      assert.equal((await deliveries.attempt(deliveryId)).outcome?.error, 'THUMBNAIL_MALFORMED')
    })

    test('an image whose look was cut short is not said to be bad: it is looked at again before it is sent', async () => {
      const { deliveryId, invitation } = await subscriber.complete({ image: null })
      const detail = 'The image takes too long to decode.'
      check = async () => ({ ok: false, error: 'THUMBNAIL_TOO_COSTLY', detail, passing: true })
      const { body } = await upload(invitation.interview.id, image)
      assert.partialDeepStrictEqual(body, { usable: null, problem: null })
      assert.ok(deliveries.service.logged().includes(detail))
      assert.equal((await deliveries.attempt(deliveryId)).disposition, 'done')
    })

    test('of many images at once four for each thread are looked at, and the rest are answered without waiting', async () => {
      const looks = Promise.withResolvers<void>()
      check = async (bytes) => {
        await looks.promise
        return threads.check(bytes)
      }
      const ids = await Promise.all(Array.from({ length: 8 }, begin))
      const usable: (boolean | null)[] = []
      const answers = ids.map(async (id) => {
        usable.push((await upload(id, image)).body.usable)
        if (usable.length === 4) looks.resolve()
      })
      await Promise.all(answers)
      assert.deepEqual(usable, [...Array(4).fill(null), ...Array(4).fill(true)])
      assert.equal(looked, 4)

      looked = 0
      await upload(ids[0] ?? '', image)
      assert.equal(looked, 1)
    })

    test('what was found about an image says nothing of the one that took its place meanwhile · THU-5', async () => {
      const { deliveryId, invitation } = await subscriber.complete({ image: null })
      const { id } = invitation.interview
      check = async (bytes) => {
        // Nobody looks at the new one, so that only its being another keeps the verdict away from it.
        check = () => Promise.reject(new Error('no thread starts'))
        await upload(id, image)
        return threads.check(bytes)
      }
      const late = await upload(id, image.subarray(0, -2))
      assert.partialDeepStrictEqual(late.body, { usable: false })
      assert.equal((await deliveries.attempt(deliveryId)).disposition, 'done')
    })

    test('a look that takes long goes on, and the upload is answered without it', async () => {
      const { database, time } = deliveries.service
      const { promise: verdict, resolve } = Promise.withResolvers<ThumbnailVerdict>()
      const checker = { ...threads, check: () => verdict }
      const receive = createUpload({ database, checker, report: assert.fail, patienceMilliseconds: 1 })
      const id = await begin()
      assert.deepEqual(await receive(id, image, time.now), { outcome: 'stored', verdict: null })
      resolve({ ok: true })
      assert.ok(await eventually(async () => (await findThumbnail(database, id))?.verdict?.ok === true))
    })

    test('what each upload was answered is counted', async () => {
      const { database, time } = deliveries.service
      const counted: string[] = []
      const observe = (verdict: string) => void counted.push(verdict)
      const receive = createUpload({ database, checker: threads, report: assert.fail, observe })
      const id = await begin()
      await receive(id, image, time.now)
      await receive(id, image.subarray(0, -2), time.now)
      const unseen = { ...threads, check: () => Promise.reject(new Error('no thread starts')) }
      await createUpload({ database, checker: unseen, report() {}, observe })(id, image, time.now)
      await receive(nobody, image, time.now)
      assert.deepEqual(counted, ['usable', 'refused', 'none'])
    })

    test('what was found is told, also when it cannot be kept', async () => {
      const { database, time } = deliveries.service
      const failing = watchStatements(database, ({ text }) => {
        if (text.includes('update thumbnails set verdict')) throw new Error('the disk is full')
      })
      const reports: string[] = []
      const receive = createUpload({ database: failing, checker: threads, report: (text) => void reports.push(text) })
      const id = await begin()
      const uploaded = await receive(id, image.subarray(0, -2), time.now)
      assert.partialDeepStrictEqual(uploaded, { verdict: { ok: false, error: 'THUMBNAIL_MALFORMED' } })
      assert.deepEqual(reports, [`what was found about the image of interview ${id} could not be kept`])
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
