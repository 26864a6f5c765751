import sql, { join, type Sql } from 'sql-template-tag'
import type { Database, Queryable } from '../database/database.ts'
import { type Page, pageOf } from '../database/paging.ts'
import { recordActivity } from '../organizations/activity.ts'
import type { AttemptError, DeliveryStatus, FailureReason } from './outcome.ts'
import { restart } from './transitions.ts'

/** A job that used up its four receives, with the current state of its delivery, which may have been retried since. */
export type DeadLetter = {
  id: string
  deliveryId: string
  organizationId: string
  round: number
  deadSince: string
  organizationName: string
  status: DeliveryStatus
  failureReason: FailureReason | null
  lastError: AttemptError | null
}

export type LetterFilter = { organizationId?: string; error?: AttemptError; deadBefore?: Date }

export type LetterPosition = Pick<DeadLetter, 'id' | 'deadSince'>

const pageSize = 500

/** Newest first. */
export async function listDeadLetters(
  database: Queryable,
  filter: LetterFilter,
  { limit, after }: { limit: number; after?: LetterPosition },
): Promise<Page<DeadLetter>> {
  const conditions = [
    ...matching(filter),
    ...(after ? [sql`(l.dead_at, l.id) < (${after.deadSince}, ${after.id})`] : []),
  ]
  const found = await database.query<DeadLetter>(sql`
    select ${columns} from ${tables} where ${join(conditions, ' and ')}
    order by l.dead_at desc, l.id desc limit ${limit + 1}`)
  return pageOf(found, limit, ({ deadSince, id }) => [deadSince, id])
}

export async function countDeadLetters(database: Queryable, filter: LetterFilter, limit = 100_000): Promise<number> {
  const [counted] = await database.query<{ count: number }>(sql`
    select count(*) from (select from ${tables} where ${join(matching(filter), ' and ')} limit ${limit}) l`)
  return counted?.count ?? 0
}

export async function findDeadLetter(database: Queryable, id: string): Promise<DeadLetter | null> {
  if (!isLetterId(id)) return null
  const [letter] = await database.query<DeadLetter>(sql`select ${columns} from ${tables} where l.id = ${id}`)
  return letter ?? null
}

const columns = sql`l.id, l.delivery_id as "deliveryId", l.organization_id as "organizationId", l.round,
  l.dead_at as "deadSince", o.name as "organizationName", d.status, d.failure_reason as "failureReason",
  d.last_error as "lastError"`

const tables = sql`dead_letters l join deliveries d on d.id = l.delivery_id join organizations o on o.id = l.organization_id`

function matching({ organizationId, error, deadBefore }: LetterFilter): Sql[] {
  return [
    sql`true`,
    ...(organizationId === undefined ? [] : [sql`l.organization_id = ${organizationId}`]),
    ...(error === undefined ? [] : [sql`d.last_error = ${error}`]),
    ...(deadBefore === undefined ? [] : [sql`l.dead_at < ${deadBefore}`]),
  ]
}

export function isLetterId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}

/** `superseded`: the delivery has since moved on to another round. */
export type RedriveResult = { letter: DeadLetter; outcome: 'redriven' | 'delivered' | 'superseded' }

/**
 * Removes dead letters and starts the next round of their deliveries right away, with the same keys. A letter only
 * restarts a delivery that is still in the letter's round.
 */
export async function redrive(
  { database, wake }: { database: Database; wake: () => void },
  { ids, actor }: { ids: string[]; actor: string },
  now: Date,
): Promise<RedriveResult[]> {
  const redriven = await database.transaction(async (transaction) => {
    const letters = await transaction.query<DeadLetter>(sql`
      select ${columns} from ${tables} where l.id = any(${ids.filter(isLetterId)}::uuid[]) order by d.id
      -- In the order in which erasing a candidate locks them.
      for update of d, l`)
    await transaction.query(sql`delete from dead_letters where id = any(${letters.map(({ id }) => id)}::uuid[])`)
    const restarted = await transaction.query<{ id: string; round: number }>(sql`
      with chosen as (
        select * from unnest(${letters.map(({ deliveryId }) => deliveryId)}::text[],
          ${letters.map(({ round }) => round)}::int[]) as chosen (id, round)
      ), ${restart(sql`chosen`, { by: actor, delaySeconds: 0, now })}
      select id, round from restarted`)
    const started = new Map(restarted.map(({ id, round }) => [id, round]))
    // A delivery may also have letters from earlier rounds here.
    const isRestarted = ({ deliveryId, round }: DeadLetter) => started.get(deliveryId) === round + 1
    await recordRedrives(transaction, { letters: letters.filter(isRestarted), actor }, now)
    return letters.map((letter): RedriveResult => {
      if (isRestarted(letter)) return { letter, outcome: 'redriven' }
      return { letter, outcome: letter.status === 'DELIVERED' ? 'delivered' : 'superseded' }
    })
  })
  wake()
  return redriven
}

async function recordRedrives(
  transaction: Queryable,
  { letters, actor }: { letters: DeadLetter[]; actor: string },
  now: Date,
): Promise<void> {
  for (const [organizationId, group] of Map.groupBy(letters, (letter) => letter.organizationId)) {
    const ids = group.map(({ deliveryId }) => deliveryId)
    const entry =
      ids.length === 1
        ? ({ action: 'delivery.retried', subject: ids.join() } as const)
        : ({ action: 'deliveries.retried', subject: `${ids.length} deliveries` } as const)
    await recordActivity(transaction, { organizationId, actor, ...entry, detail: 'from the dead letters' }, now)
  }
}

/** Redrives the letters that match now, not those added while it runs. */
export async function redriveAll(
  dependencies: { database: Database; wake: () => void },
  { filter, actor }: { filter: LetterFilter; actor: string },
  clock: () => Date,
): Promise<Record<RedriveResult['outcome'], number>> {
  const counts = { redriven: 0, delivered: 0, superseded: 0 }
  for (let after: LetterPosition | undefined; ; ) {
    const { data } = await listDeadLetters(dependencies.database, filter, { limit: pageSize, ...(after && { after }) })
    after = data.at(-1)
    if (after === undefined) return counts
    const results = await redrive(dependencies, { ids: data.map(({ id }) => id), actor }, clock())
    for (const { outcome } of results) counts[outcome]++
  }
}
