import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { MAXIMUM_DECODER_MEMORY } from './jpeg-cost.ts'
import { withMemoryLimit } from './wasm-memory.ts'

export type JpegDecoder = { decodes(bytes: Uint8Array): boolean }

/**
 * Whether libjpeg-turbo decodes an image without errors or warnings, within the contract's memory budget. Decodes at one
 * eighth of the size: that still reads every bit of the data but skips most of the arithmetic, which cannot fail.
 */
export function createJpegDecoder(): JpegDecoder {
  const wasm = readFileSync(require.resolve('@cwasm/jpeg-turbo/jpeg-turbo.wasm'))
  const module = new WebAssembly.Module(withMemoryLimit(wasm, MAXIMUM_DECODER_MEMORY / 65_536))
  let warm: Codec | null = null

  function decodes(bytes: Uint8Array): boolean {
    const reused = warm !== null
    const codec = warm ?? createCodec(module)
    const decoded = attempt(codec, bytes)
    // After an error the codec's memory may be corrupt, and its allocations are never freed.
    warm = decoded ? codec : null
    // A reused codec may fail because its memory is fragmented. The verdict must not depend on earlier images.
    return decoded || (reused && decodes(bytes))
  }

  return { decodes }
}

/** The part of TurboJPEG used here, with addresses in the codec's memory as numbers. */
type Codec = {
  memory: { buffer: ArrayBuffer }
  malloc(size: number): number
  free(address: number): void
  tjInitDecompress(): number
  tjDecompressHeader3(
    handle: number,
    image: number,
    size: number,
    width: number,
    height: number,
    subsampling: number,
    colorspace: number,
  ): number
  tjDecompress2(
    handle: number,
    image: number,
    size: number,
    pixels: number,
    width: number,
    pitch: number,
    height: number,
    format: number,
    flags: number,
  ): number
  tjDestroy(handle: number): number
}

// Missing from Node's types.
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: Codec }
}

const require = createRequire(import.meta.url)
function createCodec(module: object): Codec {
  return new WebAssembly.Instance(module, {
    // libjpeg-turbo aborts with longjmp. Throwing does the same, since the codec is not used again.
    env: { setjmp: () => 0, longjmp: fail },
    wasi_snapshot_preview1: {
      environ_sizes_get: () => 0,
      environ_get: fail,
      proc_exit: fail,
      fd_close: fail,
      fd_seek: fail,
      fd_write: fail,
    },
  }).exports
}

function fail(): never {
  throw new Error('The image cannot be decoded.')
}

const SCALE = 8
const RGB = 0
const BYTES_PER_PIXEL = 3

function attempt(codec: Codec, bytes: Uint8Array): boolean {
  try {
    const image = allocate(codec, bytes.length)
    new Uint8Array(codec.memory.buffer, image).set(bytes)
    const handle = codec.tjInitDecompress()
    const header = allocate(codec, 16)
    const read = codec.tjDecompressHeader3(handle, image, bytes.length, header, header + 4, header + 8, header + 12)
    if (read !== 0) return false
    const [fullWidth = 0, fullHeight = 0] = new Uint32Array(codec.memory.buffer, header, 2)
    const width = Math.ceil(fullWidth / SCALE)
    const height = Math.ceil(fullHeight / SCALE)
    const pixels = allocate(codec, width * height * BYTES_PER_PIXEL)
    // Also nonzero after a warning.
    if (codec.tjDecompress2(handle, image, bytes.length, pixels, width, 0, height, RGB, 0) !== 0) return false
    codec.tjDestroy(handle)
    for (const address of [image, header, pixels]) codec.free(address)
    return true
  } catch {
    return false
  }
}

function allocate(codec: Codec, size: number): number {
  return codec.malloc(size) || fail()
}
