/** Runs the work when there is room for it. Work of size 1 and without an owner unless it says otherwise. */
export type Semaphore = <Result>(
  work: () => Promise<Result>,
  options?: { size?: number; owner?: string },
) => Promise<Result>

type Waiting = { size: number; owner: string | undefined; start: () => void }

/**
 * Lets work of at most `total` size run at once; the rest waits, first come, first served. Work of one owner takes at
 * most `share`: what would exceed it is passed over until some of that owner's work is done.
 */
export function createSemaphore(total: number, { share = total } = {}): Semaphore {
  let free = total
  const used = new Map<string, number>()
  const queue: Waiting[] = []

  function startNext(): void {
    for (const next of [...queue]) {
      if (exceedsShare(next)) continue
      if (next.size > free) return
      queue.splice(queue.indexOf(next), 1)
      occupy(next.owner, next.size)
      next.start()
    }
  }

  function exceedsShare({ owner, size }: Waiting): boolean {
    return owner !== undefined && (used.get(owner) ?? 0) + size > share
  }

  function occupy(owner: string | undefined, size: number): void {
    free -= size
    if (owner === undefined) return
    const now = (used.get(owner) ?? 0) + size
    if (now > 0) used.set(owner, now)
    else used.delete(owner)
  }

  return async (work, { size: wanted = 1, owner } = {}) => {
    const { promise: turn, resolve: start } = Promise.withResolvers<void>()
    // Work larger than a whole share takes the whole share, or it would never run.
    const size = Math.min(wanted, share)
    queue.push({ size, owner, start })
    startNext()
    await turn
    try {
      return await work()
    } finally {
      occupy(owner, -size)
      startNext()
    }
  }
}
