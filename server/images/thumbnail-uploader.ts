import { createBatcher, spacing } from '../database/batcher.ts'
import type { Queryable } from '../database/database.ts'
import { isId } from '../database/ids.ts'
import type { RecentImages } from './recent-images.ts'
import type { ThumbnailChecker } from './thumbnail-checker.ts'
import {
  findImageOwners,
  maximumInlineBytes,
  storeThumbnail,
  storeThumbnails,
  storeVerdict,
  type ThumbnailToStore,
} from './thumbnail-store.ts'
import { sizeFault, type ThumbnailVerdict } from './thumbnail-verdict.ts'

/** The verdict is null if the image could not be checked in time; it will be checked before it is sent. */
export type ThumbnailUpload = { outcome: 'stored'; verdict: ThumbnailVerdict | null } | { outcome: 'not_found' }

export type ThumbnailUploader = {
  upload(interviewId: string, image: Buffer, now: Date): Promise<ThumbnailUpload>
}

export const uploadVerdicts = ['usable', 'refused', 'none'] as const
export type UploadVerdict = (typeof uploadVerdicts)[number]

// Deliveries of the same organization whose image is unchecked wait behind these checks, so they are limited to about
// 200 ms of work per thread, whether a few large images or many small ones. Even the smallest image takes as long as
// 10 kB of a large one. All organizations together may hold several such shares in memory.
const costPerThread = 4_000_000
const sharesInTotal = 8
const leastCost = 10_000

// Large images in a shared statement would hold up the small ones.
const maxBytesTogether = 65_536

// Too short to be noticed, and under load more images share a statement.
const apartMilliseconds = 10

const anybody = ''

/**
 * Checks each image and stores it with its verdict. The caller learns about a bad image while the candidate can still
 * provide another, and the delivery does not have to wait for the check. If the check fails or takes long, the upload
 * succeeds without it.
 */
export function createThumbnailUploader(dependencies: {
  database: Queryable
  checker: ThumbnailChecker
  /** For events of this process that will need the image soon. */
  recent?: RecentImages | undefined
  report: (problem: string, error: unknown) => void
  observe?: ((verdict: UploadVerdict) => void) | undefined
  patienceMilliseconds?: number
  /** How many processes share the load on this machine. */
  processes?: number | undefined
}): ThumbnailUploader {
  const { database, checker, recent, report, observe, patienceMilliseconds = 2_000, processes } = dependencies
  const findOwner = createBatcher((interviewIds: string[]) => findImageOwners(database, interviewIds), { maxSize: 128 })
  const storeTogether = createBatcher((thumbnails: ThumbnailToStore[]) => storeThumbnails(database, thumbnails), {
    maxSize: 32,
    apartMilliseconds: spacing(apartMilliseconds, processes),
  })
  const pending = createPendingCost(costPerThread * checker.threads)

  async function upload(interviewId: string, image: Buffer, now: Date): Promise<ThumbnailUpload> {
    if (!isId('int', interviewId)) return { outcome: 'not_found' }
    // Owners only matter if other images are pending. Usually none are, which saves a statement.
    const owner = pending.isEmpty() ? anybody : await findOwner(interviewId)
    if (owner === null) return { outcome: 'not_found' }
    // An oversized image is rejected without using a thread.
    const busy = pending.isFull(owner) && sizeFault(image.length) === null
    const checking = busy ? Promise.resolve(null) : check(interviewId, image, owner)
    const verdict = await within(patienceMilliseconds, checking)
    const version = await store({ interviewId, image, verdict, now })
    if (version === null) return { outcome: 'not_found' }
    if (verdict?.ok && image.length > maximumInlineBytes) recent?.keep(version, image)
    if (verdict === null) void storeLateVerdict(interviewId, version, checking)
    observe?.(verdict === null ? 'none' : verdict.ok ? 'usable' : 'refused')
    return { outcome: 'stored', verdict }
  }

  async function check(interviewId: string, image: Buffer, owner: string): Promise<ThumbnailVerdict | null> {
    const cost = leastCost + image.length
    pending.add(owner, cost)
    try {
      const verdict = await checker.check(image, owner)
      if (!verdict.ok && verdict.transient) throw new Error(verdict.detail)
      return verdict
    } catch (error) {
      report(`could not check the image of interview ${interviewId}; it will be checked before it is sent`, error)
      return null
    } finally {
      pending.add(owner, -cost)
    }
  }

  /** Small images that arrive at the same time share a statement, and with it the wait for the disk. */
  async function store(thumbnail: ThumbnailToStore): Promise<string | null> {
    const version = thumbnail.image.length <= maxBytesTogether ? await storeTogether(thumbnail) : null
    return version ?? (await storeThumbnail(database, thumbnail))
  }

  /** The check continues after the response, which saves the delivery from checking the image again. */
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

/** The total size of running and waiting checks, in bytes. */
function createPendingCost(share: number) {
  const owned = new Map<string, number>()
  let total = 0

  function isEmpty(): boolean {
    return total === 0
  }

  function isFull(owner: string): boolean {
    return (owned.get(owner) ?? 0) >= share || total >= share * sharesInTotal
  }

  function add(owner: string, cost: number): void {
    total += cost
    const now = (owned.get(owner) ?? 0) + cost
    if (now > 0) owned.set(owner, now)
    else owned.delete(owner)
  }

  return { isEmpty, isFull, add }
}

/** Null if the work takes longer. It is not canceled. */
async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result | null> {
  const { promise: timeout, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(resolve, milliseconds, null)
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
