import sql from 'sql-template-tag'
import type { Database } from '../../database/database.ts'
import { countDeadLetters } from '../../deliveries/dead-letters.ts'
import { countFailingEndpoints } from '../../endpoints/endpoint-health.ts'

export type Backlog = { pending: number; oldestSeconds: number; deadLetters: number; failingEndpoints: number }

// However often somebody asks, the database is asked no more often than this.
const keptFor = 5_000
const patience = 2_000
const most = 100_000

/**
 * Reads what is waiting, at most every five seconds. Null when the database does not answer in time: whoever scrapes
 * wants to know just then how everything else is.
 */
export function createBacklogReader(database: Database): () => Promise<Backlog | null> {
  let read: { at: number; backlog: Promise<Backlog | null> } | null = null
  return () => {
    if (read === null || performance.now() - read.at > keptFor) {
      read = { at: performance.now(), backlog: inTime(readBacklog(database)) }
    }
    return read.backlog
  }
}

async function inTime(reading: Promise<Backlog>): Promise<Backlog | null> {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => late.resolve(null), patience)
  try {
    return await Promise.race([reading.catch(() => null), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Bounded, however many there are: ids grow with time, so what waits longest is among the lowest. */
async function readBacklog(database: Database): Promise<Backlog> {
  const [row] = await database.query<Pick<Backlog, 'pending' | 'oldestSeconds'>>(sql`
    select
      (select count(*)::int from (select from deliveries where status = 'PENDING' limit ${most}) counted) as pending,
      (select greatest(0, coalesce(extract(epoch from now() - min(queued_at)), 0))::float8
        from (select queued_at from delivery_jobs order by delivery_id limit 1000) oldest
      ) as "oldestSeconds"`)
  const { pending, oldestSeconds } = row ?? { pending: 0, oldestSeconds: 0 }
  const deadLetters = await countDeadLetters(database, {}, most)
  return { pending, oldestSeconds, deadLetters, failingEndpoints: await countFailingEndpoints(database) }
}
