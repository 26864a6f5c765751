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
import { readJob } from '../../support/queue-hooks.ts'
import type { Operations, Start } from './interleaving-operations.ts'
import { passTime, readRecord, resetDelivery, storeResult } from './interleaving-store.ts'
import { createWorker, type SentRequest, type TestWorker } from './interleaving-worker.ts'

const now = new Date('2026-03-01T12:00:00.000Z')

export const realOperations: Operations = {
  async claim(database) {
    const slots = { free: 1, perOrganization: 32, freeByOrganization: new Map() }
    const { jobs } = await claimJobs(database, { after: '', slots, leaseSeconds: 10 })
    return jobs[0] ?? null
  },
  settle: [(database, settlement) => settle(database, [settlement])],
  retry: (database, id) =>
    database.transaction((transaction) => retryDelivery(transaction, { id, organizationId: null, by: 'admin' }, now)),
  redrive: (database, ids) => redrive({ database, wake: () => {} }, { ids, actor: 'operator' }, now),
  sweep: (database) => sweep({ database, queue: createPostgresQueue({ database }), retryDelaySeconds: 60 }),
}

export type Simulation = {
  begin(start: Start): Promise<void>
  /** The steps that are possible now. */
  steps(): Promise<string[]>
  /** Takes a step, and returns the rule it violated, if any. */
  take(step: string): Promise<string | null>
  /** Everything that determines what can follow. */
  state(): Promise<string>
  /** Runs everything to the end, and returns the rule that violated, if any. */
  finish(): Promise<string | null>
}

type DeliveryRecord = Awaited<ReturnType<typeof readRecord>>

/** What an outside observer has seen so far. */
type Observations = {
  requests: SentRequest[]
  claims: Map<number, number>
  rejectedRounds: Set<number>
  retriedRounds: Set<number>
  delivered: boolean
  erased: boolean
  enabled: boolean
}

export async function createSimulation(database: Database, operations: Operations): Promise<Simulation> {
  const stored = await storeResult(database, now)
  const { deliveryId, organizationId, resultId } = stored
  const loader = createDeliveryLoader(database)
  let workers: TestWorker[] = []
  let seen: Observations
  let record: DeliveryRecord

  async function begin(start: Start): Promise<void> {
    workers = ['one', 'two'].map((name) => createWorker({ name, database, loader, operations, onRequest }))
    seen = {
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

  let violation: string | null = null
  /** Called when a request is sent. The violation, if any, is reported at the end of the step. */
  function onRequest(request: SentRequest): void {
    seen.requests.push(request)
    const together = workers.filter((worker) => worker.state === 'sending' && !worker.leaseRanOut)
    if (together.length > 1) violation = 'two requests are in flight, and neither lease has expired'
    if (seen.rejectedRounds.has(request.round)) violation = `a request was sent in round ${request.round} after its 4xx`
    if (seen.delivered) violation = 'a request was sent after the delivery was DELIVERED'
    if (seen.erased) violation = 'a request was sent after the candidate was erased'
    if (!seen.enabled) violation = 'a request was sent after the webhook was disabled'
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
      ...(seen.erased ? [] : ['operator: erase']),
      seen.enabled ? 'admin: disable' : 'admin: enable',
    ]
  }

  async function take(step: string): Promise<string | null> {
    violation = null
    const before = record
    const settling = await act(step)
    record = await readRecord(database, deliveryId)
    return violation ?? violatedRule(before, record, settling)
  }

  /** Returns the settlement, if the step was one. */
  async function act(step: string): Promise<Settlement | null> {
    const [actor = '', what = ''] = step.split(': ')
    const worker = workers.find(({ name }) => actor === `worker ${name}`)
    if (worker) {
      const { claimed, settled } = await worker.take(what)
      if (claimed) seen.claims.set(claimed.round, (seen.claims.get(claimed.round) ?? 0) + 1)
      return settled
    }
    if (step === 'admin: retry') await operations.retry(database, deliveryId)
    if (step === 'operator: redrive') await operations.redrive(database, await lettersOf(database, deliveryId))
    if (step === 'sweep') await operations.sweep(database)
    if (step === 'admin: disable' || step === 'admin: enable') {
      seen.enabled = step === 'admin: enable'
      await setEndpointEnabled(database, organizationId, seen.enabled, now)
    }
    if (step === 'operator: erase') {
      await database.transaction((transaction) => eraseDeliveries(transaction, [resultId], now))
      seen.erased = true
    }
    if (step === 'time passes') {
      await passTime(database)
      for (const one of workers) one.leaseRanOut = true
    }
    return null
  }

  function violatedRule(before: DeliveryRecord, after: DeliveryRecord, settled: Settlement | null): string | null {
    if (before.status === 'DELIVERED' && after.status !== 'DELIVERED') return 'a DELIVERED record changed'
    seen.delivered = after.status === 'DELIVERED'
    if (after.round < before.round) return 'the round decreased'
    if (after.round > before.round) seen.retriedRounds.add(after.round)
    if (after.attempts > 4) return 'a round counts more than four attempts'
    if (settled?.outcome === 'delivered' && after.status !== 'DELIVERED')
      return 'an event arrived, but the record does not say so'
    if (settled?.outcome === 'rejected' && settled.job.round === before.round) {
      seen.rejectedRounds.add(before.round)
      if (after.status === 'PENDING') return 'a 4xx did not end its round'
    }
    const { round } = after
    const isUndone = after.status === 'FAILED' && !canceled.has(after.reason ?? '')
    if (seen.retriedRounds.has(round) && isUndone && (seen.claims.get(round) ?? 0) === 0) {
      return `a Retry was undone: round ${round} is FAILED although it was never claimed`
    }
    return null
  }

  async function state(): Promise<string> {
    const job = await readJob(database, deliveryId)
    const { erased, enabled, rejectedRounds, retriedRounds } = seen
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
    const last = createWorker({ name: 'three', database, loader, operations, onRequest })
    workers = [last]
    for (let round = 0; round < 12; round++) {
      for (const step of ['time passes', 'sweep']) {
        const broken = await take(step)
        if (broken) return `${broken} (while finishing)`
      }
      if (!(await readJob(database, deliveryId))) break
      for (const step of ['claim', 'load', 'configure', 'answer 200', 'settle']) {
        if (step !== 'claim' && !last.steps().includes(step)) continue
        const broken = await take(`worker three: ${step}`)
        if (broken) return `${broken} (while finishing)`
      }
    }
    return finalViolation()
  }

  async function finalViolation(): Promise<string | null> {
    if (record.status === 'PENDING') return 'the record stays PENDING forever'
    if (await readJob(database, deliveryId)) return 'a finished record still has a job'
    const unsent = [...seen.retriedRounds].filter((round) => !seen.requests.some((request) => request.round === round))
    const excused = seen.erased || !seen.enabled || record.status === 'DELIVERED' || canceled.has(record.reason ?? '')
    const crashedOut = unsent.every((round) => (seen.claims.get(round) ?? 0) > 0)
    if (unsent.length > 0 && !excused && !crashedOut) return `a Retry did not lead to a request: round ${unsent.join()}`
    if (seen.erased) return null
    const rows = await database.query<{ number: number; finished: boolean }>(sql`
      select number, finished_at is not null as finished from delivery_attempts where delivery_id = ${deliveryId}`)
    const numbers = new Map(rows.map(({ number, finished }) => [number, finished]))
    for (const { number, settled } of seen.requests) {
      if (!numbers.has(number)) return `request ${number} was sent, but is not in the history`
      if (settled && !numbers.get(number)) return `request ${number} got a response that is not in the history`
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
