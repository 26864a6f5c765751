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
import { perSecond, type Turn, takeTurns } from '../queue/pace.ts'
import type { ClaimedJob, Job } from '../queue/queue.ts'
import { type EventColumns, eventColumns, eventTables } from './event-source.ts'
import type { DeliveryStatus, FailureReason } from './outcome.ts'

/** A delivery with everything its event needs, as currently stored. Large images are loaded separately. */
export type LoadedDelivery = EventColumns & {
  deliveryId: string
  round: number
  status: DeliveryStatus
  failureReason: FailureReason | null
  earlierAttempts: number
  traceparent: string | null
  stored: StoredThumbnail | null
  /** As of the moment of loading. */
  configuration: Configuration
}

/** Where and how events are sent right now, and whether they may be sent at all. */
export type Configuration = {
  isCurrent: boolean
  erased: boolean
  active: boolean
  enabled: boolean
  url: string | null
  sealedSecret: Buffer | null
  /** What is left of the pause the receiver asked for. */
  pauseSeconds: number | null
  /** Sending takes a turn. */
  paced: boolean
}

export type DeliveryLoader = {
  load(deliveryId: string): Promise<LoadedDelivery | null>
  /** The current configuration for this delivery and round, for a request that leaves some time after loading. */
  configuration(job: JobRound): Promise<Configuration>
  /** Takes a turn for a job that was claimed without one. */
  turn(job: ClaimedJob): Promise<Turn>
}

type JobRound = Pick<Job, 'deliveryId' | 'round'>

/**
 * Attempts that start at the same time share a statement, and each goes on as soon as its row has arrived. If one row can't
 * be read, only that attempt fails.
 */
export function createDeliveryLoader(database: Database): DeliveryLoader {
  return {
    load: createBatcher((ids: string[], answer: Answer) => loadDeliveries(database, ids, answer), { maxSize: 128 }),
    configuration: createBatcher((jobs: JobRound[]) => readConfigurations(database, jobs), { maxSize: 128 }),
    turn: createBatcher((jobs: ClaimedJob[]) => takeTurns(database, jobs), { maxSize: 128 }),
  }
}

type Answer = (index: number, delivery: LoadedDelivery) => void

type Row = Omit<LoadedDelivery, 'stored' | 'configuration'> & ThumbnailColumns & ConfigurationColumns

export async function loadDeliveries(
  database: Queryable,
  ids: string[],
  answer: Answer = () => {},
): Promise<(LoadedDelivery | null)[]> {
  const loaded: (LoadedDelivery | null)[] = ids.map(() => null)
  const indexes = Map.groupBy(ids.keys(), (index) => ids[index])
  const use = (row: Row) => {
    for (const index of indexes.get(row.deliveryId) ?? []) {
      const delivery = readDelivery(row)
      loaded[index] = delivery
      answer(index, delivery)
    }
    // Only `stored` may hold the image, because it lets go of it. The row lives until the last one has arrived.
    row.thumbnailBase64 = null
  }
  const statement = sql`
    select d.id as "deliveryId", d.status, d.failure_reason as "failureReason",
      d.earlier_attempts as "earlierAttempts", d.traceparent, ${eventColumns}, ${thumbnailColumns}, ${configurationColumns}
    from ${eventTables} ${joinThumbnail(sql`d.interview_id`)} ${configurationJoins}
    where d.id = any(${ids})`
  await database.query<Row>(statement, use)
  return loaded
}

function readDelivery(row: Row): LoadedDelivery {
  const { thumbnailBase64: _, ...delivery } = row
  return { ...delivery, stored: readThumbnail(row), configuration: readConfiguration(row, row.round) }
}

async function readConfigurations(database: Queryable, jobs: JobRound[]): Promise<Configuration[]> {
  const rows = await database.query<ConfigurationColumns & { id: string }>(sql`
    select d.id, ${configurationColumns} from deliveries d ${configurationJoins}
    where d.id = any(${jobs.map(({ deliveryId }) => deliveryId)})`)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return jobs.map(({ deliveryId, round }) => {
    const row = byId.get(deliveryId)
    return row ? readConfiguration(row, round) : missing
  })
}

type ConfigurationColumns = Omit<Configuration, 'isCurrent'> & { round: number; open: boolean }

const configurationColumns = sql`
  d.round, d.status = 'PENDING' as open, d.erased_at is not null as erased, o.active,
  coalesce(e.enabled, false) as enabled, e.url, e.sealed_secret as "sealedSecret", ${perSecond} is not null as paced,
  case when p.paused_until > now() then extract(epoch from p.paused_until - now())::float8 end as "pauseSeconds"`

const configurationJoins = sql`
  join organizations o on o.id = d.organization_id
  left join webhook_endpoints e on e.organization_id = d.organization_id
  left join endpoint_paces p on p.organization_id = d.organization_id`

function readConfiguration(row: ConfigurationColumns, round: number): Configuration {
  const { erased, active, enabled, url, sealedSecret, paced, pauseSeconds } = row
  const isCurrent = row.open && row.round === round
  return { isCurrent, erased, active, enabled, url, sealedSecret, paced, pauseSeconds }
}

const missing: Configuration = {
  isCurrent: false,
  erased: false,
  active: false,
  enabled: false,
  url: null,
  sealedSecret: null,
  pauseSeconds: null,
  paced: false,
}
