import sql from 'sql-template-tag'
import { createBatcher } from '../database/batcher.ts'
import type { Database, Queryable } from '../database/database.ts'
import {
  joinThumbnail,
  readThumbnail,
  type StoredThumbnail,
  type ThumbnailColumns,
  thumbnailColumns,
} from '../images/thumbnail-store.ts'
import { type EventColumns, eventColumns, eventTables } from './event-source.ts'
import type { DeliveryStatus, FailureReason } from './outcome.ts'

/** A delivery with all that its event needs, as stored at this moment. A large image is not among it. */
export type LoadedDelivery = EventColumns & {
  deliveryId: string
  round: number
  status: DeliveryStatus
  failureReason: FailureReason | null
  earlierAttempts: number
  traceparent: string | null
  stored: StoredThumbnail | null
}

/** Where and how events may be sent at this moment, and whether they may. */
export type Configuration = {
  isCurrent: boolean
  erased: boolean
  active: boolean
  enabled: boolean
  url: string | null
  sealedSecret: Buffer | null
}

export type DeliveryLoader = {
  /** Null: there is no such delivery. */
  load(deliveryId: string): Promise<LoadedDelivery | null>
  /** What is in force now for this delivery in this round: asked right before its request leaves. */
  configuration(job: { deliveryId: string; round: number }): Promise<Configuration>
}

/** Attempts that begin at the same time share a statement. One whose row cannot be read fails alone. */
export function createDeliveryLoader(database: Database): DeliveryLoader {
  return {
    load: createBatcher((ids: string[]) => loadDeliveries(database, ids), { most: 128 }),
    configuration: createBatcher(
      (jobs: Parameters<DeliveryLoader['configuration']>[0][]) => readConfigurations(database, jobs),
      {
        most: 128,
      },
    ),
  }
}

export async function loadDeliveries(database: Queryable, ids: string[]): Promise<(LoadedDelivery | null)[]> {
  const rows = await database.query<Omit<LoadedDelivery, 'stored'> & ThumbnailColumns>(sql`
    select d.id as "deliveryId", d.round, d.status, d.failure_reason as "failureReason",
      d.earlier_attempts as "earlierAttempts", d.traceparent, ${eventColumns}, ${thumbnailColumns}
    from ${eventTables} ${joinThumbnail(sql`d.interview_id`)}
    where d.id = any(${ids})`)
  const byId = new Map(rows.map((row) => [row.deliveryId, row]))
  return ids.map((id) => {
    const row = byId.get(id)
    return row ? { ...row, stored: readThumbnail(row) } : null
  })
}

async function readConfigurations(
  database: Queryable,
  jobs: { deliveryId: string; round: number }[],
): Promise<Configuration[]> {
  const rows = await database.query<
    Omit<Configuration, 'isCurrent'> & { id: string; round: number; open: boolean }
  >(sql`
    select d.id, d.round, d.status = 'PENDING' as open, d.erased_at is not null as erased, o.active,
      coalesce(e.enabled, false) as enabled, e.url, e.sealed_secret as "sealedSecret"
    from deliveries d join organizations o on o.id = d.organization_id
    left join webhook_endpoints e on e.organization_id = d.organization_id
    where d.id = any(${jobs.map(({ deliveryId }) => deliveryId)})`)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return jobs.map(({ deliveryId, round }) => {
    const row = byId.get(deliveryId)
    if (!row) return { isCurrent: false, erased: false, active: false, enabled: false, url: null, sealedSecret: null }
    const { id: _, round: current, open, ...rest } = row
    return { ...rest, isCurrent: open && current === round }
  })
}
