export type Page<Item> = { data: Item[]; nextCursor: string | null }

/** From up to `limit + 1` rows. `keyOf` returns the sort key of a row, from which the next page continues. */
export function pageOf<Row>(rows: Row[], limit: number, keyOf: (row: Row) => (string | number)[]): Page<Row> {
  const data = rows.slice(0, limit)
  const last = rows.length > limit ? data.at(-1) : undefined
  return { data, nextCursor: last === undefined ? null : encodeCursor(keyOf(last)) }
}

export const maxCursorLength = 2_048

/** Opaque to clients but not secret: the parts are the sort key of the last row. */
export function encodeCursor(parts: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** Null for anything that is not one of our cursors. */
export function decodeCursor(cursor: string): unknown[] | null {
  if (cursor.length > maxCursorLength || !/^[A-Za-z0-9_-]+$/.test(cursor)) return null
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parts) ? parts : null
  } catch {
    return null
  }
}

/** Whether a part is a time as the database writes it, and one that it can read. */
export function isCursorTime(part: unknown): part is string {
  if (typeof part !== 'string' || !/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/.test(part) || part < '0001') return false
  const time = new Date(part)
  // Date reads February 30 as March 2, and 24:00 as the next day.
  return !Number.isNaN(time.getTime()) && time.toISOString() === part
}
