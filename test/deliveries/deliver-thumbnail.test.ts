import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { deliver } from '../../server/deliveries/attempt.ts'
import { createDeliveryRecords } from '../../server/deliveries/deliveries.ts'
import type { ThumbnailVerdict } from '../../server/images/thumbnail.ts'
import { type Deliveries, image, startDeliveries } from '../support/deliveries.ts'
import { engines } from '../support/engines.ts'
import { change, padded } from '../support/jpeg.ts'
import { watchStatements } from '../support/watched-statements.ts'

const nobodyLooks = { threads: 1, check: () => Promise.reject(new Error('no thread starts')), close: async () => {} }

for (const { engine, looked } of engines.flatMap((engine) => [
  { engine, looked: 'when it was uploaded' },
  { engine, looked: 'before it is sent' },
])) {
  describe(`the image of an event on ${engine.name}, looked at ${looked}`, () => {
    const atUpload = looked === 'when it was uploaded'
    let deliveries: Deliveries
    before(async () => {
      deliveries = await startDeliveries(engine, atUpload ? {} : { checker: nobodyLooks })
    })
    after(() => deliveries?.close())

    const bad: [string, Buffer | null, string][] = [
      ['no image', null, 'THUMBNAIL_MISSING'],
      ['a text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'THUMBNAIL_MALFORMED'],
      ['half an image', image.subarray(0, image.length / 2), 'THUMBNAIL_MALFORMED'],
      ['an image of 1,000,001 bytes', padded(image, 1_000_001), 'THUMBNAIL_TOO_LARGE'],
      ['an image that calls itself 25 megapixels', enlarged(image), 'THUMBNAIL_TOO_COSTLY'],
    ]
    for (const [name, bytes, error] of bad) {
      test(`${name} fails the delivery again and again, and nothing is sent · THU-4`, async () => {
        const subscriber = await deliveries.subscriber()
        const { deliveryId } = await subscriber.complete({ image: bytes })
        for (const attempts of [1, 2, 3]) {
          const { disposition, outcome } = await deliveries.attempt(deliveryId)
          assert.deepEqual([disposition, outcome?.error], ['again', error])
          const waiting = { status: 'PENDING', lastError: error, attempts }
          assert.partialDeepStrictEqual(await deliveries.read(deliveryId), waiting)
        }
        assert.equal((await deliveries.attempt(deliveryId, { last: true })).disposition, 'again')
        const { status, failureReason, history } = await deliveries.read(deliveryId)
        assert.deepEqual([status, failureReason], ['FAILED', 'RECEIVES_EXHAUSTED'])
        for (const past of history) {
          assert.partialDeepStrictEqual(past, { error, status: null, address: null })
          assert.match(past.detail ?? '', /\.$/)
        }
        assert.equal(subscriber.requests.length, 0)
      })
    }

    test('an image that is too large is not even read, and said to be so in numbers one can read · THU-2', async () => {
      const subscriber = await deliveries.subscriber()
      const { deliveryId } = await subscriber.complete({ image: padded(image, 1_234_567) })
      const checker = { ...deliveries.out.checker, check: () => assert.fail('it was read') }
      const { outcome } = await deliver({ ...deliveries.out, checker }, { deliveryId, last: false })
      assert.equal(outcome?.detail, 'The thumbnail has 1,234,567 bytes; at most 1,000,000 are allowed.')
    })

    test('an image of 1,000,000 bytes is sent whole · THU-1', async () => {
      const subscriber = await deliveries.subscriber()
      const large = padded(image, 1_000_000)
      const { deliveryId } = await subscriber.complete({ image: large })
      assert.equal((await deliveries.attempt(deliveryId)).disposition, 'done')
      const { thumbnail } = JSON.parse(String(subscriber.requests[0]?.body))
      assert.deepEqual(thumbnail, { contentType: 'image/jpeg', dataBase64: large.toString('base64') })
    })

    for (const [name, first] of bad) {
      test(`${name}, put right before a later attempt, goes out with that attempt · THU-5`, async () => {
        const subscriber = await deliveries.subscriber()
        const { deliveryId, invitation } = await subscriber.complete({ image: first })
        await deliveries.attempt(deliveryId)
        assert.equal((await deliveries.uploadImage(invitation.interview.id, image)).status, 200)
        assert.equal((await deliveries.attempt(deliveryId)).disposition, 'done')
        const { thumbnail } = JSON.parse(String(subscriber.requests[0]?.body))
        assert.equal(thumbnail.dataBase64, image.toString('base64'))
        assert.equal(subscriber.requests.length, 1)
      })
    }

    test('a good image that was replaced by a bad one is not sent any more · THU-4', async () => {
      const subscriber = await deliveries.subscriber()
      subscriber.answer({ status: 503 })
      const { deliveryId, invitation } = await subscriber.complete()
      await deliveries.attempt(deliveryId)
      await deliveries.uploadImage(invitation.interview.id, image.subarray(0, -2))
      assert.equal((await deliveries.attempt(deliveryId)).outcome?.error, 'THUMBNAIL_MALFORMED')
      assert.equal(subscriber.requests.length, 1)
    })

    if (!atUpload) {
      for (const [name, bytes] of [
        ['good', image],
        ['bad', image.subarray(0, -2)],
      ] as const) {
        test(`the same bytes are judged once, ${name} or not; another upload is judged anew`, async () => {
          const subscriber = await deliveries.subscriber()
          subscriber.answer({ status: 503 })
          const { deliveryId, invitation } = await subscriber.complete({ image: bytes })
          let checks = 0
          const checker = {
            ...deliveries.out.checker,
            check(given: Uint8Array | null) {
              checks += 1
              return deliveries.out.checker.check(given)
            },
          }
          const attempt = () => deliver({ ...deliveries.out, checker }, { deliveryId, last: false })
          const { outcome } = await attempt()
          for (const _ of [2, 3]) {
            const again = await attempt()
            assert.deepEqual([again.outcome?.error, again.outcome?.detail], [outcome?.error, outcome?.detail])
          }
          assert.equal(checks, 1)
          await deliveries.uploadImage(invitation.interview.id, bytes)
          await attempt()
          assert.equal(checks, 2)
        })
      }

      test('an image whose look was cut short, as on a machine that is busy, is looked at again by the next attempt', async () => {
        const subscriber = await deliveries.subscriber()
        const { deliveryId } = await subscriber.complete()
        const late: ThumbnailVerdict = { ok: false, error: 'THUMBNAIL_TOO_COSTLY', detail: 'Too long.', passing: true }
        const hurried = { ...deliveries.out.checker, check: async () => late }
        const first = await deliver({ ...deliveries.out, checker: hurried }, { deliveryId, last: false })
        assert.deepEqual([first.disposition, first.outcome?.error], ['again', 'THUMBNAIL_TOO_COSTLY'])
        assert.equal((await deliveries.attempt(deliveryId)).disposition, 'done')
      })

      test('a verdict about bytes that were replaced while they were judged is not kept · THU-5', async () => {
        const subscriber = await deliveries.subscriber()
        const { deliveryId, invitation } = await subscriber.complete({ image: image.subarray(0, -2) })
        const checker = {
          ...deliveries.out.checker,
          async check(given: Uint8Array | null) {
            const verdict = await deliveries.out.checker.check(given)
            await deliveries.uploadImage(invitation.interview.id, image)
            return verdict
          },
        }
        const late = await deliver({ ...deliveries.out, checker }, { deliveryId, last: false })
        assert.equal(late.outcome?.error, 'THUMBNAIL_MALFORMED')
        assert.equal((await deliveries.attempt(deliveryId)).disposition, 'done')
        assert.equal(subscriber.requests.length, 1)
      })
    }

    if (atUpload) {
      test('a large image that is judged does not wait for those that are being looked at', async () => {
        const [subscriber, other] = [await deliveries.subscriber(), await deliveries.subscriber()]
        const large = padded(image, 70_000)
        const judged = await other.complete({ image: large })
        const unjudged = await Promise.all([1, 2, 3].map(() => subscriber.complete({ image: large })))
        await deliveries.service.database.query(sql`
          update thumbnails set verdict = null
          where interview_id = any(${unjudged.map(({ invitation }) => invitation.interview.id)})`)
        const looks = Promise.withResolvers<void>()
        const checker = {
          ...deliveries.out.checker,
          async check(bytes: Uint8Array | null) {
            await looks.promise
            return deliveries.out.checker.check(bytes)
          },
        }
        const attempt = ({ deliveryId }: { deliveryId: string }) =>
          deliver({ ...deliveries.out, checker }, { deliveryId, last: false })
        const waiting = unjudged.map(attempt)
        assert.equal((await attempt(judged)).disposition, 'done')
        looks.resolve()
        for (const one of waiting) assert.equal((await one).disposition, 'done')
      })
    }

    test('what is written down afterwards is the outcome, without the image', async () => {
      const subscriber = await deliveries.subscriber()
      const { deliveryId } = await subscriber.complete({ image: padded(image, 100_000) })
      const { database, clock } = deliveries.out
      const sizes: number[] = []
      const weighing = watchStatements(database, ({ values }) => void sizes.push(JSON.stringify(values).length))
      const records = createDeliveryRecords(weighing, clock)
      await deliver({ ...deliveries.out, records }, { deliveryId, last: false })
      assert.equal(sizes.length, 2)
      assert.ok(
        sizes.every((size) => size < 1_000),
        String(sizes),
      )
    })
  })
}

function enlarged(jpeg: Buffer): Buffer {
  const startOfFrame = 0xc0
  return change(jpeg, startOfFrame, (body) => {
    body.writeUInt16BE(5_000, 1)
    body.writeUInt16BE(5_000, 3)
    return body
  })
}
