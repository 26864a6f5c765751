import sql from 'sql-template-tag'
import type { Database } from '../server/database/database.ts'
import { encodeCursor } from '../server/database/paging.ts'
import { listDeliveryRows } from '../server/deliveries/delivery-table.ts'
import { createDeliveryLoader } from '../server/deliveries/load.ts'
import type { AttemptReport } from '../server/deliveries/outcome.ts'
import { sweep } from '../server/deliveries/sweep.ts'
import { type Settlement, settle } from '../server/deliveries/transitions.ts'
import { removeJobs } from '../server/queue/jobs.ts'
import { createPostgresQueue } from '../server/queue/postgres-queue.ts'
import type { DeliveryQueue, Job } from '../server/queue/queue.ts'
import { createCompletion } from '../server/workflows/complete-interview.ts'
import { completeAll, prepareInterviews, scoring } from './results.ts'
import { fillDeliveries } from './settings-data.ts'

/** A database with some number of deliveries, and the same amount of work as every other. */
export type Scene = {
  /** Each does part of the work once, and returns how many milliseconds its operations took. They run in this order. */
  steps: (() => Promise<Record<string, number>>)[]
  close(): Promise<void>
}

const waitingCount = 512
const reportsPerRound = 20
// A list takes a millisecond or less, so one sample repeats it until it outweighs system noise.
const listsPerRound = 50

export async function openScene(database: Database, options: { count: number; rounds: number }): Promise<Scene> {
  const report = (problem: string, error: unknown) => {
    throw new Error(problem, { cause: error })
  }
  const queue = createPostgresQueue({ database })
  const organizationId = await fillTable(database, options.count)
  const reports = (options.rounds + 1) * reportsPerRound
  const image = Buffer.alloc(2_000)
  const interviews = await prepareInterviews(database, {
    url: 'https://localhost/',
    image,
    judged: false,
    count: waitingCount + reports,
  })
  await completeAll(database, interviews.splice(0, waitingCount))
  const waiting = await waitingDeliveries(database)
  await database.script('vacuum analyze')
  const lists = await listings(database, organizationId)

  const completion = createCompletion({ database, wake: () => {}, report })
  const reportSome = async () => {
    for (const id of interviews.splice(0, reportsPerRound)) {
      await completion.complete(id, { scoring, final: true }, new Date())
    }
  }
  return {
    steps: [
      ...Object.entries(lists).map(([name, list]) => async () => ({
        [name]: (await timed(() => repeatedly(listsPerRound, list))) / listsPerRound,
      })),
      async () => ({ [`report ${reportsPerRound} results`]: await timed(reportSome) }),
      async () => {
        await makeWait(database, queue, waiting)
        return {
          [`sweep, ${waitingCount} waiting`]: await timed(() => sweep({ database, queue, retryDelaySeconds: 60 })),
        }
      },
      () => claimAndComplete(database, queue),
    ],
    async close() {
      await queue.stop()
      await database.close()
    },
  }
}

/** This many deliveries, none of them waiting: the waiting ones are the same in every scene. */
async function fillTable(database: Database, count: number): Promise<string> {
  const filling = { series: 1, count, hours: 30 * 24, until: new Date(), failed: 2 }
  const organizationId = await fillDeliveries(database, filling)
  await database.query(sql`
    update deliveries set status = 'DELIVERED', delivered_at = updated_at where status = 'PENDING'`)
  return organizationId
}

function waitingDeliveries(database: Database): Promise<Job[]> {
  return database.query(sql`
    select id as "deliveryId", organization_id as "organizationId", round from deliveries where status = 'PENDING'`)
}

async function listings(database: Database, organizationId: string): Promise<Record<string, () => Promise<unknown>>> {
  const [deep] = await database.query<{ id: string; resultId: string; createdAt: string }>(sql`
    select id, result_id as "resultId", created_at as "createdAt" from deliveries
    where organization_id = ${organizationId} order by created_at desc offset 1000 limit 1`)
  if (!deep) throw new Error('There are too few deliveries')
  const list = (filter: Parameters<typeof listDeliveryRows>[2]) => () =>
    listDeliveryRows(database, organizationId, filter)
  return {
    'list the first page': list({ limit: 50 }),
    'list a later page': list({ limit: 50, cursor: encodeCursor([deep.createdAt, deep.id]) }),
    'filter by status': list({ limit: 50, status: 'FAILED' }),
    'filter by error': list({ limit: 50, error: 'TIMEOUT' }),
    'filter by result': list({ limit: 50, search: deep.resultId }),
  }
}

/** Resets the same deliveries every time: they wait for their first attempt, with a job each, for over a minute. */
async function makeWait(database: Database, queue: DeliveryQueue, waiting: Job[]): Promise<void> {
  const ids = waiting.map(({ deliveryId }) => deliveryId)
  const others = await database.query<{ id: string }>(sql`
    update deliveries set status = 'DELIVERED', delivered_at = created_at
    where status = 'PENDING' and id <> all(${ids}) returning id`)
  await removeJobs(database, [...ids, ...others.map(({ id }) => id)])
  await database.query(sql`delete from delivery_attempts where delivery_id = any(${ids})`)
  await database.query(sql`
    update deliveries set status = 'PENDING', attempts = 0, delivered_at = null, updated_at = now() - interval '2 minutes'
    where id = any(${ids})`)
  await queue.enqueue(waiting)
}

/** Claims and loads all waiting deliveries, then settles them all. */
async function claimAndComplete(database: Database, queue: DeliveryQueue): Promise<Record<string, number>> {
  const loader = createDeliveryLoader(database)
  const claimed = Promise.withResolvers<void>()
  const settled = Promise.withResolvers<void>()
  const settlements: Settlement[] = []
  const started = performance.now()
  const consumer = queue.consume({
    capacity: waitingCount,
    perOrganization: waitingCount,
    report: (problem, error) => settled.reject(new Error(problem, { cause: error })),
    async handle(job) {
      await loader.load(job.deliveryId)
      settlements.push({
        job,
        outcome: 'delivered',
        attempt: { ...arrived, number: 1, startedAt: now, finishedAt: now },
      })
      if (settlements.length === waitingCount) claimed.resolve()
      await settled.promise
    },
  })
  await Promise.race([claimed.promise, settled.promise])
  const between = performance.now()
  for (let first = 0; first < waitingCount; first += batchSize) {
    await settle(database, settlements.slice(first, first + batchSize))
  }
  const ended = performance.now()
  settled.resolve()
  await consumer.stop()
  return {
    [`claim ${waitingCount} deliveries`]: between - started,
    [`settle ${waitingCount} deliveries`]: ended - between,
  }
}

const batchSize = 64
const now = new Date()

const arrived: AttemptReport = {
  error: null,
  code: null,
  phase: null,
  detail: null,
  status: 200,
  url: 'https://hooks.example.com/events',
  address: '127.0.0.1',
  answer: Buffer.alloc(0),
  headers: [['content-length', '0']],
  retryAfterSeconds: null,
  timing: { dns: 1, connect: null, tls: null, firstByte: 5, total: 6 },
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

async function repeatedly(times: number, work: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < times; done++) await work()
}
