export type Semaphore = <Result>(
  work: () => Promise<Result>,
  wanted?: { size?: number; of?: string },
) => Promise<Result>

type Waiting = { size: number; of: string | undefined; begin: () => void }

/**
 * Lets work of at most `total` size run at once; the rest waits its turn, first come first served. Of one organization,
 * or whoever it is `of`, at most `each` runs: what would be more is passed over until some of it is done.
 */
export function createSemaphore(total: number, { each = total } = {}): Semaphore {
  let free = total
  const taken = new Map<string, number>()
  const waiting: Waiting[] = []

  function letIn(): void {
    for (const next of [...waiting]) {
      if (isBeyondShare(next)) continue
      if (next.size > free) return
      waiting.splice(waiting.indexOf(next), 1)
      occupy(next, next.size)
      next.begin()
    }
  }

  function isBeyondShare({ of, size }: Waiting): boolean {
    return of !== undefined && (taken.get(of) ?? 0) + size > each
  }

  function occupy({ of }: Waiting, size: number): void {
    free -= size
    if (of === undefined) return
    const now = (taken.get(of) ?? 0) + size
    if (now > 0) taken.set(of, now)
    else taken.delete(of)
  }

  return async (work, { size: wanted = 1, of } = {}) => {
    const { promise: turn, resolve: begin } = Promise.withResolvers<void>()
    // What is larger than all there is to have takes all of it.
    const place = { size: Math.min(wanted, each), of, begin }
    waiting.push(place)
    letIn()
    await turn
    try {
      return await work()
    } finally {
      occupy(place, -place.size)
      letIn()
    }
  }
}
