import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export type Receiving = {
  url: string
  ca: string
  /** Forgets what has arrived so far. */
  reset(): Promise<void>
  /** How many have arrived, as soon as there are `count`. */
  until(count: number): Promise<number>
  /** When each of them arrived. */
  times(): Promise<number[]>
  close(): void
}

/** The receiver as its own process, so that what it costs is not counted as ours. */
export async function startReceiving(): Promise<Receiving> {
  const child = fork(join(import.meta.dirname, 'receiver.ts'))
  const [{ ready }] = await once(child, 'message')
  const ask = async (question: 'reset' | 'count' | 'times') => {
    child.send(question)
    const [answer] = await once(child, 'message')
    return answer
  }
  return {
    url: ready.url,
    ca: ready.ca,
    async reset() {
      await ask('reset')
    },
    async until(count) {
      for (let left = 6_000; left > 0; left--) {
        const arrived = await ask('count')
        if (arrived >= count) return arrived
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      throw new Error(`Not all of ${count} events arrived`)
    },
    times: () => ask('times'),
    close: () => child.disconnect(),
  }
}
