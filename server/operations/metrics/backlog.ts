import sql from 'sql-template-tag'
import type { Database } from '../../database/database.ts'
import { countFailingEndpoints } from '../../endpoints/endpoint-health.ts'
import type { DeliveryQueue } from '../../queue/queue.ts'

export type Backlog = { pending: number; oldestSeconds: number; deadLetters: number; failingEndpoints: number }

type Sources = { database: Database; queue: Pick<DeliveryQueue, 'countDeadLetters'> }

// However often somebody asks, the database is asked no more often than this.
const keptFor = 5_000
const patience = 2_000
const most = 100_000

/**
 * Reads what is waiting, at most every five seconds. Null when the database does not answer in time: whoever scrapes
 * wants to know just then how everything else is.
 */
export function createBacklogReader(sources: Sources): () => Promise<Backlog | null> {
  let read: { at: number; backlog: Promise<Backlog | null> } | null = null
  return () => {
    if (read === null || performance.now() - read.at > keptFor) {
      read = { at: performance.now(), backlog: inTime(readBacklog(sources)) }
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

/**
 * Bounded, however many there are. Ids grow with time, so the oldest wait is found among the lowest: a retry by hand
 * puts a delivery of long ago among them, but hardly a thousand at once before one that waits longer.
 */
async function readBacklog({ database, queue }: Sources): Promise<Backlog> {
  const [row] = await database.query<Pick<Backlog, 'pending' | 'oldestSeconds'>>(sql`
    select
      (select count(*)::int from (select from deliveries where status = 'PENDING' limit ${most}) counted) as pending,
      (select greatest(0, coalesce(extract(epoch from now() - min(round_started_at)), 0))::float8
        from (select round_started_at from deliveries where status = 'PENDING' order by id limit 1000) oldest
      ) as "oldestSeconds"`)
  const { pending, oldestSeconds } = row ?? { pending: 0, oldestSeconds: 0 }
  const deadLetters = await queue.countDeadLetters(most)
  return { pending, oldestSeconds, deadLetters, failingEndpoints: await countFailingEndpoints(database) }
}
