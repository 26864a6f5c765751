import { ask, startChild, stopChild } from './child.ts'

/** Interviews to complete, each with an image and a result, by this many concurrent clients. */
export type Load = {
  url: string
  engineToken: string
  image: Uint8Array
  result: string
  interviews: string[]
  clients: number
}

/** An accepted result, and when it was sent. */
export type Report = { resultId: string; sentAt: number }

export type LoadReport = { startedAt: number; reports: Report[] }

export type LoadGenerator = { run(load: Load): Promise<LoadReport>; close(): void }

/** The load generator, in its own process so that its cost isn't counted as the service's. */
export function startLoadGenerator(): LoadGenerator {
  const child = startChild('live-load-process.ts')
  return {
    async run(load) {
      const answer = await ask<LoadReport | { error: string }>(child, load)
      if ('error' in answer) throw new Error(answer.error)
      return answer
    },
    close: () => stopChild(child),
  }
}
