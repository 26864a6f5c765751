import type { DeliveryPage, DeliveryRow } from '../../../server/http/settings/delivery-schemas.ts'

/**
 * The loaded part of the list: newest first, without gaps, and the cursor for older rows. `added` by asking for older
 * ones, not by new ones that arrived.
 */
export type List = { rows: DeliveryRow[]; nextCursor: string | null; added: number }

/**
 * How many rows to fetch again. Those that new ones have pushed down stay for a while, so that nothing moves while you
 * read, but a page that stays open all day must not ask for a whole day every few seconds.
 */
export function rowsToRefresh(
  list: List | undefined,
  { pageSize, slack }: { pageSize: number; slack: number },
): number {
  if (list === undefined) return pageSize
  return Math.min(Math.max(list.rows.length, pageSize), pageSize + list.added + slack)
}

/**
 * Replaces the rows that a fresh first page of the `wanted` rows covers. Older ones, which new ones have pushed out of it,
 * stay, unless there are more than wanted.
 */
export function withNewest(list: List | undefined, page: DeliveryPage, wanted: number): List {
  const first = { rows: page.data, nextCursor: page.nextCursor, added: list?.added ?? 0 }
  const last = page.data.at(-1)
  if (list === undefined || last === undefined || page.nextCursor === null) return first
  const known = new Set(list.rows.map(({ id }) => id))
  // More rows arrived than fit on a page: there may be a gap, so the list starts over.
  if (!page.data.some(({ id }) => known.has(id))) return { ...first, added: 0 }
  const older = list.rows.filter((row) => isOlder(row, last))
  if (older.length === 0 || list.rows.length > wanted) return first
  return { ...first, rows: [...page.data, ...older], nextCursor: list.nextCursor }
}

export function withOlder(list: List, page: DeliveryPage): List {
  const known = new Set(list.rows.map(({ id }) => id))
  const older = page.data.filter(({ id }) => !known.has(id))
  return { rows: [...list.rows, ...older], nextCursor: page.nextCursor, added: list.added + older.length }
}

type Position = Pick<DeliveryRow, 'id' | 'createdAt'>

export type NeighborRows = {
  previous: Position | undefined
  next: Position | undefined
  /** The cursor of the page that the next row is on, if it isn't loaded yet. */
  older: string | null
}

/**
 * The rows above and below a delivery or, if it has left the list as a retried one leaves the failures, its place.
 * Null if it is further down than what is loaded.
 */
export function neighborsOf({ rows, nextCursor }: List, delivery: Position): NeighborRows | null {
  const previous = rows.findLast((row) => isOlder(delivery, row))
  const next = rows.find((row) => isOlder(row, delivery))
  const isLoaded = next !== undefined || nextCursor === null || rows.at(-1)?.id === delivery.id
  return isLoaded ? { previous, next, older: next ? null : nextCursor } : null
}

function isOlder(row: Position, than: Position): boolean {
  return row.createdAt === than.createdAt ? row.id < than.id : row.createdAt < than.createdAt
}
