import type { DeliveriesQuery, FailedFilter } from '../../../server/http/settings/delivery-schemas.ts'
import { type AttemptError, errorWords, type Status, statusWords } from './words.ts'

/** What is looked for, as it stands in the address. */
export type Filter = {
  status?: Status
  error?: AttemptError
  /** Up to now. Not beside `from` and `to`. */
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

/** Reads the address. What cannot be understood is left out rather than complained about. */
export function readFilter(given: Record<string, unknown>): Filter {
  const { status, error, last, search } = given
  const from = timeIn(given.from)
  const to = timeIn(given.to)
  return {
    ...(isKeyOf(statusWords, status) && { status }),
    ...(isKeyOf(errorWords, error) && { error }),
    ...(isKeyOf(spans, last) && { last }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(typeof search === 'string' && search.trim() !== '' && { search: search.trim().slice(0, 254) }),
  }
}

export function toQuery({ last, ...rest }: Filter, now: number): DeliveriesQuery {
  if (last === undefined) return rest
  return { ...rest, from: new Date(now - spans[last].milliseconds).toISOString() }
}

/** The same without the status: only what has failed can be retried. */
export function toFailedFilter(filter: Filter, now: number): FailedFilter {
  const { status: _status, ...rest } = toQuery(filter, now)
  return rest
}

export function isNarrowed(filter: Filter): boolean {
  return Object.keys(filter).length > 0
}

/** The filter in words, for a question that must say what it is about. */
export function inWords({ error, last, from, to, search }: Filter): string[] {
  return [
    ...(error ? [`error “${errorWords[error]}”`] : []),
    ...(last ? [spans[last].label.toLowerCase()] : []),
    ...(from ? [`from ${new Date(from).toLocaleString('en-GB')}`] : []),
    ...(to ? [`until ${new Date(to).toLocaleString('en-GB')}`] : []),
    ...(search ? [`“${search}”`] : []),
  ]
}

function timeIn(value: unknown): string | undefined {
  if (typeof value !== 'string' || Number.isNaN(Date.parse(value))) return undefined
  return new Date(value).toISOString()
}

function isKeyOf<Words extends object>(words: Words, value: unknown): value is keyof Words {
  return typeof value === 'string' && Object.hasOwn(words, value)
}
