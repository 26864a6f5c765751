import sql from 'sql-template-tag'
import type { Database } from '../database/database.ts'

/** True for one process in each interval: whoever asks first after it has passed. */
export async function takeTurn(database: Database, name: string, intervalSeconds: number, now: Date): Promise<boolean> {
  // A little early is in time: timers of several processes never agree to the millisecond.
  const early = Math.min(intervalSeconds * 100, 6_000)
  const due = new Date(now.getTime() - intervalSeconds * 1_000 + early)
  // Taken further ahead than the next turn can be, it was taken by a clock that was wrong, and must not hold up the rest.
  const impossible = new Date(now.getTime() + intervalSeconds * 1_000)
  const taken = await database.query(sql`
    insert into turns as t (name, taken_at) values (${name}, ${now})
    on conflict (name) do update set taken_at = excluded.taken_at
      where t.taken_at <= ${due} or t.taken_at > ${impossible}
    returning name`)
  return taken.length > 0
}

// A process may live for less than an hour: what is done every hour is asked for every minute.
const longestWait = 60

/** Does something every interval, on one process at a time, until it is stopped. */
export function startScheduled(options: {
  database: Database
  name: string
  intervalSeconds: number
  clock: () => Date
  /** `stopping` is aborted when work that takes long should come to an end. */
  work: (stopping: AbortSignal) => Promise<void>
  report: (problem: string, error: unknown) => void
}): { stop(): Promise<void> } {
  const { database, name, intervalSeconds, clock, work, report } = options
  const stopping = new AbortController()
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(async () => {
      try {
        if (stopping.signal.aborted) return
        if (await takeTurn(database, name, intervalSeconds, clock())) await work(stopping.signal)
      } catch (error) {
        report(`the ${name} failed; the next one tries again`, error)
      }
    })
  }, Math.min(intervalSeconds, longestWait) * 1_000)
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}
