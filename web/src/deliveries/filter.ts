import type { DeliveriesQuery, FailedFilter } from '../../../server/http/settings/delivery-schemas.ts'
import { toTheSecond, toUtc } from '../parts/times.ts'
import { type AttemptError, errorLabels, type Status, statusLabels } from './labels.ts'

/** The filter as it appears in the URL. */
export type Filter = {
  status?: Status
  error?: AttemptError
  /** Up to now. Never together with `from` or `to`. */
  last?: Span
  from?: string
  to?: string
  search?: string
}

export const spans = {
  hour: { label: 'Last hour', milliseconds: 3_600_000 },
  day: { label: 'Last 24 hours', milliseconds: 86_400_000 },
  week: { label: 'Last 7 days', milliseconds: 604_800_000 },
} as const
export type Span = keyof typeof spans

/** Reads the filter from the URL and ignores what it doesn't know. */
export function readFilter(params: Record<string, unknown>): Filter {
  const { status, error, last, search } = params
  const from = parseTime(params.from)
  const to = parseTime(params.to)
  return {
    ...(isKeyOf(statusLabels, status) && { status }),
    ...(isKeyOf(errorLabels, error) && { error }),
    ...(isKeyOf(spans, last) && { last }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(typeof search === 'string' && search.trim() !== '' && { search: search.trim().slice(0, 254) }),
  }
}

export function toQuery({ last, ...rest }: Filter, now: number): DeliveriesQuery {
  if (last === undefined) return rest
  // To the minute, so that polling asks the same thing twice and gets a short answer.
  const minute = Math.floor(now / 60_000) * 60_000
  return { ...rest, from: new Date(minute - spans[last].milliseconds).toISOString() }
}

/** The same without the status: only failed deliveries can be retried. */
export function toFailedFilter(filter: Filter, now: number): FailedFilter {
  const { status: _status, ...rest } = toQuery(filter, now)
  return rest
}

export function isFiltered(filter: Filter): boolean {
  return Object.keys(filter).length > 0
}

/** The filter's conditions, for a confirmation that has to say what it applies to. */
export function describeFilter({ error, last, from, to, search }: Filter): string[] {
  return [
    ...(error ? [`error “${errorLabels[error]}”`] : []),
    ...(last ? [spans[last].label.toLowerCase()] : []),
    ...(from ? [`from ${toTheSecond(from)}`] : []),
    ...(to ? [`until ${toTheSecond(to)}`] : []),
    ...(search ? [`“${search}”`] : []),
  ]
}

function parseTime(value: unknown): string | undefined {
  return typeof value === 'string' ? (toUtc(value) ?? undefined) : undefined
}

function isKeyOf<Table extends object>(table: Table, value: unknown): value is keyof Table {
  return typeof value === 'string' && Object.hasOwn(table, value)
}
