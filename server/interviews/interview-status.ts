import sql, { type Sql } from 'sql-template-tag'

export const interviewStatuses = [
  'SCHEDULED',
  'IN_PROGRESS',
  'PAUSED',
  'PROCESSING',
  'COMPLETED',
  'EXPIRED',
  'FAILED',
  'CANCELLED',
] as const
export type InterviewStatus = (typeof interviewStatuses)[number]

const lapsed: ReadonlySet<InterviewStatus> = new Set(['EXPIRED', 'FAILED', 'CANCELLED'])

/** Ended without a result. */
export function hasLapsed(status: InterviewStatus): boolean {
  return lapsed.has(status)
}

export function isOver(status: InterviewStatus): boolean {
  return status === 'COMPLETED' || hasLapsed(status)
}

/** The status of interview `i`. Expiry is computed here; nothing writes it when the time comes. */
export function statusAt(now: Date | Sql): Sql {
  const time = now instanceof Date ? sql`${now}::timestamptz` : now
  return sql`case when i.status = 'SCHEDULED' and i.expires_at <= ${time} then 'EXPIRED' else i.status end`
}
