import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let now = Date.now()
let timer: number | undefined

/** The current time in ten-second steps, the same across the page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now)
}

function subscribe(onTick: () => void): () => void {
  listeners.add(onTick)
  if (timer === undefined) {
    // Nobody has looked for a while. React reads the time again after this.
    now = Date.now()
    timer = window.setInterval(tick, 10_000)
  }
  return () => {
    listeners.delete(onTick)
    if (listeners.size > 0) return
    window.clearInterval(timer)
    timer = undefined
  }
}

function tick(): void {
  now = Date.now()
  for (const onTick of listeners) onTick()
}
