import { createJpegDecoder } from './jpeg-decode.ts'
import { type Fault, malformed } from './jpeg-fault.ts'
import { walkJpeg } from './jpeg-walk.ts'
import { answerWork } from './pool-thread.ts'

// Runs on each thread of the thumbnail checker: takes an image and returns its first fault, or null.

const decoder = createJpegDecoder()

answerWork((bytes): Fault | null => {
  const fault = walkJpeg(bytes)
  if (fault) return fault
  return decoder.decodes(bytes) ? null : malformed('The image data cannot be decoded.')
})
