import type { LiveDatabase, LiveOptions } from './live-options.ts'
import { clients, type LiveRound } from './live-round.ts'
import type { Version } from './live-version.ts'
import { median, quantile, type Row, rounded, type Table } from './table.ts'

/** All rounds of one version with one database and image size. */
export type LiveMeasurement = { database: LiveDatabase; image: string; version: Version; rounds: LiveRound[] }

type Scope = Pick<LiveOptions, 'organizations' | 'processes' | 'rounds'> & { versions: Version[]; counted: boolean }

export function liveTables(measurements: LiveMeasurement[], scope: Scope): Table[] {
  const rows = measurements.map(measurementRow)
  const table = { title: 'Results reported and received at the same time', note: noteOf(scope), rows }
  return [table, ...ratioTable(measurements, scope, 'old'), ...ratioTable(measurements, scope, 'bare')]
}

const titles = { old: 'The new version to the old one', bare: 'The service to a bare loop that does the same work' }

function ratioTable(measurements: LiveMeasurement[], scope: Scope, other: keyof typeof titles): Table[] {
  const others = measurements.filter(({ version }) => version.name === other)
  if (others.length === 0) return []
  const present = measurements.filter(({ version }) => version.name === 'new')
  const names = scope.versions.map(({ name, commit }) => `${name} is ${commit}`).join(', ')
  const note = `${names}; they took turns. Each ratio is between two rounds that followed one another.`
  const rows = present.map((one, index) => ratioRow(others[index]?.rounds ?? [], one, other))
  return [{ title: titles[other], note, rows }]
}

function noteOf({ organizations, processes, rounds, counted }: Scope): string {
  const settings = [
    `${clients} clients at once`,
    `${organizations} ${organizations === 1 ? 'organization' : 'organizations'}`,
    `${processes} ${processes === 1 ? 'process' : 'processes'}`,
    rounds === 1 ? '1 round' : `median of ${rounds} rounds, with the lowest and the highest`,
  ].join(', ')
  const time =
    'The clock runs from the first upload to the last event. CPU is that of the service and PostgreSQL with all their processes; load generator and receiver run on the same machine and are left out.'
  const idle = 'p50 and p99 are from sending a result to receiving its event, one at a time.'
  const statements = counted
    ? 'Statements are those of pg_stat_statements, counted apart from the clock, with BEGIN, COMMIT and what the service asks by itself meanwhile; not countable where the database is embedded.'
    : 'Statements are not counted: this PostgreSQL has no pg_stat_statements.'
  return [`${settings}.`, time, idle, statements].join(' ')
}

function measurementRow({ database, image, version, rounds }: LiveMeasurement): Row {
  const rates = rounds.map(({ perSecond }) => perSecond)
  const costs = rounds.map(totalCpu)
  const latencies = rounds.flatMap(({ latencies }) => latencies)
  const statements = rounds.flatMap(({ statements }) => statements ?? [])
  return {
    database,
    image,
    version: version.name,
    'events/s': Math.round(median(rates)),
    'events/s from–to': range(rates, 0),
    'CPU ms per event': rounded(median(costs)),
    'CPU from–to': range(costs, 2),
    'of it PostgreSQL': rounded(median(rounds.map(({ cpu }) => cpu.postgres))),
    'p50, ms': rounded(quantile(latencies, 0.5), 1),
    'p99, ms': rounded(quantile(latencies, 0.99), 1),
    'statements per result': medianOrNone(statements.map(({ underLoad }) => underLoad)),
    'one at a time': medianOrNone(statements.map(({ alone }) => alone)),
  }
}

function ratioRow(others: LiveRound[], { database, image, rounds }: LiveMeasurement, other: string): Row {
  const ratios = (take: (round: LiveRound) => number) =>
    rounds.flatMap((round, index) => (others[index] ? [take(round) / take(others[index])] : []))
  const rates = ratios(({ perSecond }) => perSecond)
  const costs = ratios(totalCpu)
  return {
    database,
    image,
    [`events/s, new/${other}`]: rounded(median(rates)),
    'events/s from–to': range(rates, 2),
    [`CPU per event, new/${other}`]: rounded(median(costs)),
    'CPU from–to': range(costs, 2),
  }
}

function totalCpu({ cpu }: LiveRound): number {
  return cpu.service + cpu.postgres
}

function range(values: number[], digits: number): string {
  return `${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)}`
}

function medianOrNone(values: number[]): number | string {
  return values.length > 0 ? rounded(median(values), 1) : '–'
}
