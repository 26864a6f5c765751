import type { Queryable } from '../database/database.ts'
import { createSemaphore } from './semaphore.ts'
import type { ThumbnailChecker } from './thumbnail-checker.ts'
import { findThumbnail, type StoredThumbnail, storeVerdict } from './thumbnail-store.ts'
import { missingThumbnail, sizeFault, type ThumbnailFault, type ThumbnailVerdict } from './thumbnail-verdict.ts'

/** `stored` is what the statement that loaded the delivery read: see `thumbnailColumns`. */
export type WantedImage = { interviewId: string; organizationId: string; stored: StoredThumbnail | null }

export type EventImages = {
  /**
   * Calls `use` with the Base64 of a valid image. A large image is fetched when there is room for it, and holds that room
   * until `use` has ended. A missing or bad image is a fault, and `use` is not called.
   *
   * `use` builds the event before it first waits for anything, and keeps only the event: few large images are in memory
   * beside the events built from them.
   */
  provide<Result>(
    wanted: WantedImage,
    use: (imageBase64: string) => Promise<Result>,
  ): Promise<{ ok: true; result: Result } | ThumbnailFault>
}

// In bytes of images: every place of the worker for ordinary ones, half of them for the largest.
const roomForLargeEvents = { total: 48_000_000, perOrganization: 12_000_000 }

export function createEventImages(dependencies: {
  database: Queryable
  checker: ThumbnailChecker
  room?: { total: number; perOrganization: number }
}): EventImages {
  const { database, checker, room = roomForLargeEvents } = dependencies
  const largeEvents = createSemaphore(room.total, { share: room.perOrganization })
  // Two keep a processor busy building events.
  const largeBuilds = createSemaphore(2)
  // One for each thread, and one being fetched. Apart from the others, which need not wait for a check.
  const largeChecks = createSemaphore(checker.threads + 1)

  async function provide<Result>(
    { interviewId, organizationId, stored }: WantedImage,
    use: (imageBase64: string) => Promise<Result>,
  ): Promise<{ ok: true; result: Result } | ThumbnailFault> {
    if (stored === null || stored.base64 !== null || findFault(stored)) {
      return ended(await begin(interviewId, stored, use))
    }
    const inTurn = stored.verdict ? largeBuilds : largeChecks
    const fetchAndBegin = async () => begin(interviewId, await findThumbnail(database, interviewId), use)
    return largeEvents(async () => ended(await inTurn(fetchAndBegin)), { size: stored.size, owner: organizationId })
  }

  /** The result is a promise within an object, so that nothing here holds the image until it settles. */
  async function begin<Result>(
    interviewId: string,
    thumbnail: StoredThumbnail | null,
    use: (imageBase64: string) => Promise<Result>,
  ): Promise<{ ok: true; result: Promise<Result> } | ThumbnailFault> {
    if (thumbnail === null) return missingThumbnail
    const { base64, version } = thumbnail
    const fault = findFault(thumbnail)
    if (fault) return fault
    if (base64 === null) throw new Error(`The image of interview ${interviewId} was not read`)
    const verdict = thumbnail.verdict ?? (await check(interviewId, version, base64))
    return verdict.ok ? { ok: true, result: use(base64) } : verdict
  }

  async function check(interviewId: string, version: string, base64: string): Promise<ThumbnailVerdict> {
    const verdict = await checker.check(Buffer.from(base64, 'base64'))
    if (verdict.ok || !verdict.transient) await storeVerdict(database, interviewId, version, verdict)
    return verdict
  }

  return { provide }
}

/** What is known to be wrong with an image without reading it. */
function findFault({ verdict, size }: StoredThumbnail): ThumbnailFault | null {
  return verdict?.ok === false ? verdict : sizeFault(size)
}

async function ended<Result>(
  begun: { ok: true; result: Promise<Result> } | ThumbnailFault,
): Promise<{ ok: true; result: Result } | ThumbnailFault> {
  return begun.ok ? { ok: true, result: await begun.result } : begun
}
