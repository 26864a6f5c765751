import { createJpegCheck } from './jpeg-check.ts'
import { answerWork } from './pool-thread.ts'

// Runs on each thread of the thumbnail checker.
answerWork(createJpegCheck())
