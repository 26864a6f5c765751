import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createThumbnailChecker } from '../../server/images/thumbnail-checker.ts'
import { join, SCAN, split } from '../../support/jpeg.ts'
import { draw, type ScanOptions } from '../../support/jpeg-drawing.ts'

// One block each, written bit by bit. Most of the invalid ones decode without a warning in libjpeg-turbo.

const checker = createThumbnailChecker()
after(() => checker.close())

const NO_CODE = '1'.repeat(16)
/** Sixteen zero coefficients. */
const zeros = ac(0xf0)

const CORRUPT = /corrupt before/
const LEFT_OVER = /too much image data/

const base: ScanOptions = { components: [0] }
const band: ScanOptions = { components: [0], first: 1, last: 5 }
const steps = {
  whole: draw({ width: 8, height: 8 }),
  base: progressive([base]),
  baseRefinement: progressive([
    { ...base, bit: 1 },
    { ...base, previousBit: 1 },
  ]),
  band: progressive([base, band]),
  bandRefinement: progressive([base, { ...band, bit: 1 }, { ...band, previousBit: 1 }]),
}

const sound: [string, Buffer, string][] = [
  ['an empty block', steps.whole, '00'],
  ['a block with a coefficient in the last place', steps.whole, `0${zeros}${zeros}${zeros}${ac(0xe1)}1`],
  ['an empty base', steps.base, '0'],
  ['a base refinement', steps.baseRefinement, '1'],
  ['an empty band', steps.band, ac(0x00)],
  ['a band with a coefficient in its last place', steps.band, `${ac(0x41)}1`],
  ['an empty refinement', steps.bandRefinement, ac(0x00)],
  ['a refinement with a coefficient in its last place', steps.bandRefinement, `${ac(0x41)}1`],
]

const unsound: [string, RegExp, Buffer, string][] = [
  ['a block that starts with an undefined code', CORRUPT, steps.whole, `${NO_CODE}00`],
  ['a block that would be valid after an undefined code', CORRUPT, steps.whole, `111101000${'1'.repeat(9)}0`],
  ['a block with an undefined code', CORRUPT, steps.whole, `0${NO_CODE}`],
  ['a block with a coefficient past the last', CORRUPT, steps.whole, `0${zeros}${zeros}${zeros}${ac(0xf1)}1`],
  ['a block with zeros past the last', CORRUPT, steps.whole, `0${zeros}${zeros}${zeros}${zeros}0`],
  ['a block with an invalid symbol', CORRUPT, steps.whole, `0${ac(0x30)}`],
  ['a block without data', CORRUPT, steps.whole, ''],
  ['a truncated block', CORRUPT, steps.whole, `0${ac(0x0a)}`.slice(0, 8)],
  ['a block with one byte left over', LEFT_OVER, steps.whole, '0011111101010101'],
  ['a base with an undefined code', CORRUPT, steps.base, NO_CODE],
  ['a base without data', CORRUPT, steps.base, ''],
  ['a base with one byte left over', LEFT_OVER, steps.base, '0111111101010101'],
  ['a base refinement without data', CORRUPT, steps.baseRefinement, ''],
  ['a base refinement with one byte left over', LEFT_OVER, steps.baseRefinement, '1010101010101010'],
  ['a band with an undefined code', CORRUPT, steps.band, NO_CODE],
  ['a band with a coefficient past its end', CORRUPT, steps.band, `${ac(0x51)}1`],
  ['a band with a run past the last block', CORRUPT, steps.band, `${ac(0x10)}0`],
  ['a band without data', CORRUPT, steps.band, ''],
  ['a refinement with an undefined code', CORRUPT, steps.bandRefinement, NO_CODE],
  ['a refinement with a coefficient past its end', CORRUPT, steps.bandRefinement, `${ac(0x51)}1`],
  ['a refinement with a run past the last block', CORRUPT, steps.bandRefinement, `${ac(0x10)}0`],
  ['a refinement of more than one bit', CORRUPT, steps.bandRefinement, `${ac(0x02)}11${ac(0x00)}`],
  ['a refinement without data', CORRUPT, steps.bandRefinement, ''],
]

for (const [name, image, bits] of sound) {
  test(`${name} is accepted`, async () => {
    assert.deepEqual(await checker.check(withBits(image, bits)), { ok: true })
  })
}

for (const [name, because, image, bits] of unsound) {
  test(`${name} is rejected · THU-3`, async () => {
    const verdict = await checker.check(withBits(image, bits))
    assert.ok(!verdict.ok, 'accepted')
    assert.equal(verdict.error, 'THUMBNAIL_MALFORMED')
    assert.match(verdict.detail, because)
  })
}

function progressive(scans: ScanOptions[]): Buffer {
  return draw({ width: 8, height: 8, frame: 'progressive', plain: true, scans })
}

/** The Huffman code for this symbol. */
function ac(symbol: number): string {
  return symbol === 0 ? '0' : (255 + symbol).toString(2)
}

/** The same image with the data of its last scan replaced, padded with ones. */
function withBits(image: Buffer, bits: string): Buffer {
  const segments = split(image)
  const scan = segments.findLast((segment) => segment.marker === SCAN)
  const bytes = (bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '1'), 2))
  if (scan) scan.data = Buffer.from(bytes.flatMap((byte) => (byte === 255 ? [255, 0] : [byte])))
  return join(segments)
}
