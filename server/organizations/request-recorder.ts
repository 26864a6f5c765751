import type { Queryable } from '../database/database.ts'
import { requestsPerWindow } from './authenticate.ts'
import { addKeyUsage, type UsageCount } from './key-usage.ts'
import { logRequests, type RequestToLog } from './request-log.ts'

export type RequestRecorder = {
  /** Returns at once. What can't be written is dropped: no request ever waits for its record. */
  record(request: RequestToLog): void
  /** Writes what is left. */
  stop(): Promise<void>
}

const flushMilliseconds = 1_000
const maxCounted = 10_000
// A batch's worth of log must stay cheap however busy the process is: this is 250 keys at their limit.
const maxLogged = 500

/** `counts` by key and status. A request is counted at once, because thousands kept until the flush would burden the GC. */
type Batch = { counts: Map<string, UsageCount>; logged: RequestToLog[] }

const emptyBatch = (): Batch => ({ counts: new Map(), logged: [] })

/** Counts and logs answered requests in batches, two statements a second, after the responses have left. */
export function createRequestRecorder({
  database,
  report,
}: {
  database: Queryable
  report: (problem: string, error: unknown) => void
}): RequestRecorder {
  let waiting = emptyBatch()
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> | null = null
  let isFailing = false

  async function flush(): Promise<void> {
    timer = undefined
    const { counts, logged } = waiting
    waiting = emptyBatch()
    if (counts.size === 0) return
    try {
      await addKeyUsage(database, [...counts.values()])
      await logRequests(database, logged)
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
  const loggedInMinute = new Map<string, number>()
  function isWorthLogging({ status, at, milliseconds }: RequestToLog, group: string): boolean {
    // When it ended, because some begin in one minute and end in the next.
    const current = Math.floor((at.getTime() + milliseconds) / 60_000)
    if (current !== minute) loggedInMinute.clear()
    minute = current
    const count = (loggedInMinute.get(group) ?? 0) + 1
    loggedInMinute.set(group, count)
    return count <= (status === 429 ? 1 : requestsPerWindow)
  }

  function schedule(): void {
    timer ??= setTimeout(() => {
      flushing = flush().finally(() => {
        flushing = null
        if (waiting.counts.size > 0) schedule()
      })
    }, flushMilliseconds).unref()
  }

  return {
    record(request) {
      const { keyId, status } = request
      const { counts, logged } = waiting
      const group = `${keyId} ${status}`
      const count = counts.get(group)
      if (count) count.requests += 1
      else if (counts.size < maxCounted) counts.set(group, { keyId, status, requests: 1 })
      else return
      if (isWorthLogging(request, group)) addToLog(logged, request)
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

/** Once the batch is full, errors replace other requests: they are what people look for. */
function addToLog(logged: RequestToLog[], request: RequestToLog): void {
  if (logged.length < maxLogged) {
    logged.push(request)
    return
  }
  if (!isError(request)) return
  const replaced = logged.findLastIndex((other) => !isError(other))
  if (replaced < 0) return
  logged.splice(replaced, 1)
  logged.push(request)
}

function isError({ status }: RequestToLog): boolean {
  return status >= 400
}
