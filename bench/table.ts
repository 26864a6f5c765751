export type Row = Record<string, string | number>

/** The first row determines the columns. `note` gives the target, or what limits the figures. */
export type Table = { title: string; note?: string; rows: Row[] }

export function markdown({ title, note, rows }: Table): string {
  const columns = Object.keys(rows[0] ?? {})
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`
  const rules = columns.map((column) => (typeof rows[0]?.[column] === 'number' ? '---:' : '---'))
  const body = rows.map((row) => line(columns.map((column) => written(row[column]))))
  return [`### ${title}`, '', ...(note ? [note, ''] : []), line(columns), line(rules), ...body, ''].join('\n')
}

function written(value: string | number | undefined): string {
  return typeof value === 'number' ? value.toLocaleString('en', { maximumFractionDigits: 2 }) : (value ?? '')
}

export function median(values: number[]): number {
  return quantile(values, 0.5)
}

export function quantile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
}

/** A ratio of two measurements isn't precise enough for more than two decimals. */
export function rounded(value: number, digits = 2): number {
  return Number(value.toFixed(digits))
}
