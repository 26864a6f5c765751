import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createJpegDecoder } from '../../server/images/jpeg-decode.ts'
import { walkJpeg } from '../../server/images/jpeg-walk.ts'
import { photograph, randomNumbers, SUBSAMPLINGS, withSegments } from '../../support/jpeg.ts'
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

test('decoding an eighth of the pixels gives the same verdict as decoding all of them · THU-3', async () => {
  const decoder = createJpegDecoder()
  const full = await createFullDecoder()
  const random = randomNumbers(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const seen = { walked: 0, accepted: 0 }
  for (let run = 0; run < runs; run += 1) {
    const bytes = Buffer.from(originals[run % originals.length] ?? [])
    // The first round leaves the images unchanged.
    for (let left = run < originals.length ? 0 : 1 + below(2); left > 0; left -= 1) {
      bytes[below(bytes.length)] = random() < 0.2 ? 0xff : below(256)
    }
    const problem = walkJpeg(bytes)
    // The full decoder checks color profiles; ours leaves that to the marker walk.
    if (problem && !problem.detail.includes('profile')) continue
    seen.walked += 1
    const decodes = problem === null && decoder.decodes(bytes)
    if (decodes) seen.accepted += 1
    assert.equal(decodes, await full.decodes(bytes), `run ${run} of seed ${seed}: ${bytes.toString('base64')}`)
  }
  assert.ok(seen.accepted > runs / 100 && seen.walked > seen.accepted, JSON.stringify(seen))
})
