export type Row = Record<string, string | number>

/** Figures of one kind; the first row names the columns of all. */
export type Table = { title: string; rows: Row[] }

export type Pace = {
  /** A look rather than a measurement: fewer rounds, smaller numbers. */
  quick: boolean
  /** Told how far it is. */
  say: (progress: string) => void
}

export function markdown({ title, rows }: Table): string {
  const columns = Object.keys(rows[0] ?? {})
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`
  const rules = columns.map((column) => (typeof rows[0]?.[column] === 'number' ? '---:' : '---'))
  const body = rows.map((row) => line(columns.map((column) => written(row[column]))))
  return [`### ${title}`, '', line(columns), line(rules), ...body, ''].join('\n')
}

function written(value: string | number | undefined): string {
  return typeof value === 'number' ? value.toLocaleString('en', { maximumFractionDigits: 2 }) : (value ?? '')
}

/** What a benchmark does when it is started by itself. */
export async function printAlone(measure: (pace: Pace) => Promise<Table[]>): Promise<void> {
  const pace = {
    quick: process.argv.includes('--quick'),
    say: (text: string) => void process.stderr.write(`${text}\n`),
  }
  for (const table of await measure(pace)) process.stdout.write(`${markdown(table)}\n`)
}

export function median(values: number[]): number {
  return quantile(values, 0.5)
}

export function quantile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
}

/** Two digits behind the point are all that a ratio of two measurements can bear. */
export function rounded(value: number, digits = 2): number {
  return Number(value.toFixed(digits))
}
