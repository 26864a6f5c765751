import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createJpegDecoder } from '../../server/images/jpeg-decode.ts'
import { createThumbnailChecker } from '../../server/images/thumbnail-checker.ts'
import { change, padded, photograph } from '../../support/jpeg.ts'
import { draw, range, type ScanOptions } from '../../support/jpeg-drawing.ts'

const checker = createThumbnailChecker()
after(() => checker.close())

async function accept(image: Uint8Array): Promise<void> {
  assert.deepEqual(await checker.check(image), { ok: true })
}

async function refuse(image: Uint8Array, error: string, detail: RegExp): Promise<void> {
  const verdict = await checker.check(image)
  assert.ok(!verdict.ok)
  assert.equal(verdict.error, error)
  assert.match(verdict.detail, detail)
}

const halved: [number, number][] = [
  [2, 2],
  [1, 1],
  [1, 1],
]

test('an image of exactly 1,000,000 bytes is accepted, one byte more is not · THU-2', async () => {
  const image = photograph({ width: 300, height: 200 })
  await accept(padded(image, 1_000_000))
  await refuse(padded(image, 1_000_001), 'THUMBNAIL_TOO_LARGE', /1,000,001 bytes/)
  await refuse(Buffer.alloc(4_194_304), 'THUMBNAIL_TOO_LARGE', /4,194,304 bytes/)
})

test('an image of 1,000,000 bytes with almost no metadata is accepted · THU-2', async () => {
  const image = photograph({ width: 1250, height: 800, quality: 95, grain: 160 })
  assert.ok(image.length > 900_000, `${image.length} bytes`)
  await accept(padded(image, 1_000_000))
})

test('an image of exactly 16,000,000 pixels is accepted, one row more is not · THU-2', async () => {
  await accept(draw({ width: 4000, height: 4000, sampling: halved, plain: true }))
  await accept(draw({ width: 16_000, height: 1000, frame: 'progressive', plain: true }))
  await refuse(draw({ width: 4000, height: 4001, sampling: halved, plain: true }), 'THUMBNAIL_TOO_COSTLY', /megapixels/)
  await refuse(draw({ width: 4096, height: 4096, plain: true }), 'THUMBNAIL_TOO_COSTLY', /4096 × 4096 pixels/)
})

test('an image of 65,500 pixels in one direction is accepted, one more is not · THU-3', async () => {
  for (const [width, height] of [
    [65_500, 1],
    [1, 65_500],
    [65_500, 244],
  ] as const) {
    for (const sampling of [halved.slice(1, 2), halved]) {
      await accept(draw({ width, height, sampling, plain: true }))
      const longer = width > height ? { width: width + 1, height } : { width, height: height + 1 }
      await refuse(draw({ ...longer, sampling, plain: true }), 'THUMBNAIL_MALFORMED', /65,500 in one direction/)
    }
  }
})

test('a tiny file that declares a huge image is rejected · THU-2', async () => {
  for (const size of [0x4000, 0x7fff, 0xffff]) {
    const image = change(photograph({ width: 64, height: 64 }), 0xc0, (frame) => {
      frame.writeUInt16BE(size, 1)
      frame.writeUInt16BE(size, 3)
    })
    await refuse(image, 'THUMBNAIL_TOO_COSTLY', /megapixels/)
  }
})

test('an image that needs more than 64 MiB to decode is rejected even below 16 megapixels · THU-2', async () => {
  const large = { width: 4000, height: 4000, plain: true }
  const separate = range(3).map((index) => ({ components: [index] }))
  await refuse(draw({ ...large, sampling: halved, frame: 'progressive' }), 'THUMBNAIL_TOO_COSTLY', /64 MiB/)
  await refuse(draw({ ...large, sampling: halved, scans: separate }), 'THUMBNAIL_TOO_COSTLY', /64 MiB/)
})

test('the decoder can’t use more than 64 MiB even without the checks before it · THU-2', () => {
  const decoder = createJpegDecoder()
  const small = photograph({ width: 64, height: 64 })
  const large = { width: 4000, height: 4000, plain: true, frame: 'progressive' } as const
  assert.ok(decoder.decodes(small))
  assert.ok(!decoder.decodes(draw({ ...large, width: 9000 })))
  assert.ok(decoder.decodes(draw({ ...large, sampling: halved })))
  assert.ok(decoder.decodes(small))
})

test('the decoder’s verdict does not depend on earlier images · THU-2', () => {
  const decoder = createJpegDecoder()
  const largest = draw({ width: 4000, height: 4000, sampling: halved, plain: true, frame: 'progressive' })
  for (let round = 0; round < 3; round += 1) {
    for (const width of [33, 700, 1500, 90, 2400]) {
      assert.ok(decoder.decodes(draw({ width, height: 64, frame: 'progressive', sampling: halved })))
    }
    assert.ok(decoder.decodes(largest))
  }
})

test('an image with 64 scans is accepted, with 65 it is not · THU-2', async () => {
  const scans = sixtyFourScans()
  const refinement = { components: [0], first: 63, last: 63, previousBit: 1, bit: 0 }
  await accept(draw({ width: 100, height: 100, frame: 'progressive', scans }))
  const more = [...scans.slice(0, -1), { components: [0], first: 63, last: 63, bit: 1 }, refinement]
  assert.equal(more.length, 65)
  await refuse(draw({ width: 100, height: 100, frame: 'progressive', scans: more }), 'THUMBNAIL_TOO_COSTLY', /64 scans/)
})

test('images with hundreds or thousands of valid scans are rejected · THU-2', async () => {
  for (const sampling of [halved.slice(0, 1), halved]) {
    const scans = everyLegalScan(sampling.length)
    assert.ok(scans.length > 800)
    const image = draw({ width: 48, height: 48, frame: 'progressive', plain: true, sampling, scans })
    await refuse(image, 'THUMBNAIL_TOO_COSTLY', /64 scans/)
  }
})

test('an image with just under eight million block visits is accepted, a larger one is not · THU-2', async () => {
  const image = { frame: 'progressive', plain: true, scans: sixtyFourScans() } as const
  await accept(draw({ ...image, width: 2800, height: 2800 }))
  await refuse(draw({ ...image, width: 2800, height: 2900 }), 'THUMBNAIL_TOO_COSTLY', /passes/)
})

function sixtyFourScans(): ScanOptions[] {
  return [{ components: [0] }, ...range(63).map((index) => ({ components: [0], first: index + 1, last: index + 1 }))]
}

/** One coefficient at a time, one bit at a time. */
function everyLegalScan(componentCount: number): ScanOptions[] {
  return range(64).flatMap((coefficient) =>
    range(componentCount).flatMap((component) =>
      range(14).map((step) => ({
        components: [component],
        first: coefficient,
        last: coefficient,
        previousBit: step === 0 ? 0 : 14 - step,
        bit: 13 - step,
      })),
    ),
  )
}
