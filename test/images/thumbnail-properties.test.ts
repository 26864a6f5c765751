import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { createThumbnailChecker } from '../../server/images/thumbnail-checker.ts'
import { photograph } from '../../support/jpeg.ts'
import { type DrawingOptions, draw, range, type ScanOptions } from '../../support/jpeg-drawing.ts'
import { readsToTheLastBit } from '../../support/jpeg-oracle.ts'

const checker = createThumbnailChecker()
after(() => checker.close())

const baseline = [
  photograph({ width: 64, height: 48, grain: 60 }),
  photograph({ width: 90, height: 70, grain: 120, quality: 95, subsampling: '4:4:4' }),
  draw({
    width: 60,
    height: 60,
    restartInterval: 3,
    sampling: [
      [2, 1],
      [1, 1],
      [1, 1],
    ],
  }),
  draw({ width: 33, height: 70 }),
]
const progressive = [
  photograph({ width: 64, height: 48, grain: 60, progressive: true }),
  draw({
    width: 60,
    height: 60,
    frame: 'progressive',
    restartInterval: 3,
    sampling: [
      [2, 2],
      [1, 1],
      [1, 1],
    ],
  }),
]

/** Typical file damage: bits flip; bytes are lost, inserted, overwritten or truncated. */
const damage = fc.record({
  kind: fc.constantFrom('flip', 'lose', 'insert', 'overwrite', 'cut'),
  where: fc.noBias(fc.integer({ min: 0, max: 9999 })),
  bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }),
})
type Damage = typeof damage extends fc.Arbitrary<infer Value> ? Value : never

function damaged(image: Uint8Array, { kind, where, bytes }: Damage): Buffer {
  const at = Math.floor((where / 10_000) * image.length)
  const head = image.subarray(0, at)
  if (kind === 'cut') return Buffer.from(head)
  if (kind === 'insert') return Buffer.concat([head, bytes, image.subarray(at)])
  if (kind === 'lose') return Buffer.concat([head, image.subarray(at + bytes.length)])
  if (kind === 'overwrite') return Buffer.concat([head, bytes, image.subarray(at + bytes.length)])
  return Buffer.concat([head, Buffer.of((image[at] ?? 0) ^ (1 << ((bytes[0] ?? 0) % 8))), image.subarray(at + 1)])
}

/** The check neither timed out nor crashed. */
function assertOrdinary(verdict: { error: string; detail: string }): void {
  assert.match(verdict.error, /^THUMBNAIL_(MALFORMED|TOO_COSTLY)$/)
  assert.doesNotMatch(verdict.detail, /too long|crashed the decoder/)
}

test('a damaged image gets a verdict, and is accepted only if it can be read to the last bit · THU-3', async () => {
  let acceptedCount = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...baseline),
      fc.array(damage, { minLength: 1, maxLength: 3 }),
      async (image, damages) => {
        const bytes = damages.reduce<Buffer>(damaged, Buffer.from(image))
        const verdict = await checker.check(bytes)
        if (!verdict.ok) return assertOrdinary(verdict)
        acceptedCount += 1
        assert.ok(readsToTheLastBit(bytes))
      },
    ),
    { numRuns: 1500 },
  )
  // Some damage only changes the picture, which no decoder can detect.
  assert.ok(acceptedCount > 20, `${acceptedCount} accepted`)
})

test('a damaged progressive image gets a verdict · THU-3', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...progressive), damage, async (image, one) => {
      const verdict = await checker.check(damaged(image, one))
      if (!verdict.ok) assertOrdinary(verdict)
    }),
    { numRuns: 500 },
  )
})

test('an image truncated anywhere is rejected · THU-3', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...baseline, ...progressive), fc.noBias(fc.nat()), async (image, length) => {
      const verdict = await checker.check(image.subarray(0, length % image.length))
      assert.ok(!verdict.ok && verdict.error === 'THUMBNAIL_MALFORMED')
    }),
    { numRuns: 300 },
  )
})

test('random bytes are rejected · THU-3', async () => {
  const bytes = fc.uint8Array({ maxLength: 500 })
  const beginnings = fc.constantFrom('', 'ffd8', 'ffd8ff', 'ffd8ffda', 'ffd8ffc0', 'ffd8ffc4', 'ffd8ffdb')
  await fc.assert(
    fc.asyncProperty(beginnings, bytes, async (beginning, rest) => {
      const verdict = await checker.check(Buffer.concat([Buffer.from(beginning, 'hex'), rest]))
      assert.ok(!verdict.ok)
      assertOrdinary(verdict)
    }),
    { numRuns: 300 },
  )
})

test('every image the standard allows is accepted, whatever its size, sampling, scans and restarts', async () => {
  await fc.assert(
    fc.asyncProperty(drawings(), async (drawing) => {
      assert.deepEqual(await checker.check(draw(drawing)), { ok: true })
    }),
    { numRuns: 300 },
  )
})

function drawings(): fc.Arbitrary<DrawingOptions> {
  const sampling = fc.constantFrom<[number, number][]>(
    [[1, 1]],
    [
      [1, 1],
      [1, 1],
      [1, 1],
    ],
    [
      [2, 1],
      [1, 1],
      [1, 1],
    ],
    [
      [2, 2],
      [1, 1],
      [1, 1],
    ],
    [
      [1, 2],
      [1, 1],
      [1, 1],
    ],
    [
      [4, 1],
      [1, 1],
      [1, 1],
    ],
  )
  return sampling.chain((chosen) =>
    fc
      .record({
        width: fc.integer({ min: 1, max: 120 }),
        height: fc.integer({ min: 1, max: 120 }),
        restartInterval: fc.integer({ min: 0, max: 12 }),
        scans: fc.option(scripts(chosen.length), { nil: undefined }),
      })
      .map(({ scans, ...rest }) => ({
        ...rest,
        sampling: chosen,
        ...(scans ? { scans, frame: 'progressive' as const } : {}),
      })),
  )
}

/** Progressive scripts: the base, then each component's bands, each from some bit down to the last. */
function scripts(componentCount: number): fc.Arbitrary<ScanOptions[]> {
  const components = range(componentCount)
  const bits = fc.integer({ min: 0, max: 3 })
  const bands = fc.record({ split: fc.integer({ min: 1, max: 62 }), lower: bits, upper: bits })
  return fc
    .tuple(bits, fc.array(bands, { minLength: componentCount, maxLength: componentCount }))
    .map(([bit, chosen]) => [
      ...downFrom(bit, { components }),
      ...chosen.flatMap(({ split, lower, upper }, index) => [
        ...downFrom(lower, { components: [index], first: 1, last: split }),
        ...downFrom(upper, { components: [index], first: split + 1, last: 63 }),
      ]),
    ])
}

function downFrom(bit: number, scan: ScanOptions): ScanOptions[] {
  return range(bit + 1).map((step) => ({ ...scan, previousBit: step === 0 ? 0 : bit - step + 1, bit: bit - step }))
}
