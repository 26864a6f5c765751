import type { Snapshot } from '../metrics/metrics.ts'

/** What a process says to the one that keeps it. */
export type FromMember =
  | { type: 'ready' }
  | { type: 'metrics'; question: number; snapshot: Snapshot }
  /** The last word of a process that ends. */
  | { type: 'last metrics'; snapshot: Snapshot }
  /** Somebody asks this process for the metrics of all. */
  | { type: 'all metrics?'; question: number }

/** What the keeper says to a process. */
export type ToMember =
  /** Another one has taken its place. */
  | { type: 'replaced' }
  | { type: 'metrics?'; question: number }
  | { type: 'all metrics'; question: number; text: string }
