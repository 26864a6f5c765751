import { useSyncExternalStore } from 'react'

const watchers = new Set<() => void>()
let now = Date.now()
let timer: number | undefined

/** The time in steps of ten seconds, the same for everything on the page. */
export function useNow(): number {
  return useSyncExternalStore(watch, () => now)
}

function watch(onTick: () => void): () => void {
  watchers.add(onTick)
  timer ??= window.setInterval(tick, 10_000)
  return () => {
    watchers.delete(onTick)
    if (watchers.size > 0) return
    window.clearInterval(timer)
    timer = undefined
  }
}

function tick(): void {
  now = Date.now()
  for (const onTick of watchers) onTick()
}
