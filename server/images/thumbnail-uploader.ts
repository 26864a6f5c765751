import type { Queryable } from '../database/database.ts'
import type { ThumbnailChecker } from './thumbnail-checker.ts'
import { storeThumbnail, storeVerdict } from './thumbnail-store.ts'
import { sizeFault, type ThumbnailVerdict } from './thumbnail-verdict.ts'

/** The verdict is null if the image could not be checked in time: it is then checked before it is sent. */
export type ThumbnailUpload = { outcome: 'stored'; verdict: ThumbnailVerdict | null } | { outcome: 'not_found' }

export type ThumbnailUploader = {
  upload(interviewId: string, image: Buffer, now: Date): Promise<ThumbnailUpload>
}

export const uploadVerdicts = ['usable', 'refused', 'none'] as const
export type UploadVerdict = (typeof uploadVerdicts)[number]

// Deliveries that have to check an image wait behind these, and must not wait long: a fifth of a second of work for each
// thread, whether that is a few large images or many small ones. The smallest takes as long as 10 kB of a large one.
const costPerThread = 4_000_000
const leastCost = 10_000

/**
 * Checks each image and stores it with its verdict. Whoever uploads a bad image learns so while the candidate can still
 * be asked for another, and its delivery need not wait for the check. An upload neither fails because its check does, nor
 * waits long for it.
 */
export function createThumbnailUploader(dependencies: {
  database: Queryable
  checker: ThumbnailChecker
  report: (problem: string, error: unknown) => void
  observe?: ((verdict: UploadVerdict) => void) | undefined
  patienceMilliseconds?: number
}): ThumbnailUploader {
  const { database, checker, report, observe, patienceMilliseconds = 2_000 } = dependencies
  /** Of the checks that run or wait, in bytes. */
  let pendingCost = 0

  async function upload(interviewId: string, image: Buffer, now: Date): Promise<ThumbnailUpload> {
    // An image that is too large needs no thread to say so.
    const busy = pendingCost >= costPerThread * checker.threads && sizeFault(image.length) === null
    const checking = busy ? Promise.resolve(null) : check(interviewId, image)
    const verdict = await within(patienceMilliseconds, checking)
    const version = await storeThumbnail(database, interviewId, { image, verdict }, now)
    if (version === null) return { outcome: 'not_found' }
    if (verdict === null) void storeLateVerdict(interviewId, version, checking)
    observe?.(verdict === null ? 'none' : verdict.ok ? 'usable' : 'refused')
    return { outcome: 'stored', verdict }
  }

  async function check(interviewId: string, image: Buffer): Promise<ThumbnailVerdict | null> {
    const cost = leastCost + image.length
    pendingCost += cost
    try {
      const verdict = await checker.check(image)
      if (!verdict.ok && verdict.transient) throw new Error(verdict.detail)
      return verdict
    } catch (error) {
      report(`could not check the image of interview ${interviewId}; it will be checked before it is sent`, error)
      return null
    } finally {
      pendingCost -= cost
    }
  }

  /** The check goes on after the upload is answered, and saves the delivery from checking the image again. */
  async function storeLateVerdict(
    interviewId: string,
    version: string,
    checking: Promise<ThumbnailVerdict | null>,
  ): Promise<void> {
    try {
      const verdict = await checking
      if (verdict !== null) await storeVerdict(database, interviewId, version, verdict)
    } catch (error) {
      report(`could not store the verdict on the image of interview ${interviewId}`, error)
    }
  }

  return { upload }
}

/** Null if the work takes longer. It goes on all the same. */
async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result | null> {
  const { promise: timeout, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(resolve, milliseconds, null)
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
