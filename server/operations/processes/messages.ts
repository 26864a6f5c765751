import type { Snapshot } from '../metrics/metrics.ts'

export type ChildMessage =
  | { type: 'ready' }
  | { type: 'metrics'; requestId: number; snapshot: Snapshot | null }
  | { type: 'final-metrics'; snapshot: Snapshot }
  | { type: 'get-all-metrics'; requestId: number }

export type SupervisorMessage =
  | { type: 'replaced' }
  | { type: 'get-metrics'; requestId: number }
  /** Null: they could not be read. The supervisor has logged why. */
  | { type: 'all-metrics'; requestId: number; text: string | null }
