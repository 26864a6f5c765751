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
