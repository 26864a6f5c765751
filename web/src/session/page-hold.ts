let holds = 0
let waiting: (() => void) | null = null

/** Keeps the page as it is, because what it shows can't be shown again. Returns what lets go of it. */
export function holdPage(): () => void {
  holds += 1
  return () => {
    holds -= 1
    const run = waiting
    if (holds > 0 || run === null) return
    waiting = null
    run()
  }
}

/** For what takes the page away: runs now, or as soon as nothing holds the page. Only the last one counts. */
export function whenReleased(run: () => void): void {
  if (holds === 0) run()
  else waiting = run
}
