import type { Database } from '../../server/database/database.ts'
import type { Settlement } from '../../server/deliveries/transitions.ts'
import type { ClaimedJob } from '../../server/queue/queue.ts'

/** The statements that are put into order. A test may put a fault back in their place. */
export type Operations = {
  claim(database: Database): Promise<ClaimedJob | null>
  /** One statement after the other, so that something can come between them. */
  settle: ((database: Database, settlement: Settlement) => Promise<void>)[]
  retry(database: Database, deliveryId: string): Promise<unknown>
  redrive(database: Database, ids: string[]): Promise<unknown>
  sweep(database: Database): Promise<unknown>
}

/** Where orders begin: far enough into a delivery's life that a few steps reach every corner of it. */
export const starts = ['fresh', 'before the last receive', 'exhausted', 'retried after it was exhausted'] as const
export type Start = (typeof starts)[number]
