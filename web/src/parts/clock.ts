import { useSyncExternalStore } from 'react'

const coarse = createClock(10_000)
const fine = createClock(1_000)

/** The current time in ten-second steps, the same across the page. */
export function useNow(): number {
  return useSyncExternalStore(coarse.subscribe, coarse.read)
}

/** The current time in one-second steps, for what counts seconds. */
export function useSecond(): number {
  return useSyncExternalStore(fine.subscribe, fine.read)
}

type Clock = { subscribe(onTick: () => void): () => void; read(): number }

function createClock(step: number): Clock {
  const listeners = new Set<() => void>()
  let now = Date.now()
  let timer: number | undefined

  function tick() {
    now = Date.now()
    for (const onTick of listeners) onTick()
  }

  return {
    read: () => now,
    subscribe(onTick) {
      listeners.add(onTick)
      if (timer === undefined) {
        // Nobody has looked for a while. React reads the time again after this.
        now = Date.now()
        timer = window.setInterval(tick, step)
      }
      return () => {
        listeners.delete(onTick)
        if (listeners.size > 0) return
        window.clearInterval(timer)
        timer = undefined
      }
    },
  }
}
