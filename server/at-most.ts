export type AtMost = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Lets at most `count` pieces of work run at once; the others wait their turn, first come first served. */
export function atMost(count: number): AtMost {
  let free = count
  const waiting: (() => void)[] = []

  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
