import type { Queryable } from '../database/database.ts'
import type { ThumbnailChecker, ThumbnailVerdict } from './thumbnail.ts'
import { keepVerdict, storeThumbnail } from './thumbnails.ts'

/** The verdict is null when nobody has come to look: the image is judged before it is sent, as any other. */
export type Uploaded = { outcome: 'stored'; verdict: ThumbnailVerdict | null } | { outcome: 'not_found' }

export type Upload = (interviewId: string, image: Buffer, now: Date) => Promise<Uploaded>

// Of ordinary images well under a second's work for one thread.
const looksAtOnce = 16

/**
 * Stores images as they come, and then looks at each: whoever uploaded it learns whether it will do while the candidate
 * can still be asked for another, and its event need not wait for the look. What goes wrong with a look does not concern
 * the upload, nor do more uploads at once than can be looked at soon.
 */
export function createUpload(dependencies: {
  database: Queryable
  checker: ThumbnailChecker
  report: (problem: string, error: unknown) => void
}): Upload {
  const { database, checker, report } = dependencies
  let looking = 0

  async function look(interviewId: string, version: string, image: Buffer): Promise<ThumbnailVerdict | null> {
    if (looking >= looksAtOnce) return null
    looking += 1
    try {
      const verdict = await checker.check(image)
      await keepVerdict(database, interviewId, version, verdict)
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
    return { outcome: 'stored', verdict: await look(interviewId, version, image) }
  }
}
