export type AtMost = <Result>(work: () => Promise<Result>, size?: number) => Promise<Result>

/** Lets work of at most `total` size run at once; the rest waits its turn, first come first served. */
export function atMost(total: number): AtMost {
  let free = total
  const waiting: { size: number; begin: () => void }[] = []

  function letIn(): void {
    for (let next = waiting[0]; next !== undefined && next.size <= free; next = waiting[0]) {
      waiting.shift()
      free -= next.size
      next.begin()
    }
  }

  return async (work, wanted = 1) => {
    // What is larger than everything together runs alone.
    const size = Math.min(wanted, total)
    await new Promise<void>((begin) => {
      waiting.push({ size, begin })
      letIn()
    })
    try {
      return await work()
    } finally {
      free += size
      letIn()
    }
  }
}
