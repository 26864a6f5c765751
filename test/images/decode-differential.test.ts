import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createJpegCheck, isSmallPlainJpeg } from '../../server/images/jpeg-check.ts'
import { walkJpeg } from '../../server/images/jpeg-walk.ts'
import { join, photograph, randomNumbers, SUBSAMPLINGS, split, withSegments } from '../../support/jpeg.ts'
import { draw } from '../../support/jpeg-drawing.ts'
import { createFullDecoder } from '../../support/jpeg-full-decoder.ts'

// For a longer run: `DIFFERENTIAL_RUNS=100000 node --test test/images/decode-differential.test.ts`
const runs = Number(process.env.DIFFERENTIAL_RUNS ?? 3_000)
const seed = Number(process.env.DIFFERENTIAL_SEED ?? 1)

const originals = [
  ...SUBSAMPLINGS.flatMap((subsampling) =>
    [false, true].map((progressive) => photograph({ width: 83, height: 61, grain: 60, subsampling, progressive })),
  ),
  ...(
    [
      [[1, 1]],
      [
        [2, 1],
        [1, 1],
        [1, 1],
      ],
      [
        [1, 2],
        [1, 1],
        [1, 1],
      ],
      [
        [3, 1],
        [1, 1],
        [1, 1],
      ],
      [
        [2, 2],
        [2, 1],
        [1, 2],
      ],
      [[2, 2]],
      [
        [1, 1],
        [2, 2],
        [1, 1],
      ],
    ] satisfies [number, number][][]
  ).flatMap((sampling) =>
    (['baseline', 'extended', 'progressive'] as const).map((frame) =>
      draw({ width: 50, height: 41, frame, sampling, restartInterval: 4 }),
    ),
  ),
  ...[
    ['\x01\x01a'],
    ['\x02\x02a', '\x01\x02b'],
    ['\x01\x02a', '\x01\x02b'],
    ['\x01\x02a'],
    ['\x00\x00a'],
    ['\x01\x01'],
  ].map((parts) =>
    withSegments(photograph({ width: 40, height: 40 }), [
      ...parts.map((part) => ({ marker: 0xe2, body: Buffer.from(`ICC_PROFILE\0${part}`, 'latin1') })),
      { marker: 0xee, body: Buffer.from('Adobe\0\x64\0\0\0\0\x01', 'latin1') },
    ]),
  ),
]

// What decoders warn about although the data is sound: the version of JFIF, and a color transform that is not defined.
const version2 = Buffer.from(photograph({ width: 40, height: 40 }))
version2[version2.indexOf('JFIF\0') + 5] = 2
const withoutJfif = join(split(photograph({ width: 40, height: 40 })).filter(({ marker }) => marker !== 0xe0))
for (const transform of ['\x00', '\x01', '\x02', '\x07']) {
  const body = Buffer.from(`Adobe\0\x64\0\0\0\0${transform}`, 'latin1')
  originals.push(withSegments(withoutJfif, [{ marker: 0xee, body }]))
}
originals.push(version2, withoutJfif)
// The longest side that libjpeg reads, and one more.
for (const width of [65_500, 65_501]) originals.push(draw({ width, height: 1, sampling: [[1, 1]], plain: true }))

test('plain images and those decoded to an eighth of their pixels get the verdict of a full decoder · THU-3', async () => {
  const check = createJpegCheck()
  const full = await createFullDecoder()
  const random = randomNumbers(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const seen = { small: 0, plain: 0, accepted: 0, rejected: 0 }
  for (let run = 0; run < runs; run += 1) {
    const bytes = Buffer.from(originals[run % originals.length] ?? [])
    // The first round leaves the images unchanged. The headers are short, so they get more than their share of damage.
    for (let left = run < originals.length ? 0 : 1 + below(2); left > 0; left -= 1) {
      const at = below(random() < 0.5 ? Math.min(700, bytes.length) : bytes.length)
      bytes[at] = random() < 0.2 ? 0xff : below(256)
    }
    const walked = walkJpeg(bytes)
    const isSmall = isSmallPlainJpeg(bytes)
    if (isSmall) seen.small += 1
    assert.ok(!isSmall || ('plain' in walked && walked.plain))
    // The full decoder checks color profiles; ours leaves that to the marker walk.
    if ('error' in walked && !walked.detail.includes('profile')) continue
    const accepted = check(bytes) === null
    if ('plain' in walked && walked.plain) seen.plain += 1
    else if (accepted) seen.accepted += 1
    else seen.rejected += 1
    assert.equal(accepted, await full.decodes(bytes), `run ${run} of seed ${seed}: ${bytes.toString('base64')}`)
  }
  assert.ok(
    Object.values(seen).every((count) => count > runs / 300),
    JSON.stringify(seen),
  )
})
