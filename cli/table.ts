import { printable } from './printable.ts'

/** Rows in aligned columns. */
export function table(headings: string[], rows: string[][]): string {
  const lines = [headings, ...rows.map((row) => row.map(printable))]
  // Not Math.max(): a hundred thousand arguments are too many.
  const widths = headings.map((_, column) =>
    lines.reduce((width, line) => Math.max(width, line[column]?.length ?? 0), 0),
  )
  return lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n')
}

/** A list command's output. `none` is what it says instead of a lone header. */
export function listing(
  headings: string[],
  rows: string[][],
  { none, nextCursor = null }: { none: string; nextCursor?: string | null },
): string {
  if (rows.length === 0) return none
  const more = nextCursor === null ? '' : `\n\nThere are more. Next page: --cursor ${nextCursor}`
  return table(headings, rows) + more
}
