import type { Queryable } from '../database/database.ts'
import { createSemaphore } from './semaphore.ts'
import type { ThumbnailChecker } from './thumbnail-checker.ts'
import { findThumbnail, type StoredThumbnail, storeVerdict } from './thumbnail-store.ts'
import { missingThumbnail, sizeFault, type ThumbnailFault, type ThumbnailVerdict } from './thumbnail-verdict.ts'

/** `stored` was read together with the delivery; see `thumbnailColumns`. */
export type ImageRequest = { interviewId: string; organizationId: string; stored: StoredThumbnail | null }

export type EventImages = {
  /**
   * Calls `use` with the Base64 of a valid image, or returns what is wrong with the image. A large image is fetched once
   * there is memory for it, and holds that share until `use` has finished.
   *
   * `use` must build the event before it first awaits anything and then keep only the event, so that few large images are
   * in memory next to the events built from them.
   */
  provide<Result>(
    request: ImageRequest,
    use: (imageBase64: string) => Promise<Result>,
  ): Promise<{ ok: true; result: Result } | ThumbnailFault>
}

// In bytes. Average images can fill every slot of the worker, the largest ones half of them.
const largeEventMemory = { total: 48_000_000, perOrganization: 12_000_000 }

export function createEventImages(dependencies: {
  database: Queryable
  checker: ThumbnailChecker
  memory?: { total: number; perOrganization: number }
}): EventImages {
  const { database, checker, memory = largeEventMemory } = dependencies
  const largeEvents = createSemaphore(memory.total, { share: memory.perOrganization })
  // Two are enough to keep one CPU busy building events.
  const largeBuilds = createSemaphore(2)
  // Separate, so that events don't wait behind checks. One per thread plus one being fetched, plus one that a single
  // organization can't take, so its images don't hold up others'.
  const largeChecks = createSemaphore(checker.threads + 2, { share: checker.threads + 1 })

  async function provide<Result>(
    request: ImageRequest,
    use: (imageBase64: string) => Promise<Result>,
  ): Promise<{ ok: true; result: Result } | ThumbnailFault> {
    const { interviewId, organizationId, stored } = request
    if (stored === null || stored.base64 !== null || findFault(stored)) {
      return awaitResult(await begin(request, stored, use))
    }
    const owner = organizationId
    const semaphore = stored.verdict ? largeBuilds : largeChecks
    const fetchAndBegin = async () => begin(request, await findThumbnail(database, interviewId), use)
    return largeEvents(async () => awaitResult(await semaphore(fetchAndBegin, { owner })), { size: stored.size, owner })
  }

  /** Wraps the promise in an object instead of awaiting it, so that this function doesn't keep the image in memory. */
  async function begin<Result>(
    request: ImageRequest,
    thumbnail: StoredThumbnail | null,
    use: (imageBase64: string) => Promise<Result>,
  ): Promise<{ ok: true; result: Promise<Result> } | ThumbnailFault> {
    if (thumbnail === null) return missingThumbnail
    const { base64, version } = thumbnail
    const fault = findFault(thumbnail)
    if (fault) return fault
    if (base64 === null) throw new Error(`The image of interview ${request.interviewId} was not loaded`)
    const verdict = thumbnail.verdict ?? (await check(request, version, base64))
    return verdict.ok ? { ok: true, result: use(base64) } : verdict
  }

  async function check(
    { interviewId, organizationId }: ImageRequest,
    version: string,
    base64: string,
  ): Promise<ThumbnailVerdict> {
    const verdict = await checker.check(Buffer.from(base64, 'base64'), organizationId)
    if (verdict.ok || !verdict.transient) await storeVerdict(database, interviewId, version, verdict)
    return verdict
  }

  return { provide }
}

/** What is wrong with an image, as far as known without loading it. */
function findFault({ verdict, size }: StoredThumbnail): ThumbnailFault | null {
  return verdict?.ok === false ? verdict : sizeFault(size)
}

async function awaitResult<Result>(
  provided: { ok: true; result: Promise<Result> } | ThumbnailFault,
): Promise<{ ok: true; result: Result } | ThumbnailFault> {
  return provided.ok ? { ok: true, result: await provided.result } : provided
}
