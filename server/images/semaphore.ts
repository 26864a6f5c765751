/** `waited`: the work could not start at once. */
export type Semaphore = <Result>(
  work: (waited: boolean) => Promise<Result>,
  options?: { size?: number; owner?: string },
) => Promise<Result>

type Waiting = { size: number; owner: string | undefined; start: () => void }

/**
 * Runs work up to a `total` size at once; the rest waits, first come, first served. One owner gets at most `share`: work
 * beyond it is skipped until some of that owner's work is done.
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

  return async (work, { size: requested = 1, owner } = {}) => {
    const { promise: started, resolve: start } = Promise.withResolvers<void>()
    // Work larger than the share takes the whole share; otherwise it would never run.
    const size = Math.min(requested, share)
    const waiting = { size, owner, start }
    queue.push(waiting)
    startNext()
    const waited = queue.includes(waiting)
    await started
    try {
      return await work(waited)
    } finally {
      occupy(owner, -size)
      startNext()
    }
  }
}
