import type { Database } from '../../server/database/database.ts'
import type { Settlement } from '../../server/deliveries/transitions.ts'
import type { ClaimedJob } from '../../server/queue/queue.ts'

/** The statements to interleave. A test may replace one with a faulty version. */
export type Operations = {
  claim(database: Database): Promise<ClaimedJob | null>
  /** One statement at a time, so that other steps can come between them. */
  settle: ((database: Database, settlement: Settlement) => Promise<void>)[]
  retry(database: Database, deliveryId: string): Promise<unknown>
  redrive(database: Database, ids: string[]): Promise<unknown>
  sweep(database: Database): Promise<unknown>
}

/** Starting states, far enough into a delivery's life that a few steps reach every case. */
export const starts = ['fresh', 'before the last receive', 'exhausted', 'retried after exhaustion'] as const
export type Start = (typeof starts)[number]
