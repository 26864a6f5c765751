import sql from 'sql-template-tag'
import type { Database } from '../database/database.ts'

/** True for one process in each interval: whoever asks first after it has passed, on the database's clock. */
export async function takeTurn(database: Database, name: string, intervalSeconds: number): Promise<boolean> {
  // A little early is in time: timers of several processes never agree to the millisecond.
  const due = intervalSeconds - Math.min(intervalSeconds / 10, 6)
  const taken = await database.query(sql`
    insert into turns as t (name, taken_at) values (${name}, now())
    on conflict (name) do update set taken_at = excluded.taken_at
      where t.taken_at <= now() - ${due}::float8 * interval '1 second'
        -- Ahead of now, it was taken before the clock was put back.
        or t.taken_at > now() + interval '1 second'
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
  /** `stopping` is aborted when work that takes long should come to an end. */
  work: (stopping: AbortSignal) => Promise<void>
  report: (problem: string, error: unknown) => void
}): { stop(): Promise<void> } {
  const { database, name, intervalSeconds, work, report } = options
  const stopping = new AbortController()
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(async () => {
      try {
        if (stopping.signal.aborted) return
        if (await takeTurn(database, name, intervalSeconds)) await work(stopping.signal)
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
