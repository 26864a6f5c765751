import { createJpegDecoder, type JpegDecoder } from './jpeg-decode.ts'
import { type Fault, malformed } from './jpeg-fault.ts'
import { walkJpeg } from './jpeg-walk.ts'

/** Returns a function that finds an image's first fault, or null if every receiver can decode it. */
export function createJpegCheck(): (bytes: Uint8Array) => Fault | null {
  let decoder: JpegDecoder | null = null

  return (bytes) => {
    const walked = walkJpeg(bytes)
    if ('error' in walked) return walked
    if (walked.plain) return null
    decoder ??= createJpegDecoder()
    return decoder.decodes(bytes) ? null : malformed('The image data cannot be decoded.')
  }
}

// Reading so little takes less than a millisecond, whatever it holds. Handing an image to a thread takes a tenth of one.
const SMALL = { bytes: 4_096, blockVisits: 1_000 }

/** Whether this is a valid image so small that it isn't worth a thread. */
export function isSmallPlainJpeg(bytes: Uint8Array): boolean {
  if (bytes.length > SMALL.bytes) return false
  const walked = walkJpeg(bytes, { maximumBlockVisits: SMALL.blockVisits })
  return 'plain' in walked && walked.plain
}
