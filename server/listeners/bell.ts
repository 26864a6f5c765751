/** Wakes one waiting loop. */
export type Bell = {
  ring(): void
  /** Resolves at the next ring, at once if it has rung since the last wait, or after this time. */
  wait(milliseconds: number): Promise<void>
}

export function createBell(): Bell {
  let hasRung = false
  let answer = () => {}
  return {
    ring() {
      hasRung = true
      answer()
    },
    async wait(milliseconds) {
      if (!hasRung) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const timer = setTimeout(resolve, milliseconds)
        answer = resolve
        await promise
        clearTimeout(timer)
      }
      hasRung = false
    },
  }
}
