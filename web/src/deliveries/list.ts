import type { DeliveryPage, DeliveryRow } from '../../../server/http/settings/delivery-schemas.ts'

/** The loaded part of the list: newest first, without gaps, and the cursor for older rows. */
export type List = { rows: DeliveryRow[]; nextCursor: string | null }

/** Replaces the rows a fresh first page covers and keeps the older ones, so nothing moves while you read. */
export function withNewest(list: List | undefined, page: DeliveryPage): List {
  const first = { rows: page.data, nextCursor: page.nextCursor }
  const last = page.data.at(-1)
  if (list === undefined || last === undefined || page.nextCursor === null) return first
  const known = new Set(list.rows.map(({ id }) => id))
  // More rows arrived than fit on a page: there may be a gap, so the list starts over.
  if (!page.data.some(({ id }) => known.has(id))) return first
  const older = list.rows.filter((row) => isOlder(row, last))
  return older.length === 0 ? first : { rows: [...page.data, ...older], nextCursor: list.nextCursor }
}

export function withOlder(list: List, page: DeliveryPage): List {
  const known = new Set(list.rows.map(({ id }) => id))
  return { rows: [...list.rows, ...page.data.filter(({ id }) => !known.has(id))], nextCursor: page.nextCursor }
}

function isOlder(row: DeliveryRow, than: DeliveryRow): boolean {
  return row.createdAt === than.createdAt ? row.id < than.id : row.createdAt < than.createdAt
}
