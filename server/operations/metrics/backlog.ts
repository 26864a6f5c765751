import sql from 'sql-template-tag'
import type { Database } from '../../database/database.ts'
import { countDeadLetters } from '../../deliveries/dead-letters.ts'
import { countFailingEndpoints } from '../../endpoints/endpoint-health.ts'
import { countWaiting } from '../../notifications/outbox.ts'
import { countPauses } from '../../queue/pauses.ts'

export const backlogParts = [
  'pending',
  'oldestSeconds',
  'deadLetters',
  'failingEndpoints',
  'pausedEndpoints',
  'messages',
] as const

export type Backlog = Record<(typeof backlogParts)[number], number>

// So that frequent scrapes don't load the database.
const cacheMilliseconds = 5_000
const timeoutMilliseconds = 2_000
const countLimit = 100_000

/** Null if the database doesn't respond in time: the other metrics matter most just then. */
export function createBacklogReader(database: Database): () => Promise<Backlog | null> {
  let cached: { at: number; backlog: Promise<Backlog | null> } | null = null
  return () => {
    if (cached === null || performance.now() - cached.at > cacheMilliseconds) {
      cached = { at: performance.now(), backlog: withTimeout(readBacklog(database)) }
    }
    return cached.backlog
  }
}

async function withTimeout(reading: Promise<Backlog>): Promise<Backlog | null> {
  const timeout = Promise.withResolvers<null>()
  const timer = setTimeout(() => timeout.resolve(null), timeoutMilliseconds)
  try {
    return await Promise.race([reading.catch(() => null), timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Bounded, however many rows there are: IDs grow with time, so the oldest jobs are among the lowest. */
async function readBacklog(database: Database): Promise<Backlog> {
  const [row] = await database.query<Pick<Backlog, 'pending' | 'oldestSeconds'>>(sql`
    select
      (select count(*)::int from (select from deliveries where status = 'PENDING' limit ${countLimit}) counted) as pending,
      (select greatest(0, coalesce(extract(epoch from now() - min(queued_at)), 0))::float8
        from (select queued_at from delivery_jobs order by delivery_id limit 1000) oldest
      ) as "oldestSeconds"`)
  const { pending, oldestSeconds } = row ?? { pending: 0, oldestSeconds: 0 }
  const deadLetters = await countDeadLetters(database, {}, countLimit)
  const failingEndpoints = await countFailingEndpoints(database)
  const pausedEndpoints = await countPauses(database)
  const messages = await countWaiting(database)
  return { pending, oldestSeconds, deadLetters, failingEndpoints, pausedEndpoints, messages }
}
