import sql from 'sql-template-tag'
import type { Database, Queryable } from '../database/database.ts'
import { recordActivity } from '../organizations/activity.ts'
import type { DeadLetter, DeliveryQueue } from '../queue/queue.ts'
import { type AttemptError, type DeliveryStatus, deliveryKey, type FailureReason } from './deliveries.ts'

type Dependencies = { database: Database; queue: DeliveryQueue }

/** A dead letter, and how its delivery stands now: it may have been retried since. */
export type ExplainedLetter = DeadLetter & {
  organizationName: string
  status: DeliveryStatus
  failureReason: FailureReason | null
  lastError: AttemptError | null
}

export type LetterFilter = { organizationId?: string; error?: AttemptError; deadBefore?: Date }

export type LetterPlace = Pick<DeadLetter, 'id' | 'deadSince'>

const pageSize = 500

/** Those that match, newest first, and where the next ones begin. */
export async function listDeadLetters(
  dependencies: Dependencies,
  filter: LetterFilter,
  { limit, after }: { limit: number; after?: LetterPlace },
): Promise<{ data: ExplainedLetter[]; next: LetterPlace | null }> {
  const data: ExplainedLetter[] = []
  for await (const letter of deadLetters(dependencies, filter, after)) {
    const last = data.at(-1)
    if (last && data.length === limit) return { data, next: { id: last.id, deadSince: last.deadSince } }
    data.push(letter)
  }
  return { data, next: null }
}

export async function countDeadLetters(dependencies: Dependencies, filter: LetterFilter): Promise<number> {
  let count = 0
  for await (const _ of deadLetters(dependencies, filter)) count++
  return count
}

export async function findDeadLetter({ database, queue }: Dependencies, id: string): Promise<ExplainedLetter | null> {
  const [letter] = await explained(database, await queue.deadLetters({ id, limit: 1 }))
  return letter ?? null
}

async function* deadLetters(
  { database, queue }: Dependencies,
  { error, ...filter }: LetterFilter,
  after?: LetterPlace,
): AsyncGenerator<ExplainedLetter> {
  for (let place = after; ; ) {
    const page = await queue.deadLetters({ ...filter, limit: pageSize, ...(place && { after: place }) })
    for (const letter of await explained(database, page)) {
      if (error === undefined || letter.lastError === error) yield letter
    }
    place = page.at(-1)
    if (page.length < pageSize) return
  }
}

async function explained(database: Database, letters: DeadLetter[]): Promise<ExplainedLetter[]> {
  const rows = await database.query<{ deliveryId: string } & Omit<ExplainedLetter, keyof DeadLetter>>(sql`
    select d.id as "deliveryId", o.name as "organizationName", d.status, d.failure_reason as "failureReason",
      d.last_error as "lastError"
    from deliveries d join organizations o on o.id = d.organization_id
    where d.id = any(${letters.map(({ deliveryId }) => deliveryId)})`)
  const deliveries = new Map(rows.map((row) => [row.deliveryId, row]))
  return letters.flatMap((letter) => {
    const delivery = deliveries.get(letter.deliveryId)
    return delivery ? [{ ...letter, ...delivery }] : []
  })
}

export type Redriven = { letter: DeadLetter; outcome: 'redriven' | 'delivered' }

/** Takes jobs out of the dead-letter queue and starts their deliveries over, at once and with the same keys. */
export async function redrive(
  { database, queue }: Dependencies,
  { ids, actor }: { ids: string[]; actor: string },
  now: Date,
): Promise<Redriven[]> {
  const letters = await queue.removeDeadLetters(ids)
  // Should this process end here, the record is still PENDING for the sweep, or FAILED for an admin's Retry.
  const deliveries = await database.transaction(async (transaction) => {
    const started = await transaction.query<Started>(sql`
      update deliveries set status = 'PENDING', failure_reason = null, attempts = 0, round_started_at = now(),
        updated_at = ${now}
      where id = any(${letters.map(({ deliveryId }) => deliveryId)}) and status <> 'DELIVERED'
      returning id as "deliveryId", result_id as "resultId", organization_id as "organizationId"`)
    await tellOrganizations(transaction, { started, actor }, now)
    return started
  })
  await queue.enqueueAll(
    deliveries.map(({ resultId, ...delivery }) => ({ ...delivery, deliveryKey: deliveryKey(resultId) })),
  )
  const started = new Set(deliveries.map(({ deliveryId }) => deliveryId))
  return letters.map((letter) => ({ letter, outcome: started.has(letter.deliveryId) ? 'redriven' : 'delivered' }))
}

type Started = { deliveryId: string; resultId: string; organizationId: string }

async function tellOrganizations(
  transaction: Queryable,
  { started, actor }: { started: Started[]; actor: string },
  now: Date,
): Promise<void> {
  for (const [organizationId, theirs] of Map.groupBy(started, (one) => one.organizationId)) {
    const ids = theirs.map(({ deliveryId }) => deliveryId)
    const done =
      ids.length === 1
        ? ({ action: 'delivery.retried', subject: ids.join() } as const)
        : ({ action: 'deliveries.retried', subject: `${ids.length} deliveries` } as const)
    await recordActivity(transaction, { organizationId, actor, ...done, detail: 'from the dead letters' }, now)
  }
}

/** All that match now; those that die meanwhile are left for another time. */
export async function redriveAll(
  dependencies: Dependencies,
  { filter, actor }: { filter: LetterFilter; actor: string },
  clock: () => Date,
): Promise<{ redriven: number; delivered: number }> {
  const ids = (await listDeadLetters(dependencies, filter, { limit: Number.MAX_SAFE_INTEGER })).data.map(({ id }) => id)
  const done = { redriven: 0, delivered: 0 }
  for (let first = 0; first < ids.length; first += pageSize) {
    const some = await redrive(dependencies, { ids: ids.slice(first, first + pageSize), actor }, clock())
    for (const { outcome } of some) done[outcome]++
  }
  return done
}
