import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createThumbnailChecker } from '../../server/images/thumbnail-checker.ts'
import {
  COMMENT,
  change,
  HUFFMAN_TABLES,
  join,
  photograph,
  SCAN,
  type Segment,
  SUBSAMPLINGS,
  split,
  withSegments,
} from '../../support/jpeg.ts'
import { draw, drawSegments, progressiveScans, range } from '../../support/jpeg-drawing.ts'

const checker = createThumbnailChecker()
after(() => checker.close())

function accepted(name: string, image: () => Uint8Array): void {
  test(`${name} is accepted`, async () => {
    assert.deepEqual(await checker.check(image()), { ok: true })
  })
}

const halved: [number, number][] = [
  [2, 2],
  [1, 1],
  [1, 1],
]

suite('output of ordinary encoders', () => {
  for (const subsampling of SUBSAMPLINGS) {
    for (const progressive of [false, true]) {
      const kind = progressive ? 'progressive' : 'baseline'
      accepted(`a ${kind} ${subsampling} photograph`, () =>
        photograph({ width: 133, height: 91, subsampling, progressive }),
      )
    }
  }
  for (const quality of [1, 25, 50, 75, 95, 100]) {
    accepted(`a photograph of quality ${quality}`, () => photograph({ width: 200, height: 150, quality }))
  }
  for (const [width, height] of [
    [32, 32],
    [320, 240],
    [640, 480],
    [1280, 720],
    [1920, 1080],
    [2048, 1536],
  ] as const) {
    accepted(`a photograph of ${width} × ${height}`, () => photograph({ width, height, quality: 60, grain: 2 }))
  }
})

suite('sizes', () => {
  for (const [width, height] of [
    [1, 1],
    [1, 2000],
    [2000, 1],
    [7, 9],
    [8, 8],
    [9, 17],
    [16, 16],
    [65_500, 3],
    [3, 65_500],
  ] as const) {
    for (const frame of ['baseline', 'progressive'] as const) {
      accepted(`a ${frame} gray image of ${width} × ${height}`, () => draw({ width, height, frame }))
      accepted(`a ${frame} color image of ${width} × ${height}`, () => draw({ width, height, frame, sampling: halved }))
    }
  }
})

suite('everything the standard allows', () => {
  for (const restartInterval of [1, 2, 7, 30_000]) {
    accepted(`a baseline image with a restart interval of ${restartInterval}`, () =>
      draw({ width: 200, height: 150, sampling: halved, restartInterval }),
    )
    accepted(`a progressive image with a restart interval of ${restartInterval}`, () =>
      draw({ width: 200, height: 150, sampling: halved, frame: 'progressive', restartInterval }),
    )
  }
  accepted('an extended sequential image', () => draw({ width: 50, height: 40, frame: 'extended', sampling: halved }))
  accepted('a baseline image with one scan for each component', () =>
    draw({ width: 50, height: 40, sampling: halved, scans: range(3).map((index) => ({ components: [index] })) }),
  )
  accepted('a gray image with a sampling factor of two', () => draw({ width: 50, height: 40, sampling: [[2, 2]] }))
  accepted('a progressive image that stops after its base', () =>
    draw({ width: 50, height: 40, frame: 'progressive', scans: [{ components: [0] }] }),
  )
  accepted('an image whose tables are sent again before each scan', () => {
    const segments = drawSegments({ width: 50, height: 40, frame: 'progressive', scans: progressiveScans(1) })
    const tables = segments.filter((segment) => segment.marker === HUFFMAN_TABLES)
    return join(segments.flatMap((segment) => (segment.marker === SCAN ? [...tables, segment] : [segment])))
  })
  accepted('an image with fill bytes before its markers', () =>
    Buffer.concat(split(photograph({ width: 64, height: 64 })).flatMap((segment) => [join([segment]), fill])).subarray(
      0,
      -3,
    ),
  )
  accepted('an image followed by zero bytes', () =>
    Buffer.concat([photograph({ width: 64, height: 64 }), Buffer.alloc(5000)]),
  )
  accepted('an image whose component IDs are the letters R, G and B', () => {
    const image = photograph({ width: 64, height: 64, subsampling: '4:4:4' })
    const lettered = change(image, 0xc0, (frame) => writeAt(frame, { 6: 0x52, 9: 0x47, 12: 0x42 }))
    return change(lettered, SCAN, (scan) => writeAt(scan, { 1: 0x52, 3: 0x47, 5: 0x42 }))
  })
})

suite('metadata from cameras and editors', () => {
  const plain = () => photograph({ width: 64, height: 64 })
  const embedded = Buffer.concat([Buffer.from('Exif\0\0MM\0*\0\0\0\b\0\0\0\0\0\0'), plain()])
  const additions: [string, Segment[]][] = [
    ['EXIF with an embedded preview', [{ marker: 0xe1, body: embedded }]],
    ['a color profile in two parts', [iccPart(1, 2), iccPart(2, 2)]],
    ['XMP', [{ marker: 0xe1, body: Buffer.from('http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>') }]],
    ['Photoshop data', [{ marker: 0xed, body: Buffer.from('Photoshop 3.0\0'.padEnd(3000, 'x')) }]],
    ['an Adobe marker', [{ marker: 0xee, body: Buffer.from('Adobe\0\x64\0\0\0\0\x01', 'latin1') }]],
    ['a comment', [{ marker: COMMENT, body: Buffer.from('Taken on a quiet day') }]],
    ['an empty comment', [{ marker: COMMENT, body: Buffer.alloc(0) }]],
    ['a comment of the maximum size', [{ marker: COMMENT, body: Buffer.alloc(65_533, 0xff) }]],
    ['100,000 empty comments', Array<Segment>(100_000).fill({ marker: COMMENT, body: Buffer.alloc(0) })],
  ]
  for (const [name, segments] of additions) {
    accepted(`an image with ${name}`, () => withSegments(plain(), segments))
  }
})

const fill = Buffer.of(0xff, 0xff, 0xff)

function iccPart(part: number, parts: number): Segment {
  return {
    marker: 0xe2,
    body: Buffer.concat([Buffer.from('ICC_PROFILE\0'), Buffer.of(part, parts), Buffer.alloc(500, 7)]),
  }
}

function writeAt(bytes: Buffer, values: Record<number, number>): Buffer {
  for (const [at, value] of Object.entries(values)) bytes[Number(at)] = value
  return bytes
}
