import sql from 'sql-template-tag'
import type { Database } from '../database/database.ts'
import { startRepeating } from '../queue/repeating.ts'

/** True for one process per interval: the first to ask after it has passed, on the database's clock. */
export async function claimRun(database: Database, name: string, intervalSeconds: number): Promise<boolean> {
  // Allow for a little early: timers of different processes never agree to the millisecond.
  const due = intervalSeconds - Math.min(intervalSeconds / 10, 6)
  const claimed = await database.query(sql`
    insert into turns as t (name, taken_at) values (${name}, now())
    on conflict (name) do update set taken_at = excluded.taken_at
      where t.taken_at <= now() - ${due}::float8 * interval '1 second'
        -- In the future: written before the clock was set back.
        or t.taken_at > now() + interval '1 second'
    returning name`)
  return claimed.length > 0
}

async function holdRun(database: Database, name: string): Promise<void> {
  await database.query(sql`update turns set taken_at = now() where name = ${name}`)
}

// Hourly work is checked every minute, because a process may run for less than an hour.
const maxPollSeconds = 60

/** Runs the work once per interval, on one process at a time. While it runs, the interval keeps starting over. */
export function startScheduled(options: {
  database: Database
  name: string
  intervalSeconds: number
  /** Long work should return when `stopping` is aborted. */
  work: (stopping: AbortSignal) => Promise<void>
  report: (problem: string, error: unknown) => void
}): { stop(): Promise<void> } {
  const { database, name, intervalSeconds, work, report } = options
  const stopping = new AbortController()

  async function runIfDue(): Promise<void> {
    if (!(await claimRun(database, name, intervalSeconds))) return
    const holding = startRepeating(
      intervalSeconds * (1_000 / 3),
      () => holdRun(database, name),
      (error) => report(`could not renew the claim on ${name}; another process may run it too`, error),
    )
    await work(stopping.signal).finally(holding.stop)
  }

  const repeating = startRepeating(Math.min(intervalSeconds, maxPollSeconds) * 1_000, runIfDue, (error) =>
    report(`${name} failed; retrying at the next interval`, error),
  )
  return {
    async stop() {
      stopping.abort()
      await repeating.stop()
    },
  }
}
