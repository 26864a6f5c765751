import type { DeliveryPage, DeliveryRow } from '../../../server/http/settings/delivery-schemas.ts'

/** As much of the list as is on the page: without a gap, newest first, and the way on to older ones. */
export type List = { rows: DeliveryRow[]; nextCursor: string | null }

/** Puts a fresh first page in the place of what it covers; what is older stays, so that nothing under the eye moves. */
export function withNewest(list: List | undefined, page: DeliveryPage): List {
  const first = { rows: page.data, nextCursor: page.nextCursor }
  const last = page.data.at(-1)
  if (list === undefined || last === undefined || page.nextCursor === null) return first
  const known = new Set(list.rows.map(({ id }) => id))
  // More has come than a page holds: what lies between is not known, so the list begins anew.
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
