import { PgBoss } from 'pg-boss'
import { typeid } from 'typeid-js'
import { createBatcher } from '../database/batcher.ts'
import type { Database } from '../database/database.ts'
import { isUniqueViolation } from '../database/failures.ts'
import { consume } from './consumer.ts'
import { type DeadLetter, type DeadLetterFilter, type DeliveryQueue, type QueuedDelivery, receives } from './queue.ts'
import { createFetch, prepareTable } from './queue-fetch.ts'

const queueName = 'deliveries'
const deadName = 'deliveries-dead'
const day = 86_400

// Nobody needs to wait until a job that is done is gone on the disk: whoever meets it again after a crash finds its
// delivery at an end.
const settleSettings = 'set local synchronous_commit = off'

export type PgBossQueueOptions = {
  database: Database
  engine: 'postgres' | 'embedded'
  retryDelaySeconds: number
  /** How long a worker may be silent about a job before it comes back: well beyond what an attempt can take. */
  expireSeconds?: number
  superviseSeconds?: number
  report: (problem: string, error: unknown) => void
}

/** The queue in our own database, by pg-boss. */
export function createPgBossQueue(options: PgBossQueueOptions): DeliveryQueue {
  const { database, retryDelaySeconds, expireSeconds = 30, superviseSeconds = 10, report } = options
  const boss = new PgBoss({
    db: { executeSql: (text, values) => database.execute(text, values) },
    backend: options.engine === 'embedded' ? 'pglite' : 'postgres',
    schedule: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
  })
  boss.on('error', (error) => report('the queue reports an error', error))

  const jobOf = ({ deliveryId, deliveryKey, organizationId }: QueuedDelivery) => ({
    // Each sorts after the one before, even within a millisecond: jobs fetched together are taken in this order.
    id: typeid().toUUID(),
    data: { deliveryId },
    singletonKey: deliveryKey,
    group: { id: organizationId },
    retryLimit: receives - 1,
    retryDelay: retryDelaySeconds,
    retryBackoff: retryDelaySeconds > 0,
    expireInSeconds: expireSeconds,
    deadLetter: deadName,
  })

  const settling = {
    executeSql: async (text: string, values: unknown[] = []) => ({
      rows: await database.queryUnder(settleSettings, { text, values }),
    }),
  }

  const wakers = new Set<() => void>()
  const wake = () => {
    for (const waker of wakers) waker()
  }

  /** Which of them were taken; the others were queued or running already. */
  const insert = async (deliveries: readonly QueuedDelivery[]): Promise<boolean[]> => {
    const jobs = deliveries.map(jobOf)
    const taken = new Set(await boss.insert(queueName, jobs, { returnId: true }))
    wake()
    return jobs.map(({ id }) => taken.has(id))
  }

  let started: Promise<void> | null = null
  const begin = async () => {
    await againIfRaced(() => boss.start())
    await againIfRaced(() => prepareTable(database))
    await boss.createQueue(deadName, { retentionSeconds: 365 * day })
    await boss.createQueue(queueName, {
      policy: 'exclusive',
      deadLetter: deadName,
      retentionSeconds: 365 * day,
      // Those that died; the dead letter is another row.
      deleteAfterSeconds: 3_600,
    })
  }

  return {
    start: () => (started ??= begin()),

    async takeBackOrphans() {
      const { rows } = await database.execute<{ id: string }>(
        `select id from pgboss.job where name = '${queueName}' and state = 'active'`,
      )
      const ids = rows.map(({ id }) => id)
      if (ids.length > 0) await boss.fail(queueName, ids)
    },

    mendTimes: () => mendTimes(database, retryDelaySeconds),

    // Those that come while one is on its way share the next statement.
    enqueue: createBatcher(insert, { most: 64 }),

    async enqueueAll(deliveries) {
      if (deliveries.length === 0) return 0
      return (await insert(deliveries)).filter((taken) => taken).length
    },

    async inHand(deliveryKeys) {
      // Worded like the index that keeps a key from having two jobs.
      const { rows } = await database.execute<{ key: string }>(
        `select singleton_key as key from pgboss.job
         where name = '${queueName}' and policy = 'exclusive' and state <= 'active'
           and coalesce(singleton_key, '') = any($1::text[])`,
        [deliveryKeys],
      )
      return new Set(rows.map(({ key }) => key))
    },

    consume(consumer) {
      const { fetchJobs, lookAfresh } = createFetch(database, { queueName, perOrganization: consumer.perOrganization })
      const running = consume({
        ...consumer,
        fetch: fetchJobs,
        // The delivery's record tells what became of it. A row kept for later would be written twice more.
        complete: (jobs) => boss.deleteJob(queueName, jobs, { db: settling }),
        fail: (jobs) => boss.fail(queueName, jobs),
      })
      const waker = () => {
        lookAfresh()
        running.wake()
      }
      wakers.add(waker)
      return {
        async stop() {
          wakers.delete(waker)
          await running.stop()
        },
      }
    },

    deadLetters: (filter) => findDeadLetters(database, filter),

    async countDeadLetters(most) {
      const { rows } = await database.execute<{ count: number }>(
        `select count(*) as count from (select from pgboss.job where name = '${deadName}' limit $1) counted`,
        [most],
      )
      return rows[0]?.count ?? 0
    },

    async removeDeadLetters(ids) {
      const { rows } = await database.execute<DeadLetter>(
        `delete from pgboss.job where name = '${deadName}' and id = any($1::uuid[]) returning ${letterColumns}`,
        [ids.filter(isJobId)],
      )
      return rows
    },

    stepThroughFinished: (step) => stepThroughFinished(database, step),

    async stop() {
      if (started) await boss.stop({ graceful: false })
    },
  }
}

/**
 * Processes that start at once race for the queue's tables. PostgreSQL may tell the losers so by a unique index of its
 * catalogue, which pg-boss does not take for a lost race; at the second try everything is there.
 */
async function againIfRaced(install: () => Promise<unknown>): Promise<void> {
  try {
    await install()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    await install()
  }
}

/** Left alone, jobs that wait, jobs whose worker died and the watch over these would all wait for that time to come. */
async function mendTimes(database: Database, retryDelaySeconds: number): Promise<void> {
  // The last retry comes after at most eight times the delay.
  const longestWait = 60 + 8 * retryDelaySeconds
  // The policy is there for the index: without it every job that is kept would be looked at.
  const ours = `name = '${queueName}' and policy = 'exclusive'`
  await database.execute(`
    update pgboss.job set start_after = now()
    where ${ours} and state < 'active' and start_after > now() + interval '${longestWait} seconds';
    update pgboss.job set started_on = now()
    where ${ours} and state = 'active' and started_on > now() + interval '1 minute';
    update pgboss.queue set monitor_claim_on = now(), monitor_on = now()
    where name = '${queueName}' and greatest(monitor_claim_on, monitor_on) > now() + interval '1 minute'`)
}

const letterColumns = `id, data ->> 'deliveryId' as "deliveryId", group_id as "organizationId", created_on as "deadSince"`

function isJobId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}

/** Read from pg-boss's own table: its interface finds jobs by one key at a time. */
async function findDeadLetters(database: Database, filter: DeadLetterFilter): Promise<DeadLetter[]> {
  const { id = null, deliveryIds = null, organizationId = null, deadBefore = null, after = null, limit } = filter
  if (id !== null && !isJobId(id)) return []
  // Told to the millisecond, and so ordered to the millisecond: otherwise the place after one could lie before it.
  const since = `date_trunc('milliseconds', created_on)`
  const { rows } = await database.execute<DeadLetter>(
    `select ${letterColumns} from pgboss.job
     where name = '${deadName}' and ($1::text[] is null or data ->> 'deliveryId' = any($1))
       and ($2::text is null or group_id = $2) and ($3::timestamptz is null or created_on < $3)
       and ($4::timestamptz is null or (${since}, id) < ($4, $5::uuid))
       and ($7::uuid is null or id = $7)
     order by ${since} desc, id desc limit $6`,
    [deliveryIds, organizationId, deadBefore, after?.deadSince ?? null, after?.id ?? null, limit, id],
  )
  return rows
}

const finishedAtOnce = 500
const lowestId = '00000000-0000-0000-0000-000000000000'

async function stepThroughFinished(
  database: Database,
  { endedBefore, after, remove }: { endedBefore: Date; after: string | null; remove: boolean },
): Promise<{ due: number; next: string | null }> {
  const { rows } = await database.execute<{ looked: number; due: number; last: string | null }>(
    `with looked as materialized (
       select id from pgboss.job where name = '${queueName}' and id > $1::uuid order by id limit ${finishedAtOnce}
     ), due as (
       select id from pgboss.job
       where name = '${queueName}' and id in (select id from looked) and state > 'active' and completed_on < $2
       ${remove ? 'for update skip locked' : ''}
     ), removed as (
       delete from pgboss.job where name = '${queueName}' and id in (select id from due) and $3::boolean
     )
     select (select count(*) from looked) as looked, (select count(*) from due) as due,
       (select id from looked order by id desc limit 1) as last`,
    [after ?? lowestId, endedBefore, remove],
  )
  const { looked = 0, due = 0, last = null } = rows[0] ?? {}
  return { due, next: looked < finishedAtOnce ? null : last }
}
