/** Limits how much work runs at once. */
export type Slots = {
  /** Resolves when the work has started, not when it has ended. */
  take(work: () => Promise<unknown>): Promise<void>
}

export function createSlots(size: number): Slots {
  let free = size
  const waiting: (() => void)[] = []
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
  return {
    async take(work) {
      if (free > 0) free--
      else await new Promise<void>((resolve) => waiting.push(resolve))
      void work().finally(leave)
    },
  }
}
