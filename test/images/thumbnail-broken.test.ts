import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createThumbnailChecker } from '../../server/images/thumbnail-checker.ts'
import {
  change,
  END_OF_IMAGE,
  HUFFMAN_TABLES,
  isFrame,
  isRestart,
  join,
  photograph,
  QUANTIZATION_TABLES,
  RESTART_INTERVAL,
  SCAN,
  START_OF_IMAGE,
  split,
  without,
  withSegments,
} from '../../support/jpeg.ts'
import { draw, range } from '../../support/jpeg-drawing.ts'

const checker = createThumbnailChecker()
after(() => checker.close())

function refused(name: string, reason: RegExp, image: () => Uint8Array): void {
  test(`${name} is rejected · THU-3`, () => assertMalformed(image(), reason))
}

async function assertMalformed(image: Uint8Array, reason: RegExp): Promise<void> {
  const verdict = await checker.check(image)
  assert.ok(!verdict.ok, 'accepted')
  assert.equal(verdict.error, 'THUMBNAIL_MALFORMED')
  assert.match(verdict.detail, reason)
}

const photo = photograph({ width: 160, height: 120, grain: 40 })
const progressive = photograph({ width: 160, height: 120, grain: 40, progressive: true })
const restarting = draw({ width: 100, height: 100, restartInterval: 5 })
const color: [number, number][] = [
  [2, 2],
  [1, 1],
  [1, 1],
]

suite('files that are not JPEGs', () => {
  const others: [string, Uint8Array | string][] = [
    ['nothing', ''],
    ['one byte', '\xff'],
    ['a start marker alone', '\xff\xd8'],
    ['a start and an end', '\xff\xd8\xff\xd9'],
    ['a PNG', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
    ['a GIF', 'GIF89a\x01\0\x01\0\x80\0\0'],
    ['a WebP', 'RIFF\x24\0\0\0WEBPVP8 '],
    ['an AVIF', '\0\0\0\x20ftypavif\0\0\0\0avifmif1'],
    ['a HEIC', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
    ['a BMP', 'BM\x46\0\0\0\0\0\0\0\x36\0\0\0'],
    ['a TIFF', 'II*\0\b\0\0\0'],
    ['a JPEG XL', '\xff\x0a\xfa\x1f\x01'],
    ['a JPEG 2000', '\xff\x4f\xff\x51\0\x2f'],
    ['a PDF', '%PDF-1.7\n'],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['an HTML page', '<!doctype html><title>404</title>'],
    ['a JSON text', '{"error":"Not found"}'],
    ['zero bytes', Buffer.alloc(10_000)],
    ['a run of fill bytes', Buffer.alloc(10_000, 0xff)],
    ['a start marker and fill bytes', Buffer.concat([Buffer.of(0xff, 0xd8), Buffer.alloc(10_000, 0xff)])],
    ['the Base64 of a JPEG', photo.toString('base64')],
    ['a JPEG behind a byte order mark', Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), photo])],
    ['a JPEG behind a line break', Buffer.concat([Buffer.of(0x0a), photo])],
    ['a JPEG that went through a text decoder', Buffer.from(photo.toString('utf8'))],
  ]
  for (const [name, content] of others) {
    refused(name, /not a JPEG|ends before|no image/, () =>
      typeof content === 'string' ? Buffer.from(content, 'latin1') : content,
    )
  }
})

suite('truncated images', () => {
  for (const [kind, image] of Object.entries({ baseline: photo, progressive, restarting })) {
    for (const percent of [1, 5, 10, 25, 50, 75, 90, 99]) {
      refused(`the first ${percent}% of a ${kind} image`, /ends before|length/, () =>
        image.subarray(0, Math.floor((image.length * percent) / 100)),
      )
    }
    refused(`a ${kind} image without its end marker`, /ends before/, () => image.subarray(0, -2))
    refused(`a ${kind} image without the last half of its end marker`, /ends before/, () => image.subarray(0, -1))
    refused(`a ${kind} image with an end marker in the middle of its data`, /corrupt/, () =>
      Buffer.concat([image.subarray(0, image.length - 60), Buffer.of(0xff, END_OF_IMAGE)]),
    )
  }

  test('a small image truncated at any byte is rejected · THU-3', async () => {
    const small = draw({ width: 20, height: 20, sampling: color })
    for (const length of range(small.length))
      await assertMalformed(small.subarray(0, length), /not a JPEG|ends before|length/)
  })
})

suite('images with missing parts', () => {
  for (const [name, marker, reason] of [
    ['quantization tables', QUANTIZATION_TABLES, /quantization table is missing/],
    ['Huffman tables', HUFFMAN_TABLES, /Huffman table is missing/],
    ['scans', SCAN, /no data/],
  ] as const) {
    refused(`a baseline image without ${name}`, reason, () => without(photo, (segment) => segment.marker === marker))
    refused(`a progressive image without ${name}`, reason, () =>
      without(progressive, (segment) => segment.marker === marker),
    )
  }
  refused('an image without a frame', /before the frame/, () => without(photo, isFrame))
  refused('an image whose frame comes after its scan', /before the frame/, () => {
    const segments = split(photo)
    return join([...segments.filter((segment) => !isFrame(segment)).slice(0, -1), ...segments.filter(isFrame), end])
  })
  for (const missing of range(4)) {
    refused(`an image without the Huffman table number ${missing}`, /Huffman table is missing/, () => {
      const tables = split(photo).filter((segment) => segment.marker === HUFFMAN_TABLES)
      return without(
        photo,
        (segment) => segment.marker === HUFFMAN_TABLES && segment.body[0] === tables[missing]?.body[0],
      )
    })
  }
  refused('an image whose second component is never scanned', /no data/, () =>
    draw({ width: 40, height: 40, sampling: color, scans: [{ components: [0] }, { components: [2] }] }),
  )
  refused('a progressive image whose last component has no base', /no data/, () =>
    draw({ width: 40, height: 40, sampling: color, frame: 'progressive', scans: [{ components: [0, 1] }] }),
  )
})

suite('images with extra parts', () => {
  refused('an image followed by text', /after the end/, () =>
    Buffer.concat([photo, Buffer.from('<script>alert(1)</script>')]),
  )
  refused('an image followed by one byte', /after the end/, () => Buffer.concat([photo, Buffer.of(1)]))
  refused('an image followed by a second image', /after the end/, () => Buffer.concat([photo, photo]))
  refused('an image followed by a second end marker', /after the end/, () =>
    Buffer.concat([photo, Buffer.of(0xff, END_OF_IMAGE)]),
  )
  refused('an image followed by zero bytes and a zip archive', /after the end/, () =>
    Buffer.concat([photo, Buffer.alloc(100), Buffer.from('PK\x03\x04')]),
  )
  refused('an image with stray bytes between its segments', /stray bytes/, () => {
    const [first, ...rest] = split(photo)
    return Buffer.concat([join(first ? [first] : []), Buffer.from('stray'), join(rest)])
  })
  refused('an image with stray bytes after its data', /too much image data/, () =>
    withData((data) => Buffer.concat([data, Buffer.alloc(40, 7)])),
  )
  refused('an image with two frames', /more than one frame/, () => withSegments(photo, split(photo).filter(isFrame)))
  refused('an image inside an image', /second image/, () =>
    withSegments(photo, [{ marker: START_OF_IMAGE, body: Buffer.alloc(0) }]),
  )
  refused('an image whose components are sent twice', /sent twice/, () =>
    draw({ width: 40, height: 40, scans: [{ components: [0] }, { components: [0] }] }),
  )
  for (const marker of [0x01, 0x02, 0x4f, 0xbf, 0xd0, 0xd7, 0xdc, 0xf0, 0xf7, 0xfd]) {
    refused(
      `an image with a marker FF${marker.toString(16).toUpperCase().padStart(2, '0')}`,
      /out of place|height/,
      () => withSegments(photo, [{ marker, body: Buffer.alloc(2) }]),
    )
  }
})

suite('corrupted image data', () => {
  refused('an image without data', /corrupt/, () => withData(() => Buffer.alloc(0)))
  refused('an image with half of its data', /corrupt/, () => withData((data) => data.subarray(0, data.length / 2)))
  refused('an image with its data overwritten by zeros', /corrupt/, () => withData((data) => data.fill(0, 1000)))
  refused('an image with its data overwritten by text', /corrupt/, () => withData((data) => data.fill('corrupt ', 100)))
  refused('an image with an undefined Huffman code', /corrupt/, () => withData((data) => data.fill(0xfe, 100, 140)))
  refused('an image with an unstuffed FF in its data', /corrupt/, () =>
    withData((data) => data.fill(0xff, 100, 101).fill(0x12, 101, 102)),
  )
  refused('an image with fill bytes inside its data', /corrupt/, () =>
    withData((data) => Buffer.concat([data.subarray(0, 90), Buffer.of(0xff, 0xff, 0), data.subarray(90)])),
  )
  refused('an image with its data in reverse', /corrupt/, () =>
    withData((data) => Buffer.from(data.filter((byte) => byte !== 255)).reverse()),
  )
  refused('an image that declares more rows than it has', /corrupt/, () =>
    change(photo, 0xc0, (frame) => void frame.writeUInt16BE(400, 1)),
  )
  refused('an image that declares fewer rows than it has', /too much image data/, () =>
    change(photo, 0xc0, (frame) => void frame.writeUInt16BE(40, 1)),
  )
  refused('an image that declares fewer columns than it has', /too much image data/, () =>
    change(photo, 0xc0, (frame) => void frame.writeUInt16BE(100, 3)),
  )
})

suite('restart markers', () => {
  refused('an image with restart markers but no interval', /corrupt/, () =>
    without(restarting, (segment) => segment.marker === RESTART_INTERVAL),
  )
  refused('an image with an interval but no restart markers', /too much image data/, () =>
    withSegments(photo, [{ marker: RESTART_INTERVAL, body: Buffer.of(0, 5) }]),
  )
  refused('an image whose interval does not match its restart markers', /corrupt/, () =>
    change(restarting, RESTART_INTERVAL, () => Buffer.of(0, 6)),
  )
  refused('an image with an interval of the wrong length', /restart interval/, () =>
    change(restarting, RESTART_INTERVAL, () => Buffer.of(0, 5, 0)),
  )
  refused('an image with a restart marker out of order', /restart marker/, () =>
    withRestarts((at, data) => data.writeUInt8(0xd5, at)),
  )
  refused('an image with a restart marker repeated', /restart marker/, () =>
    withRestarts((at, data) => data.writeUInt8(0xd0, at)),
  )
  refused('an image with an extra restart marker at its end', /out of place/, () => {
    const segments = split(photo)
    const scan = segments.find((segment) => segment.marker === SCAN)
    if (scan?.data) scan.data = Buffer.concat([scan.data, Buffer.of(0xff, 0xd0)])
    return join(segments)
  })
})

const end = { marker: END_OF_IMAGE, body: Buffer.alloc(0) }

function withData(edit: (data: Buffer) => Buffer): Buffer {
  const segments = split(photo)
  for (const segment of segments) {
    if (segment.data) segment.data = edit(Buffer.from(segment.data))
  }
  return join(segments)
}

/** Applies `edit` to the second restart marker. */
function withRestarts(edit: (at: number, data: Buffer) => void): Buffer {
  const image = Buffer.from(restarting)
  const positions = range(image.length).filter((at) => image[at - 1] === 0xff && isRestart(image[at]))
  edit(positions[1] ?? 0, image)
  return image
}
