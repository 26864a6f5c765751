import { setTimeout } from 'node:timers/promises'
import { ask, startChild, stopChild } from './child.ts'

export type Question = 'address' | 'reset' | 'count' | 'arrivals'

/** One result's event: the size of its body, when it came first, and how often it came. */
export type Arrival = { resultId: string; bytes: number; at: number; times: number }

export type Receiving = {
  url: string
  ca: string
  /** Forgets what has arrived so far. */
  reset(): Promise<void>
  /** How many distinct results have arrived, as soon as there are `count`. */
  until(count: number): Promise<number>
  /** In the order in which they came first. */
  arrivals(): Promise<Arrival[]>
  close(): void
}

/** The receiver as its own process, so that what it costs is not counted as ours. */
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
      throw new Error(`Of ${count} events ${arrived} arrived`)
    },
    arrivals: () => ask(child, 'arrivals'),
    close: () => stopChild(child),
  }
}
