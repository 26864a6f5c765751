/** Repeats the work at an interval, one at a time. `stop` waits for the one under way. */
export function startRepeating(milliseconds: number, work: () => Promise<void>): { stop(): Promise<void> } {
  let working: Promise<void> | null = null
  const timer = setInterval(() => {
    working ??= work().finally(() => {
      working = null
    })
  }, milliseconds)
  return {
    async stop() {
      clearInterval(timer)
      await working
    },
  }
}
