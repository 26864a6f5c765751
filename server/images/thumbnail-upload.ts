import type { Queryable } from '../database/database.ts'
import { sizeFault, type ThumbnailChecker, type ThumbnailVerdict } from './thumbnail.ts'
import { keepVerdict, storeThumbnail } from './thumbnails.ts'

/** The verdict is null when nobody has come to look in time: the image is judged before it is sent, as any other. */
export type Uploaded = { outcome: 'stored'; verdict: ThumbnailVerdict | null } | { outcome: 'not_found' }

export const uploadVerdicts = ['usable', 'refused', 'none'] as const
export type UploadVerdict = (typeof uploadVerdicts)[number]

export type Upload = (interviewId: string, image: Buffer, now: Date) => Promise<Uploaded>

// Attempts wait behind these when they have to look at an image themselves, and must not wait for long.
const looksPerThread = 4

/**
 * Stores images as they come, and then looks at each: whoever uploaded it learns whether it will do while the candidate
 * can still be asked for another, and its event need not wait for the look. An upload that is stored does not fail for
 * what goes wrong with the look, nor wait long for it.
 */
export function createUpload(dependencies: {
  database: Queryable
  checker: ThumbnailChecker
  report: (problem: string, error: unknown) => void
  observe?: ((verdict: UploadVerdict) => void) | undefined
  patienceMilliseconds?: number
}): Upload {
  const { database, checker, report, observe, patienceMilliseconds = 2_000 } = dependencies
  let looking = 0

  async function look(interviewId: string, version: string, image: Buffer): Promise<ThumbnailVerdict | null> {
    looking += 1
    try {
      const verdict = await checker.check(image)
      if (!verdict.ok && verdict.passing) throw new Error(verdict.detail)
      await keepVerdict(database, interviewId, version, verdict).catch((error) =>
        report(`what was found about the image of interview ${interviewId} could not be kept`, error),
      )
      return verdict
    } catch (error) {
      report(`the image of interview ${interviewId} is stored, but could not be looked at yet`, error)
      return null
    } finally {
      looking -= 1
    }
  }

  return async (interviewId, image, now) => {
    const version = await storeThumbnail(database, interviewId, image, now)
    if (version === null) return { outcome: 'not_found' }
    // One that is too large takes no thread to tell.
    const busy = looking >= looksPerThread * checker.threads && sizeFault(image.length) === null
    const verdict = busy ? null : await within(patienceMilliseconds, look(interviewId, version, image))
    observe?.(verdict === null ? 'none' : verdict.ok ? 'usable' : 'refused')
    return { outcome: 'stored', verdict }
  }
}

/** Null when it takes longer; it goes on all the same. */
async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(resolve, milliseconds, null)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
