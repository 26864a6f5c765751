/** Repeats the work at an interval, one at a time. `stop` waits for the one in progress. */
export function startRepeating(
  milliseconds: number,
  work: () => Promise<void>,
  failed: (error: unknown) => void,
): { stop(): Promise<void> } {
  let working: Promise<void> | null = null
  const timer = setInterval(() => {
    working ??= work()
      .catch(failed)
      .finally(() => {
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
