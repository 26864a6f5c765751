import sql from 'sql-template-tag'
import type { Database, Queryable } from '../../server/database/database.ts'
import { redrive } from '../../server/deliveries/dead-letters.ts'
import { retryDelivery } from '../../server/deliveries/delivery-history.ts'
import { eraseDeliveries } from '../../server/deliveries/erase-deliveries.ts'
import { createDeliveryLoader } from '../../server/deliveries/load.ts'
import { sweep } from '../../server/deliveries/sweep.ts'
import { type Settlement, settle } from '../../server/deliveries/transitions.ts'
import { setEndpointEnabled } from '../../server/endpoints/endpoint.ts'
import { claimJobs } from '../../server/queue/jobs.ts'
import { createPostgresQueue } from '../../server/queue/postgres-queue.ts'
import { readJob } from '../support/queue-hooks.ts'
import type { Operations, Start } from './interleaving-operations.ts'
import { passTime, readRecord, resetDelivery, storeResult } from './interleaving-store.ts'
import { createWorker, type Request, type TestWorker } from './interleaving-worker.ts'

const now = new Date('2026-03-01T12:00:00.000Z')

export const realOperations: Operations = {
  async claim(database) {
    const places = { free: 1, perOrganization: 32, ofOrganizations: new Map() }
    const { jobs } = await claimJobs(database, { after: '', places, leaseSeconds: 10 })
    return jobs[0] ?? null
  },
  settle: [(database, settlement) => settle(database, [settlement])],
  retry: (database, id) =>
    database.transaction((transaction) => retryDelivery(transaction, { id, organizationId: 'any', by: 'admin' }, now)),
  redrive: (database, ids) => redrive({ database, wake: () => {} }, { ids, actor: 'operator' }, now),
  sweep: (database) => sweep({ database, queue: createPostgresQueue({ database }), retryDelaySeconds: 60 }),
}

export type Scene = {
  begin(start: Start): Promise<void>
  /** What can happen now. */
  steps(): Promise<string[]>
  /** Takes a step, and says which rule it broke. */
  take(step: string): Promise<string | null>
  /** All that decides what can follow. */
  state(): Promise<string>
  /** Lets whatever is left happen, and says which rule that broke. */
  finish(): Promise<string | null>
}

type Seen = Awaited<ReturnType<typeof readRecord>>

/** What has happened in this order so far, as somebody saw it who stood beside it. */
type Story = {
  requests: Request[]
  claims: Map<number, number>
  rejectedRounds: Set<number>
  retriedRounds: Set<number>
  delivered: boolean
  erased: boolean
  enabled: boolean
}

export async function createScene(database: Database, operations: Operations): Promise<Scene> {
  const stored = await storeResult(database, now)
  const { deliveryId, organizationId, resultId } = stored
  const loader = createDeliveryLoader(database)
  let workers: TestWorker[] = []
  let story: Story
  let record: Seen

  async function begin(start: Start): Promise<void> {
    workers = ['one', 'two'].map((name) => createWorker({ name, database, loader, operations, left }))
    story = {
      requests: [],
      claims: new Map(),
      rejectedRounds: new Set(),
      retriedRounds: new Set(),
      delivered: false,
      erased: false,
      enabled: true,
    }
    await resetDelivery(database, stored, start)
    record = await readRecord(database, deliveryId)
  }

  /** A request leaves. What is wrong with that is found when the step ends. */
  let fault: string | null = null
  function left(request: Request): void {
    story.requests.push(request)
    const together = workers.filter((worker) => worker.state === 'sending' && !worker.leaseRanOut)
    if (together.length > 1) fault = 'two requests are under way, and neither lease has run out'
    if (story.rejectedRounds.has(request.round)) fault = `a request left in round ${request.round} after its 4xx`
    if (story.delivered) fault = 'a request left after the delivery was DELIVERED'
    if (story.erased) fault = 'a request left after the candidate was erased'
    if (!story.enabled) fault = 'a request left after the webhook was disabled'
  }

  async function steps(): Promise<string[]> {
    const letters = await lettersOf(database, deliveryId)
    const job = await readJob(database, deliveryId)
    const idle = workers.find((worker) => worker.state === 'idle')
    return [
      ...(idle && job ? [`worker ${idle.name}: claim`] : []),
      ...workers.flatMap((worker) => worker.steps().map((step) => `worker ${worker.name}: ${step}`)),
      ...(record.status === 'FAILED' ? ['admin: retry'] : []),
      ...(letters.length > 0 ? ['operator: redrive'] : []),
      ...(job ? ['time passes'] : []),
      'sweep',
      ...(story.erased ? [] : ['operator: erase']),
      story.enabled ? 'admin: disable' : 'admin: enable',
    ]
  }

  async function take(step: string): Promise<string | null> {
    fault = null
    const before = record
    const settling = await act(step)
    record = await readRecord(database, deliveryId)
    return fault ?? brokenRule(before, record, settling)
  }

  /** What was settled, if that is what happened. */
  async function act(step: string): Promise<Settlement | null> {
    const [actor = '', what = ''] = step.split(': ')
    const worker = workers.find(({ name }) => actor === `worker ${name}`)
    if (worker) {
      const { claimed, settled } = await worker.take(what)
      if (claimed) story.claims.set(claimed.round, (story.claims.get(claimed.round) ?? 0) + 1)
      return settled
    }
    if (step === 'admin: retry') await operations.retry(database, deliveryId)
    if (step === 'operator: redrive') await operations.redrive(database, await lettersOf(database, deliveryId))
    if (step === 'sweep') await operations.sweep(database)
    if (step === 'admin: disable' || step === 'admin: enable') {
      story.enabled = step === 'admin: enable'
      await setEndpointEnabled(database, organizationId, story.enabled, now)
    }
    if (step === 'operator: erase') {
      await database.transaction((transaction) => eraseDeliveries(transaction, [resultId], now))
      story.erased = true
    }
    if (step === 'time passes') {
      await passTime(database)
      for (const one of workers) one.leaseRanOut = true
    }
    return null
  }

  function brokenRule(before: Seen, after: Seen, settled: Settlement | null): string | null {
    if (before.status === 'DELIVERED' && after.status !== 'DELIVERED') return 'a DELIVERED record did not stay so'
    story.delivered = after.status === 'DELIVERED'
    if (after.round < before.round) return 'the round went back'
    if (after.round > before.round) story.retriedRounds.add(after.round)
    if (after.attempts > 4) return 'a round counts more than four attempts'
    if (settled?.outcome === 'delivered' && after.status !== 'DELIVERED')
      return 'an event arrived, and the record does not say so'
    if (settled?.outcome === 'rejected' && settled.job.round === before.round) {
      story.rejectedRounds.add(before.round)
      if (after.status === 'PENDING') return 'a 4xx did not end its round'
    }
    const { round } = after
    const isUndone = after.status === 'FAILED' && !canceled.has(after.reason ?? '')
    if (story.retriedRounds.has(round) && isUndone && (story.claims.get(round) ?? 0) === 0) {
      return `a Retry was undone: round ${round} is FAILED and nobody has claimed it`
    }
    return null
  }

  async function state(): Promise<string> {
    const job = await readJob(database, deliveryId)
    const { erased, enabled, rejectedRounds, retriedRounds } = story
    return JSON.stringify([
      record,
      job && [job.round, job.receives, job.leased, job.dueInSeconds > 0],
      (await lettersOf(database, deliveryId)).length,
      workers.map((worker) => worker.fingerprint()),
      [erased, enabled, [...rejectedRounds], [...retriedRounds]],
    ])
  }

  async function finish(): Promise<string | null> {
    for (const worker of workers) if (worker.state !== 'idle') await worker.take('crash')
    const last = createWorker({ name: 'three', database, loader, operations, left })
    workers = [last]
    for (let round = 0; round < 12; round++) {
      for (const step of ['time passes', 'sweep']) {
        const broken = await take(step)
        if (broken) return `${broken} (in the end)`
      }
      if (!(await readJob(database, deliveryId))) break
      for (const step of ['claim', 'load', 'configure', 'answer 200', 'settle']) {
        if (step !== 'claim' && !last.steps().includes(step)) continue
        const broken = await take(`worker three: ${step}`)
        if (broken) return `${broken} (in the end)`
      }
    }
    return brokenInTheEnd()
  }

  async function brokenInTheEnd(): Promise<string | null> {
    if (record.status === 'PENDING') return 'the record is PENDING for ever'
    if (await readJob(database, deliveryId)) return 'a job is left for a record that has ended'
    const unsent = [...story.retriedRounds].filter(
      (round) => !story.requests.some((request) => request.round === round),
    )
    const excused = story.erased || !story.enabled || record.status === 'DELIVERED' || canceled.has(record.reason ?? '')
    const crashedOut = unsent.every((round) => (story.claims.get(round) ?? 0) > 0)
    if (unsent.length > 0 && !excused && !crashedOut) return `a Retry did not lead to a request: round ${unsent.join()}`
    if (story.erased) return null
    const rows = await database.query<{ number: number; finished: boolean }>(sql`
      select number, finished_at is not null as finished from delivery_attempts where delivery_id = ${deliveryId}`)
    const numbers = new Map(rows.map(({ number, finished }) => [number, finished]))
    for (const { number, settled } of story.requests) {
      if (!numbers.has(number)) return `request ${number} left, and the history does not know`
      if (settled && !numbers.get(number)) return `request ${number} was answered, and the history does not say how`
    }
    return null
  }

  return { begin, steps, take, state, finish }
}

const canceled = new Set(['WEBHOOK_DISABLED', 'ORGANIZATION_INACTIVE', 'CANDIDATE_ERASED'])

async function lettersOf(database: Queryable, deliveryId: string): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    select id from dead_letters where delivery_id = ${deliveryId} order by round`)
  return rows.map(({ id }) => id)
}
