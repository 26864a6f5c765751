import { setTimeout } from 'node:timers/promises'
import { ask, startChild, stopChild } from './child.ts'

export type Question = 'address' | 'reset' | 'count' | 'arrivals'

/** One result's event: the size of its body, when it first arrived, and how often. */
export type Arrival = { resultId: string; bytes: number; at: number; times: number }

export type Receiving = {
  url: string
  ca: string
  /** Forgets what has arrived so far. */
  reset(): Promise<void>
  /** Resolves when `count` distinct results have arrived. */
  until(count: number): Promise<number>
  /** In order of their first arrival. */
  arrivals(): Promise<Arrival[]>
  close(): void
}

/** The receiver, in its own process so that its cost isn't counted as ours. */
export async function startReceiving(): Promise<Receiving> {
  const child = startChild('receiver.ts')
  const { url, ca } = await ask<{ url: string; ca: string }>(child, 'address')
  return {
    url,
    ca,
    async reset() {
      await ask(child, 'reset')
    },
    async until(count) {
      let arrived = 0
      for (let left = 6_000; left > 0; left--) {
        arrived = await ask<number>(child, 'count')
        if (arrived >= count) return arrived
        await setTimeout(50)
      }
      throw new Error(`Only ${arrived} of ${count} events arrived`)
    },
    arrivals: () => ask(child, 'arrivals'),
    close: () => stopChild(child),
  }
}
