import { setTimeout } from 'node:timers/promises'

/** How a service answered over time. All times are from `performance.now()`. */
export type Availability = {
  /** Whether every server has served a request that was sent after this time. */
  servedSince(time: number): boolean
  /**
   * In milliseconds: how long after `failedAt` every server had served a request again, and how much time lay between
   * the first and the last 503 or missing response of any of them.
   */
  gapAfter(failedAt: number): { servedAgain: number; unserved: number }
  stop(): Promise<void>
}

type Answer = { url: string; sentAt: number; endedAt: number; served: boolean }

const pauseMilliseconds = 100

/** Sends a read to every server ten times a second. The limit is 120 requests per key and minute, so it takes many keys. */
export function watchAvailability({ urls, keys }: { urls: readonly string[]; keys: readonly string[] }): Availability {
  const answers: Answer[] = []
  const stopping = new AbortController()
  let count = 0

  const ask = async (url: string) => {
    const sentAt = performance.now()
    const headers = { 'x-service-api-key': keys[count++ % keys.length] ?? '' }
    const served = await fetch(`${url}/v1/templates?limit=1`, { headers, signal: AbortSignal.timeout(60_000) })
      .then(async (response) => {
        await response.arrayBuffer()
        return response.status === 200
      })
      .catch(() => false)
    answers.push({ url, sentAt, endedAt: performance.now(), served })
  }
  const watching = Promise.all(
    urls.map(async (url) => {
      while (!stopping.signal.aborted) {
        await ask(url)
        await setTimeout(pauseMilliseconds)
      }
    }),
  )
  const firstServed = (url: string, since: number) =>
    answers.find((answer) => answer.url === url && answer.served && answer.sentAt >= since)
  return {
    servedSince: (time) => urls.every((url) => firstServed(url, time) !== undefined),
    gapAfter(failedAt) {
      const unserved = answers.filter(({ served, endedAt }) => !served && endedAt >= failedAt)
      const lastFailure = unserved.at(-1)?.endedAt ?? failedAt
      const again = urls.map((url) => firstServed(url, Math.max(failedAt, lastFailureOf(url)))?.endedAt ?? Infinity)
      const firstFailure = unserved[0]?.endedAt ?? lastFailure
      return { servedAgain: Math.max(...again) - failedAt, unserved: lastFailure - firstFailure }

      function lastFailureOf(url: string): number {
        return unserved.findLast((answer) => answer.url === url)?.sentAt ?? failedAt
      }
    },
    async stop() {
      stopping.abort()
      await watching
    },
  }
}
