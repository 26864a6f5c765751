import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export type Receiving = {
  url: string
  ca: string
  /** Forgets what has arrived so far. */
  reset(): Promise<void>
  /** The times at which events arrived, once there are `count`. */
  arrived(count: number): Promise<number[]>
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
    async arrived(count) {
      for (let left = 6_000; left > 0; left--) {
        if ((await ask('count')) >= count) return ask('times')
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      throw new Error(`Not all of ${count} events arrived`)
    },
    close: () => child.disconnect(),
  }
}
