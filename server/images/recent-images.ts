export type RecentImages = {
  keep(version: string, image: Buffer): void
  /** Returns the image of this version and forgets it. Null if it is not kept. */
  take(version: string): Buffer | null
}

// In bytes. With images of 100 kB and a hundred results a second, enough for more than a second.
const defaultCapacity = 16_000_000
const keepMilliseconds = 60_000

/**
 * Large images that were uploaded to this process a moment ago and are valid. Results are usually reported right after
 * their image, and an event that finds its image here doesn't load it from the database.
 */
export function createRecentImages({ capacity = defaultCapacity } = {}): RecentImages {
  /** By age. */
  const kept = new Map<string, { image: Buffer; timer: NodeJS.Timeout }>()
  let size = 0

  function keep(version: string, image: Buffer): void {
    const timer = setTimeout(take, keepMilliseconds, version).unref()
    kept.set(version, { image, timer })
    size += image.length
    for (const oldest of kept.keys()) {
      if (size <= capacity) break
      take(oldest)
    }
  }

  function take(version: string): Buffer | null {
    const found = kept.get(version)
    if (!found) return null
    clearTimeout(found.timer)
    kept.delete(version)
    size -= found.image.length
    return found.image
  }

  return { keep, take }
}
