import { createRequire } from 'node:module'

/** One segment of a JPEG, so that a test can remove, change or insert it. */
export type Segment = { marker: number; body: Uint8Array; data?: Uint8Array }

export const START_OF_IMAGE = 0xd8
export const END_OF_IMAGE = 0xd9
export const SCAN = 0xda
export const QUANTIZATION_TABLES = 0xdb
export const HUFFMAN_TABLES = 0xc4
export const RESTART_INTERVAL = 0xdd
export const COMMENT = 0xfe

export function join(segments: Segment[]): Buffer {
  return Buffer.concat(
    segments.flatMap(({ marker, body, data }) => {
      if (marker === START_OF_IMAGE || marker === END_OF_IMAGE) return [Buffer.of(0xff, marker)]
      const head = Buffer.of(0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255)
      return [head, body, data ?? Buffer.alloc(0)]
    }),
  )
}

export function split(jpeg: Uint8Array): Segment[] {
  const bytes = Buffer.from(jpeg)
  const segments: Segment[] = []
  let at = 0
  while (at < bytes.length) {
    at = skipFill(bytes, at)
    const marker = bytes.readUInt8(at)
    at += 1
    if (marker === START_OF_IMAGE || marker === END_OF_IMAGE) {
      segments.push({ marker, body: Buffer.alloc(0) })
      if (marker === END_OF_IMAGE) break
      continue
    }
    const length = bytes.readUInt16BE(at)
    const body = bytes.subarray(at + 2, at + length)
    at += length
    if (marker !== SCAN) {
      segments.push({ marker, body })
      continue
    }
    const start = at
    while (!endsData(bytes, at)) at += 1
    segments.push({ marker, body, data: bytes.subarray(start, at) })
  }
  return segments
}

export function skipFill(bytes: Uint8Array, start: number): number {
  let at = start
  while (bytes[at] === 0xff) at += 1
  return at
}

function endsData(bytes: Uint8Array, at: number): boolean {
  const code = bytes[skipFill(bytes, at)]
  return bytes[at] === 0xff && code !== 0 && !isRestart(code)
}

export function isRestart(marker: number | undefined): boolean {
  return marker !== undefined && marker >= 0xd0 && marker <= 0xd7
}

export function isFrame(segment: Segment): boolean {
  return segment.marker >= 0xc0 && segment.marker <= 0xc2
}

/** The same image with the first segment of this kind edited. */
export function change(jpeg: Uint8Array, marker: number, edit: (body: Buffer) => Uint8Array | undefined): Buffer {
  const segments = split(jpeg)
  const target = segments.find((segment) => segment.marker === marker)
  if (!target) throw new Error(`The image has no segment ${marker.toString(16)}.`)
  const body = Buffer.from(target.body)
  target.body = edit(body) ?? body
  return join(segments)
}

export function without(jpeg: Uint8Array, unwanted: (segment: Segment) => boolean): Buffer {
  return join(split(jpeg).filter((segment) => !unwanted(segment)))
}

/** The same image with extra segments right after its start. */
export function withSegments(jpeg: Uint8Array, extra: Segment[]): Buffer {
  const [start, ...rest] = split(jpeg)
  return join(start ? [start, ...extra, ...rest] : extra)
}

/** The same image padded with comments to exactly this many bytes. */
export function padded(jpeg: Uint8Array, length: number): Buffer {
  const comments: Segment[] = []
  let missing = length - jpeg.length
  while (missing > 0) {
    const size = missing <= 65_537 ? missing : Math.min(65_537, missing - 4)
    if (size < 4) throw new Error('A comment takes at least four bytes.')
    comments.push({ marker: COMMENT, body: Buffer.alloc(size - 4, 'x') })
    missing -= size
  }
  return withSegments(jpeg, comments)
}

export const SUBSAMPLINGS = ['4:4:4', '4:2:2', '4:2:0', 'gray', '4:4:0', '4:1:1'] as const

export type PhotographOptions = {
  width: number
  height: number
  subsampling?: (typeof SUBSAMPLINGS)[number]
  progressive?: boolean
  quality?: number
  /** How much random grain the picture has, 0 to 255. Grain makes files large. */
  grain?: number
}

/** A picture with soft shapes and grain, written by libjpeg-turbo's own encoder. */
export function photograph(options: PhotographOptions): Buffer {
  const { width, height, subsampling = '4:2:0', progressive = false, quality = 80, grain = 8 } = options
  const componentCount = subsampling === 'gray' ? 1 : 3
  const encoder = new codec.JPEGEncoder()
  const pixels = encoder.getDecodedBuffer({ width, height, bitsPerSample: 8, componentCount, isSigned: false })
  const random = randomNumbers(width * 31 + height)
  const waves = Float64Array.from({ length: 256 }, (_, step) => 55 * Math.sin((step * Math.PI) / 128))
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      for (let component = 0; component < componentCount; component += 1, at += 1) {
        const shape = (waves[(x + component * 40) & 255] ?? 0) + (waves[(y * 3 - x) & 255] ?? 0)
        pixels[at] = Math.max(0, Math.min(255, 128 + shape + (random() - 0.5) * grain))
      }
    }
  }
  encoder.setQuality(quality)
  encoder.setProgressive(progressive ? 1 : 0)
  encoder.setSubSampling(SUBSAMPLINGS.indexOf(subsampling))
  encoder.encode()
  const jpeg = Buffer.from(encoder.getEncodedBuffer())
  encoder.delete()
  return jpeg
}

type FrameInfo = { width: number; height: number; bitsPerSample: number; componentCount: number; isSigned: boolean }

type Codec = {
  JPEGEncoder: new () => {
    getDecodedBuffer(frame: FrameInfo): Uint8Array
    getEncodedBuffer(): Uint8Array
    setQuality(quality: number): void
    setProgressive(progressive: number): void
    setSubSampling(subsampling: number): void
    encode(): void
    delete(): void
  }
}

const require = createRequire(import.meta.url)
const createCodec: () => Promise<Codec> = require('@cornerstonejs/codec-libjpeg-turbo-8bit/wasmjs')
const codec = await createCodec()

/** Pseudorandom numbers from 0 to 1, the same on every run. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
