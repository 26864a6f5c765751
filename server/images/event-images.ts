import type { Queryable } from '../database/database.ts'
import type { RecentImages } from './recent-images.ts'
import { createSemaphore } from './semaphore.ts'
import type { ThumbnailChecker } from './thumbnail-checker.ts'
import { findThumbnail, type StoredThumbnail, storeVerdict } from './thumbnail-store.ts'
import { missingThumbnail, sizeFault, type ThumbnailFault } from './thumbnail-verdict.ts'

/** `stored` was read together with the delivery; see `thumbnailColumns`. The image is taken out of it for its use. */
export type ImageRequest = { interviewId: string; organizationId: string; stored: StoredThumbnail | null }

/** `waited`: there was time for what was read together with the image to change. */
type UseImage<Result> = (imageBase64: string, waited: boolean) => Promise<Result>

export type EventImages = {
  /**
   * Calls `use` with the Base64 of a valid image, or returns what is wrong with the image. A large image is fetched once
   * there is memory for it, and holds that share until `use` has finished.
   *
   * `use` must build the event at once and keep only the event, so that few images are in memory next to the events built
   * from them. An asynchronous function would keep its parameters.
   *
   * After a use for which `isLast` is true, nobody will ask for the verdict on a valid image, so it is not stored.
   */
  provide<Result>(
    request: ImageRequest,
    use: UseImage<Result>,
    isLast?: (result: Result) => boolean,
  ): Promise<{ ok: true; result: Result } | ThumbnailFault>
}

// In bytes. Average images can fill every slot of the worker, the largest ones a third of them.
const largeEventMemory = { total: 48_000_000, perOrganization: 12_000_000 }

export function createEventImages(dependencies: {
  database: Queryable
  checker: ThumbnailChecker
  recent?: RecentImages | undefined
  memory?: { total: number; perOrganization: number }
}): EventImages {
  const { database, checker, recent, memory = largeEventMemory } = dependencies
  const largeEvents = createSemaphore(memory.total, { share: memory.perOrganization })
  // Two are enough to keep one CPU busy building events.
  const largeBuilds = createSemaphore(2)
  // Separate, so that events don't wait behind checks. One per thread plus one being fetched, plus one that a single
  // organization can't take, so its images don't hold up others'.
  const largeChecks = createSemaphore(checker.threads + 2, { share: checker.threads + 1 })

  async function provide<Result>(
    request: ImageRequest,
    use: UseImage<Result>,
    isLast: (result: Result) => boolean = () => false,
  ): Promise<{ ok: true; result: Result } | ThumbnailFault> {
    const { interviewId, organizationId, stored } = request
    if (stored === null || stored.base64 !== null || findFault(stored)) {
      return awaitResult(await begin(request, stored, use, isLast))
    }
    const owner = organizationId
    const semaphore = stored.verdict ? largeBuilds : largeChecks
    const fetchAndBegin = async () => begin(request, await findThumbnail(database, interviewId), use, isLast)
    return largeEvents(
      async (waited) => {
        const result = stored.verdict && useRecent(stored.version, use, waited)
        return result ? { ok: true, result: await result } : awaitResult(await semaphore(fetchAndBegin, { owner }))
      },
      { size: stored.size, owner },
    )
  }

  /** Not asynchronous, so that it doesn't keep the image in memory. */
  function useRecent<Result>(version: string, use: UseImage<Result>, waited: boolean): Promise<Result> | null {
    const image = recent?.take(version)
    return image ? use(image.toString('base64'), waited) : null
  }

  /** Wraps the promise in an object instead of awaiting it, so that this function doesn't keep the image in memory. */
  async function begin<Result>(
    { interviewId, organizationId, stored }: ImageRequest,
    thumbnail: StoredThumbnail | null,
    use: UseImage<Result>,
    isLast: (result: Result) => boolean,
  ): Promise<{ ok: true; result: Promise<Result> } | ThumbnailFault> {
    if (thumbnail === null) return missingThumbnail
    const { base64, version } = thumbnail
    const fault = findFault(thumbnail)
    if (fault) return fault
    if (base64 === null) throw new Error(`The image of interview ${interviewId} was not loaded`)
    // The delivery stays in memory until the response arrives, but its image need not.
    thumbnail.base64 = null
    if (thumbnail.verdict) return { ok: true, result: use(base64, thumbnail !== stored) }
    const verdict = await checker.check(Buffer.from(base64, 'base64'), organizationId)
    const store = () => storeVerdict(database, interviewId, version, verdict)
    if (verdict.ok) return { ok: true, result: storeAfter(use(base64, true), store, isLast) }
    if (!verdict.transient) await store()
    return verdict
  }

  async function storeAfter<Result>(
    using: Promise<Result>,
    store: () => Promise<void>,
    isLast: (result: Result) => boolean,
  ): Promise<Result> {
    const result = await using
    // What became of the request must not depend on it: without a stored verdict, the image is checked again.
    if (!isLast(result)) await store().catch(() => {})
    return result
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
