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

type Position = Pick<DeliveryRow, 'id' | 'createdAt'>

export type NeighborRows = { previous: Position | undefined; next: Position | undefined }

/**
 * The rows above and below a delivery or, if it has left the list as a retried one leaves the failures, its place.
 * Null if it is further down than what is loaded.
 */
export function neighborsOf({ rows, nextCursor }: List, delivery: Position): NeighborRows | null {
  const previous = rows.findLast((row) => isOlder(delivery, row))
  const next = rows.find((row) => isOlder(row, delivery))
  const isLoaded = next !== undefined || nextCursor === null || rows.at(-1)?.id === delivery.id
  return isLoaded ? { previous, next } : null
}

function isOlder(row: Position, than: Position): boolean {
  return row.createdAt === than.createdAt ? row.id < than.id : row.createdAt < than.createdAt
}
