import type { Queryable } from '../database/database.ts'
import { requestsPerWindow } from './authenticate.ts'
import { addKeyUsage } from './key-usage.ts'
import { logRequests, type RequestToLog } from './request-log.ts'

export type RequestRecorder = {
  /** Returns at once. What can't be written is dropped: no request ever waits for its record. */
  record(request: RequestToLog): void
  /** Writes what is left. */
  stop(): Promise<void>
}

const flushMilliseconds = 1_000
const maxWaiting = 10_000
// A batch's worth of log must stay cheap however busy the process is: this is 250 keys at their limit.
const maxLogged = 500

/** Counts and logs answered requests in batches, two statements a second, after the responses have left. */
export function createRequestRecorder({
  database,
  report,
}: {
  database: Queryable
  report: (problem: string, error: unknown) => void
}): RequestRecorder {
  let waiting: RequestToLog[] = []
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
      await logRequests(database, errorsFirst(batch.filter(isWorthLogging)).slice(0, maxLogged))
      isFailing = false
    } catch (error) {
      // An outage is reported once, not every second.
      if (!isFailing) report('requests could not be recorded', error)
      isFailing = true
    }
  }

  // Whoever ignores 429 could fill the log, and so could a key of an inactive organization, which has no limit: one 429
  // per key and minute says it all, and of any other status no more than a key may cause in a minute.
  let minute = 0
  const logged = new Map<string, number>()
  function isWorthLogging({ keyId, status, at }: RequestToLog): boolean {
    const current = Math.floor(at.getTime() / 60_000)
    if (current !== minute) logged.clear()
    minute = current
    const group = `${keyId} ${status}`
    const count = (logged.get(group) ?? 0) + 1
    logged.set(group, count)
    return count <= (status === 429 ? 1 : requestsPerWindow)
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
      if (waiting.length >= maxWaiting) return
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

function countByStatus(requests: readonly RequestToLog[]) {
  const byKey = Map.groupBy(requests, ({ keyId }) => keyId)
  return [...byKey].flatMap(([keyId, group]) =>
    [...Map.groupBy(group, ({ status }) => status)].map(([status, same]) => ({ keyId, status, requests: same.length })),
  )
}

/** What people look for, when there is more than fits. */
function errorsFirst(requests: RequestToLog[]): RequestToLog[] {
  if (requests.length <= maxLogged) return requests
  const isError = ({ status }: RequestToLog) => status >= 400
  return [...requests.filter(isError), ...requests.filter((request) => !isError(request))]
}
