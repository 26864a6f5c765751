import { createJpegDecoder } from './jpeg-decode.ts'
import { type Fault, malformed, tooCostly } from './jpeg-fault.ts'
import { walkJpeg } from './jpeg-walk.ts'
import { answerWork } from './pool-thread.ts'

// The script that each thread of the thumbnail checker runs: an image in, its first fault or null out.

const decoder = await createJpegDecoder()

answerWork(async (bytes): Promise<Fault | null> => {
  const fault = walkJpeg(bytes)
  if (fault) return fault
  const outcome = await decoder.decode(bytes)
  if (outcome === 'undecodable') return malformed('The image data cannot be decoded.')
  if (outcome === 'out of memory') return tooCostly('The image takes more than 64 MiB of memory to decode.')
  return null
})
