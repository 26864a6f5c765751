import type { HealthQuery } from '../../../server/http/settings/delivery-schemas.ts'
import { toTheSecond } from '../parts/times.ts'

export const spanLabels = { day: 'Last 24 hours', week: 'Last 7 days', month: 'Last 30 days' }

/** Up to now, or a time range. A range is complete once it has a start. */
export type HealthSpan = { last: keyof typeof spanLabels } | { from?: string; to?: string }

export function toHealthQuery(span: HealthSpan, now: number): HealthQuery {
  if ('last' in span) return span
  // Until a start is chosen, the last day.
  if (span.from === undefined) return { last: 'day' }
  // To the minute, so that polling asks the same thing twice and gets a short answer.
  const minute = new Date(Math.ceil(now / 60_000) * 60_000).toISOString()
  return { from: span.from, to: span.to ?? minute }
}

const maxDays = 31

/** Why a range can't be shown, or null. */
export function spanError(span: HealthSpan, now: number): string | null {
  if ('last' in span || (span.from === undefined && span.to === undefined)) return null
  if (span.from === undefined) return 'Enter a start as well'
  const milliseconds = (span.to === undefined ? now : Date.parse(span.to)) - Date.parse(span.from)
  if (milliseconds <= 0) return 'Must be after the start'
  return milliseconds > maxDays * 86_400_000 ? `Choose at most ${maxDays} days` : null
}

export function nameOf(span: HealthSpan): string {
  if ('last' in span) return spanLabels[span.last]
  const from = span.from === undefined ? '' : `from ${toTheSecond(span.from)}`
  return [from, span.to && `until ${toTheSecond(span.to)}`].filter(Boolean).join(' ') || spanLabels.day
}
