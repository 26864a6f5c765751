import type { Queryable } from '../../database/database.ts'
import type { Page } from '../../database/paging.ts'
import { type DeliveryFilter, type DeliveryRow, listDeliveryRows } from '../../deliveries/delivery-table.ts'
import { eventId } from '../../deliveries/event.ts'
import { type Activity, listActivity } from '../../organizations/activity.ts'
import { byteOrderMark, toCsv } from './csv.ts'

const pageSize = 500
/** More than a spreadsheet is good for. */
const maxExportedRows = 10_000

const deliveryColumns: [name: string, of: (row: DeliveryRow) => string | number | null][] = [
  ['delivery_id', ({ id }) => id],
  ['result_id', ({ resultId }) => resultId],
  ['event_id', ({ resultId }) => eventId(resultId)],
  ['invitation_id', ({ invitationId }) => invitationId],
  ['candidate_email', ({ candidate }) => candidate.email],
  ['candidate_first_name', ({ candidate }) => candidate.firstName],
  ['candidate_last_name', ({ candidate }) => candidate.lastName],
  ['template_id', ({ templateId }) => templateId],
  ['template', ({ templateName }) => templateName],
  ['status', ({ status }) => status],
  ['failure_reason', ({ failureReason }) => failureReason],
  ['last_error', ({ lastError }) => lastError],
  ['attempts', ({ attempts }) => attempts],
  ['created_at', ({ createdAt }) => createdAt],
  ['delivered_at', ({ deliveredAt }) => deliveredAt],
  ['next_attempt_at', ({ nextAttemptAt }) => nextAttemptAt],
  ['total_attempts', ({ totalAttempts }) => totalAttempts],
]

const activityColumns: [name: string, of: (entry: Activity) => string | null][] = [
  ['at', ({ at }) => at],
  ['actor', ({ actor }) => actor],
  ['action', ({ action }) => action],
  ['subject', ({ subject }) => subject],
  ['detail', ({ detail }) => detail],
  ['ends_at', ({ endsAt }) => endsAt],
]

/** Newest first, a page at a time. */
export function exportDeliveries(
  database: Queryable,
  organizationId: string,
  filter: DeliveryFilter,
): AsyncGenerator<string> {
  return exported(deliveryColumns, (paging) => listDeliveryRows(database, organizationId, { ...filter, ...paging }))
}

export function exportActivity(database: Queryable, organizationId: string): AsyncGenerator<string> {
  return exported(activityColumns, (paging) => listActivity(database, organizationId, paging))
}

type Paging = { limit: number; cursor?: string }

async function* exported<Row>(
  columns: [name: string, of: (row: Row) => string | number | null][],
  list: (paging: Paging) => Promise<Page<Row> | 'invalid_cursor'>,
): AsyncGenerator<string> {
  yield byteOrderMark + toCsv([columns.map(([name]) => name)])
  let cursor: string | null = null
  for (let count = 0; count < maxExportedRows; count += pageSize) {
    const page: Page<Row> | 'invalid_cursor' = await list({ limit: pageSize, ...(cursor !== null && { cursor }) })
    if (page === 'invalid_cursor') throw new Error('A cursor of our own was rejected')
    yield toCsv(page.data.map((row) => columns.map(([, of]) => of(row))))
    cursor = page.nextCursor
    if (cursor === null) return
  }
}
