export type Page<Item> = { data: Item[]; nextCursor: string | null }

export const longestCursor = 2_048

/** A place in a list, as an opaque text. The parts are what the list's own order needs, and nothing secret. */
export function encodeCursor(parts: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** The parts again, or null for anything that is not one of our cursors. */
export function decodeCursor(cursor: string): unknown[] | null {
  if (cursor.length > longestCursor || !/^[A-Za-z0-9_-]+$/.test(cursor)) return null
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parts) ? parts : null
  } catch {
    return null
  }
}
