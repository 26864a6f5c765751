import type { Queryable } from '../database/database.ts'
import { addKeyUsage } from './key-usage.ts'

/** A request of a known key and how it was answered. */
export type AnsweredRequest = { keyId: string; status: number }

export type RequestRecorder = {
  /** Returns at once. What can't be written is dropped: no request ever waits for its record. */
  record(request: AnsweredRequest): void
  /** Writes what is left. */
  stop(): Promise<void>
}

const flushMilliseconds = 1_000
const mostWaiting = 10_000

/** Writes answered requests in batches, one statement a second, after the responses have left. */
export function createRequestRecorder({
  database,
  report,
}: {
  database: Queryable
  report: (problem: string, error: unknown) => void
}): RequestRecorder {
  let waiting: AnsweredRequest[] = []
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> | null = null
  let isFailing = false

  async function flush(): Promise<void> {
    timer = undefined
    const batch = waiting
    waiting = []
    if (batch.length === 0) return
    try {
      await addKeyUsage(database, countByStatus(batch))
      isFailing = false
    } catch (error) {
      // An outage is reported once, not every second.
      if (!isFailing) report('requests could not be recorded', error)
      isFailing = true
    }
  }

  function schedule(): void {
    timer ??= setTimeout(() => {
      flushing = flush().finally(() => {
        flushing = null
        if (waiting.length > 0) schedule()
      })
    }, flushMilliseconds).unref()
  }

  return {
    record(request) {
      if (waiting.length >= mostWaiting) return
      waiting.push(request)
      if (flushing === null) schedule()
    },
    async stop() {
      clearTimeout(timer)
      await flushing
      clearTimeout(timer)
      await flush()
    },
  }
}

function countByStatus(requests: readonly AnsweredRequest[]) {
  const byKey = Map.groupBy(requests, ({ keyId }) => keyId)
  return [...byKey].flatMap(([keyId, group]) =>
    [...Map.groupBy(group, ({ status }) => status)].map(([status, same]) => ({ keyId, status, requests: same.length })),
  )
}
