import { readFileSync } from 'node:fs'
import type { MeasuredCosts } from './capacity-model.ts'
import type { Row, Table } from './table.ts'

/** Reads the costs from where they are published, docs/performance.md and bench/results.json, so there is no second copy. */
export function readMeasuredCosts(): MeasuredCosts {
  const performance = read('../docs/performance.md')
  const { deliveries }: { deliveries: { tables: Table[] } } = JSON.parse(read('./results.json'))
  const attempts = deliveries.tables[0]?.rows ?? []
  return {
    result: cell(performance, 'CPU per event: service and database', 1),
    resultInPostgres: cell(performance, 'of that, PostgreSQL', 1),
    statementsPerResult: cell(performance, 'statements per result, under load', 1),
    read: cell(performance, 'CPU per request: service and PostgreSQL', 1),
    write: cell(performance, 'CPU per request: service and PostgreSQL', 2),
    smallImageCheck: attemptCost(attempts, '2 kB', 'bare CPU ms per event'),
    imageCheck: attemptCost(attempts, '30 kB', 'bare CPU ms per event'),
    smallAttempt: attemptCost(attempts, '2 kB', 'ours CPU ms per event'),
    attempt: attemptCost(attempts, '30 kB', 'ours CPU ms per event'),
  }
}

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8')
}

/** The number in a column of the row with this label. */
function cell(markdown: string, label: string, column: number): number {
  const row = markdown.split('\n').find((line) => line.startsWith(`| ${label} |`))
  return numberIn(row?.split('|')[column + 1], label)
}

function attemptCost(rows: readonly Row[], image: string, column: string): number {
  const row = rows.find((one) => one.engine === 'PostgreSQL' && one.image === image && one.judged === 'at upload')
  return numberIn(String(row?.[column]), `${image}, ${column}`)
}

function numberIn(text: string | undefined, label: string): number {
  const value = Number.parseFloat(text ?? '')
  if (!Number.isFinite(value)) throw new Error(`No figure for: ${label}`)
  return value
}
