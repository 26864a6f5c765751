import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { attempt } from '../../server/deliveries/attempt.ts'
import { settle } from '../../server/deliveries/transitions.ts'
import { createEventImages } from '../../server/images/event-images.ts'
import type { ThumbnailChecker } from '../../server/images/thumbnail-checker.ts'
import type { ThumbnailVerdict } from '../../server/images/thumbnail-verdict.ts'
import { type Deliveries, image, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { change, padded } from '../../support/jpeg.ts'
import { claimJob } from '../../support/queue-hooks.ts'
import { watchStatements } from '../../support/watch-statements.ts'

const failingChecker = { threads: 1, check: () => Promise.reject(new Error('no thread starts')), close: async () => {} }

for (const { engine, checked } of engines.flatMap((engine) => [
  { engine, checked: 'when it was uploaded' },
  { engine, checked: 'before it is sent' },
])) {
  describe(`the image of an event on ${engine.name}, checked ${checked}`, () => {
    const atUpload = checked === 'when it was uploaded'
    let deliveries: Deliveries
    before(async () => {
      deliveries = await startDeliveries(engine, atUpload ? {} : { checker: failingChecker })
    })
    after(() => deliveries?.close())

    const checkingWith = (checker: Partial<ThumbnailChecker>) => {
      const { database } = deliveries.out
      return { images: createEventImages({ database, checker: { ...deliveries.out.checker, ...checker } }) }
    }

    const bad: [string, Buffer | null, string][] = [
      ['no image', null, 'THUMBNAIL_MISSING'],
      ['a text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'THUMBNAIL_MALFORMED'],
      ['half an image', image.subarray(0, image.length / 2), 'THUMBNAIL_MALFORMED'],
      ['an image of 1,000,001 bytes', padded(image, 1_000_001), 'THUMBNAIL_TOO_LARGE'],
      ['an image that calls itself 25 megapixels', enlarged(image), 'THUMBNAIL_TOO_COSTLY'],
    ]
    for (const [name, bytes, error] of bad) {
      test(`${name} fails every attempt, and nothing is sent · THU-4`, async () => {
        const subscriber = await deliveries.subscriber()
        const { deliveryId } = await subscriber.complete({ image: bytes })
        for (const attempts of [1, 2, 3]) {
          const { outcome, attempt } = await deliveries.attempt(deliveryId)
          assert.deepEqual([outcome, attempt?.error], ['postponed', error])
          const waiting = { status: 'PENDING', lastError: error, attempts }
          assert.partialDeepStrictEqual(await deliveries.read(deliveryId), waiting)
        }
        assert.equal((await deliveries.attempt(deliveryId)).outcome, 'exhausted')
        const { status, failureReason, history } = await deliveries.read(deliveryId)
        assert.deepEqual([status, failureReason], ['FAILED', 'RECEIVES_EXHAUSTED'])
        for (const past of history) {
          assert.partialDeepStrictEqual(past, { error, status: null, address: null })
          assert.match(past.detail ?? '', /\.$/)
        }
        assert.equal(subscriber.requests.length, 0)
      })
    }

    test('an oversized image is not read, and the history says how large it is · THU-2', async () => {
      const subscriber = await deliveries.subscriber()
      const { deliveryId } = await subscriber.complete({ image: padded(image, 1_234_567) })
      const checker = { check: () => assert.fail('the image was read') }
      const { attempt } = await deliveries.attempt(deliveryId, { with: checkingWith(checker) })
      assert.equal(attempt?.detail, 'The thumbnail has 1,234,567 bytes; at most 1,000,000 are allowed.')
    })

    test('an image of 1,000,000 bytes is sent · THU-1', async () => {
      const subscriber = await deliveries.subscriber()
      const large = padded(image, 1_000_000)
      const { deliveryId } = await subscriber.complete({ image: large })
      assert.equal((await deliveries.attempt(deliveryId)).outcome, 'delivered')
      const { thumbnail } = JSON.parse(String(subscriber.requests[0]?.body))
      assert.deepEqual(thumbnail, { contentType: 'image/jpeg', dataBase64: large.toString('base64') })
    })

    for (const [name, first] of bad) {
      test(`${name}, replaced before a later attempt, is sent with that attempt · THU-5`, async () => {
        const subscriber = await deliveries.subscriber()
        const { deliveryId, invitation } = await subscriber.complete({ image: first })
        await deliveries.attempt(deliveryId)
        assert.equal((await deliveries.uploadImage(invitation.interview.id, image)).status, 200)
        assert.equal((await deliveries.attempt(deliveryId)).outcome, 'delivered')
        const { thumbnail } = JSON.parse(String(subscriber.requests[0]?.body))
        assert.equal(thumbnail.dataBase64, image.toString('base64'))
        assert.equal(subscriber.requests.length, 1)
      })
    }

    test('a valid image that was replaced by an invalid one is not sent · THU-4', async () => {
      const subscriber = await deliveries.subscriber()
      subscriber.answer({ status: 503 })
      const { deliveryId, invitation } = await subscriber.complete()
      await deliveries.attempt(deliveryId)
      await deliveries.uploadImage(invitation.interview.id, image.subarray(0, -2))
      assert.equal((await deliveries.attempt(deliveryId)).attempt?.error, 'THUMBNAIL_MALFORMED')
      assert.equal(subscriber.requests.length, 1)
    })

    if (!atUpload) {
      for (const [name, bytes] of [
        ['valid', image],
        ['bad', image.subarray(0, -2)],
      ] as const) {
        test(`the same bytes are checked once, ${name} or not, and a new upload is checked again`, async () => {
          const subscriber = await deliveries.subscriber()
          subscriber.answer({ status: 503 })
          const { deliveryId, invitation } = await subscriber.complete({ image: bytes })
          let checks = 0
          const checker = {
            check(given: Uint8Array) {
              checks += 1
              return deliveries.out.checker.check(given)
            },
          }
          const out = checkingWith(checker)
          const attempt = async () => (await deliveries.attempt(deliveryId, { with: out })).attempt
          const first = await attempt()
          for (const _ of [2, 3]) {
            const again = await attempt()
            assert.deepEqual([again?.error, again?.detail], [first?.error, first?.detail])
          }
          assert.equal(checks, 1)
          await deliveries.uploadImage(invitation.interview.id, bytes)
          await attempt()
          assert.equal(checks, 2)
        })
      }

      test('a check that timed out on a busy machine is repeated by the next attempt', async () => {
        const subscriber = await deliveries.subscriber()
        const { deliveryId } = await subscriber.complete()
        const late: ThumbnailVerdict = {
          ok: false,
          error: 'THUMBNAIL_TOO_COSTLY',
          detail: 'Too long.',
          transient: true,
        }
        const hurried = { check: async () => late }
        const first = await deliveries.attempt(deliveryId, { with: checkingWith(hurried) })
        assert.deepEqual([first.outcome, first.attempt?.error], ['postponed', 'THUMBNAIL_TOO_COSTLY'])
        assert.equal((await deliveries.attempt(deliveryId)).outcome, 'delivered')
      })

      test('a verdict on bytes replaced during the check is not stored · THU-5', async () => {
        const subscriber = await deliveries.subscriber()
        const { deliveryId, invitation } = await subscriber.complete({ image: image.subarray(0, -2) })
        const checker = {
          async check(given: Uint8Array) {
            const verdict = await deliveries.out.checker.check(given)
            await deliveries.uploadImage(invitation.interview.id, image)
            return verdict
          },
        }
        const late = await deliveries.attempt(deliveryId, { with: checkingWith(checker) })
        assert.equal(late.attempt?.error, 'THUMBNAIL_MALFORMED')
        assert.equal((await deliveries.attempt(deliveryId)).outcome, 'delivered')
        assert.equal(subscriber.requests.length, 1)
      })
    }

    if (atUpload) {
      test('a large image that is already checked does not wait for those being checked', async () => {
        const [subscriber, other] = [await deliveries.subscriber(), await deliveries.subscriber()]
        const large = padded(image, 70_000)
        const checked = await other.complete({ image: large })
        const unchecked = await Promise.all([1, 2, 3].map(() => subscriber.complete({ image: large })))
        await deliveries.service.database.query(sql`
          update thumbnails set verdict = null
          where interview_id = any(${unchecked.map(({ invitation }) => invitation.interview.id)})`)
        const checks = Promise.withResolvers<void>()
        const checker = {
          async check(bytes: Uint8Array) {
            await checks.promise
            return deliveries.out.checker.check(bytes)
          },
        }
        const out = checkingWith(checker)
        const attempt = ({ deliveryId }: { deliveryId: string }) => deliveries.attempt(deliveryId, { with: out })
        const waiting = unchecked.map(attempt)
        assert.equal((await attempt(checked)).outcome, 'delivered')
        checks.resolve()
        for (const one of waiting) assert.equal((await one).outcome, 'delivered')
      })
    }

    test('the stored attempt does not contain the image', async () => {
      const subscriber = await deliveries.subscriber()
      const { deliveryId } = await subscriber.complete({ image: padded(image, 100_000) })
      const { database } = deliveries.service
      const { settlement } = await attempt(deliveries.out, await claimJob(database, deliveryId))
      const sizes: number[] = []
      const measured = watchStatements(database, ({ values }) => void sizes.push(JSON.stringify(values).length))
      await settle(measured, [settlement])
      assert.equal(sizes.length, 1)
      assert.ok(
        sizes.every((size) => size < 1_500),
        String(sizes),
      )
      assert.equal((await deliveries.read(deliveryId)).status, 'DELIVERED')
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
