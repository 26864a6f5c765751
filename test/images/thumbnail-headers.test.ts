import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createThumbnailChecker } from '../../server/images/thumbnail-checker.ts'
import {
  change,
  END_OF_IMAGE,
  HUFFMAN_TABLES,
  isFrame,
  join,
  photograph,
  QUANTIZATION_TABLES,
  SCAN,
  type Segment,
  split,
} from '../../support/jpeg.ts'
import { draw, type ScanOptions } from '../../support/jpeg-drawing.ts'

const checker = createThumbnailChecker()
after(() => checker.close())

function refused(name: string, reason: RegExp, image: () => Uint8Array): void {
  test(`${name} is rejected · THU-3`, async () => {
    const verdict = await checker.check(image())
    assert.ok(!verdict.ok, 'accepted')
    assert.equal(verdict.error, 'THUMBNAIL_MALFORMED')
    assert.match(verdict.detail, reason)
  })
}

const photo = photograph({ width: 96, height: 64 })
const color: [number, number][] = [
  [2, 2],
  [1, 1],
  [1, 1],
]

suite('frames', () => {
  const frame = (edits: Record<number, number>) => () => change(photo, 0xc0, (body) => overwrite(body, edits))
  refused('an image without height', /no width or no height/, frame({ 1: 0, 2: 0 }))
  refused('an image without width', /no width or no height/, frame({ 3: 0, 4: 0 }))
  refused('an image without components', /frame header/, frame({ 5: 0 }))
  refused('an image of two components where three are listed', /frame header/, frame({ 5: 2 }))
  refused('an image of 12 bits per sample', /bits per sample/, frame({ 0: 12 }))
  refused('an image of 16 bits per sample', /bits per sample/, frame({ 0: 16 }))
  refused('an image with two components with the same ID', /same number/, frame({ 9: 1 }))
  refused('an image with a sampling factor of zero', /sampling factor/, frame({ 7: 0x02 }))
  refused('an image with a sampling factor of five', /sampling factor/, frame({ 7: 0x52 }))
  refused('an image that refers to a missing quantization table', /quantization table is missing/, frame({ 14: 2 }))
  refused('an image that refers to an impossible quantization table', /cannot exist/, frame({ 14: 9 }))
  refused('an image whose frame is too short', /frame header/, () =>
    change(photo, 0xc0, (body) => body.subarray(0, -1)),
  )
  refused('an image whose frame is empty', /frame header/, () => change(photo, 0xc0, () => Buffer.alloc(0)))
  refused('an image whose frame is too long', /frame header/, () =>
    change(photo, 0xc0, (body) => Buffer.concat([body, Buffer.of(0)])),
  )
  refused('an image of two components', /color components/, () =>
    draw({ width: 40, height: 40, sampling: color.slice(0, 2) }),
  )
  refused('a CMYK image', /color components/, () => draw({ width: 40, height: 40, sampling: [...color, [1, 1]] }))
  refused('a baseline image that claims to be progressive', /parameters/, () => withFrame(0xc2))
  for (const [name, marker, reason] of [
    ['lossless', 0xc3, /Lossless/],
    ['differential sequential', 0xc5, /Hierarchical/],
    ['differential progressive', 0xc6, /Hierarchical/],
    ['differential lossless', 0xc7, /Hierarchical/],
    ['reserved', 0xc8, /FFC8 is out of place/],
    ['arithmetic sequential', 0xc9, /arithmetic/],
    ['arithmetic progressive', 0xca, /arithmetic/],
    ['arithmetic lossless', 0xcb, /arithmetic/],
    ['arithmetic differential', 0xcd, /arithmetic/],
  ] as const) {
    refused(`an image with a frame that is ${name}`, reason, () => withFrame(marker))
  }
})

/** With one code, two bits long. */
const thirdTable = { marker: HUFFMAN_TABLES, body: Buffer.from([2, 0, 1, ...Array(14).fill(0), 5]) }

suite('tables', () => {
  const quantization = (edits: Record<number, number>) => () =>
    change(photo, QUANTIZATION_TABLES, (body) => overwrite(body, edits))
  const huffman = (edits: Record<number, number>) => () =>
    change(photo, HUFFMAN_TABLES, (body) => overwrite(body, edits))
  refused('an image with a zero in a quantization table', /contains a zero/, quantization({ 10: 0 }))
  refused('an image with a quantization table number 4', /invalid number or precision/, quantization({ 0: 4 }))
  refused(
    'an image with a quantization table of unknown precision',
    /invalid number or precision/,
    quantization({ 0: 0x20 }),
  )
  refused('an image with a quantization table of 16 bits in 8', /cut short/, quantization({ 0: 0x10 }))
  refused('an image with a truncated quantization table', /cut short/, () =>
    change(photo, QUANTIZATION_TABLES, (body) => body.subarray(0, -1)),
  )
  refused('an image with an overlong quantization table', /cut short/, () =>
    change(photo, QUANTIZATION_TABLES, (body) => Buffer.concat([body, Buffer.of(1)])),
  )
  refused('an image with an empty segment of quantization tables', /empty/, () =>
    change(photo, QUANTIZATION_TABLES, () => Buffer.alloc(0)),
  )
  refused('an image with a Huffman table number 4', /invalid number or class/, huffman({ 0: 4 }))
  refused('an image with a Huffman table of an unknown class', /invalid number or class/, huffman({ 0: 0x20 }))
  for (const [name, before] of [
    ['before the frame', isFrame],
    ['after the frame', ({ marker }: Segment) => marker === SCAN],
    ['after the scan', ({ marker }: Segment) => marker === END_OF_IMAGE],
  ] as const) {
    refused(`a baseline image with an unused third Huffman table ${name}`, /number above 1/, () =>
      join(split(photo).flatMap((segment) => (before(segment) ? [thirdTable, segment] : [segment]))),
    )
  }
  refused('an image with too many one-bit Huffman codes', /impossible codes/, huffman({ 1: 3, 3: 0 }))
  refused('an image with a Huffman code of all ones', /impossible codes/, huffman({ 1: 2, 3: 0 }))
  refused('an image with an impossible Huffman symbol', /impossible symbol/, huffman({ 20: 16 }))
  refused('an image with too few Huffman symbols', /cut short/, huffman({ 16: 40 }))
  refused('an image with a Huffman table without codes', /impossible codes/, () =>
    change(photo, HUFFMAN_TABLES, () => Buffer.alloc(17)),
  )
  refused('an image with an empty segment of Huffman tables', /empty/, () =>
    change(photo, HUFFMAN_TABLES, () => Buffer.alloc(0)),
  )
  refused('an image with a truncated Huffman table', /cut short/, () =>
    change(photo, HUFFMAN_TABLES, (body) => body.subarray(0, 12)),
  )
})

suite('segments', () => {
  for (const length of [0, 1, 3, 15, 17, 60_000]) {
    refused(`an image whose first segment says it has ${length} bytes`, /length|stray bytes/, () => {
      const image = Buffer.from(photo)
      image.writeUInt16BE(length, 4)
      return image
    })
  }
})

suite('scans', () => {
  const scan = (edits: Record<number, number>) => () => change(photo, SCAN, (body) => overwrite(body, edits))
  refused('an image with a scan of no component', /scan header/, scan({ 0: 0 }))
  refused('an image with a scan of four components', /scan header/, scan({ 0: 4 }))
  refused('an image with a scan of an unknown component', /frame does not have/, scan({ 1: 77 }))
  refused('an image with a scan of the same component twice', /twice or out of order/, scan({ 3: 1 }))
  refused('an image with a scan of components out of order', /twice or out of order/, scan({ 3: 3, 5: 2 }))
  refused('an image with a scan that refers to a missing table', /cannot exist/, scan({ 2: 0x22 }))
  refused('a baseline image with a scan that starts late', /progressive although/, scan({ 7: 1 }))
  refused('a baseline image with a scan that ends early', /progressive although/, scan({ 8: 5 }))
  refused('a baseline image with a scan of approximations', /progressive although/, scan({ 9: 1 }))
  refused('an image with a scan header too short', /scan header/, () =>
    change(photo, SCAN, (body) => body.subarray(0, -1)),
  )
  refused('an image with a scan of more than ten blocks a unit', /interleaves/, () =>
    draw({
      width: 64,
      height: 64,
      sampling: [
        [4, 2],
        [2, 1],
        [1, 1],
      ],
    }),
  )
})

suite('progressive scripts', () => {
  const base: ScanOptions = { components: [0] }
  const scripts: [string, RegExp, ScanOptions[]][] = [
    ['whose base comes with other coefficients', /parameters/, [{ components: [0], first: 0, last: 5 }]],
    ['whose first scan is not the base', /before its base/, [{ components: [0], first: 1, last: 63 }, base]],
    ['with a band in reverse', /parameters/, [base, { components: [0], first: 9, last: 5 }]],
    ['with a band past the last coefficient', /parameters/, [base, { components: [0], first: 60, last: 64 }]],
    ['with a band far past the last coefficient', /parameters/, [base, { components: [0], first: 200, last: 255 }]],
    ['with an impossible bit', /parameters/, [{ components: [0], bit: 14 }]],
    ['with a base sent twice', /repeats/, [base, base]],
    ['with a band sent twice', /repeats/, [base, ...twice({ components: [0], first: 1, last: 5 })]],
    [
      'with bands that overlap',
      /repeats/,
      [base, { components: [0], first: 1, last: 9 }, { components: [0], first: 9, last: 63 }],
    ],
    [
      'that refines what was never sent',
      /repeats or skips/,
      [base, { components: [0], first: 1, last: 5, previousBit: 1 }],
    ],
    [
      'that refines two bits at once',
      /parameters/,
      [
        { components: [0], bit: 2 },
        { components: [0], previousBit: 2, bit: 0 },
      ],
    ],
    [
      'that skips a step',
      /skips/,
      [
        { components: [0], bit: 3 },
        { components: [0], previousBit: 2, bit: 1 },
      ],
    ],
    [
      'that refines in the wrong direction',
      /parameters/,
      [
        { components: [0], bit: 1 },
        { components: [0], previousBit: 1, bit: 2 },
      ],
    ],
    ['that repeats its last scan a thousand times', /repeats/, Array<ScanOptions>(1000).fill(base)],
  ]
  for (const [name, reason, scans] of scripts) {
    refused(`a progressive image ${name}`, reason, () => draw({ width: 40, height: 40, frame: 'progressive', scans }))
  }
  refused('a progressive image that interleaves a band', /parameters/, () =>
    draw({
      width: 40,
      height: 40,
      frame: 'progressive',
      sampling: color,
      scans: [{ components: [0, 1, 2] }, { components: [0, 1], first: 1, last: 5 }],
    }),
  )
})

function overwrite(body: Buffer, edits: Record<number, number>): Buffer {
  for (const [at, value] of Object.entries(edits)) body[Number(at)] = value
  return body
}

function withFrame(marker: number): Buffer {
  return join(split(photo).map((segment) => (isFrame(segment) ? { ...segment, marker } : segment)))
}

function twice<Scan>(scan: Scan): Scan[] {
  return [scan, scan]
}
