/** Response headers in the order they arrived, as far as they are kept. */
export type ResponseHeaders = [name: string, value: string][]

export type RawHeaders = Record<string, string | string[] | undefined>

const maxHeaders = 50
const maxValueLength = 500
const maxTotalLength = 4_096

// Their values let whoever reads them act as someone else.
const secret =
  /^(set-cookie2?|cookie|authorization|proxy-authorization|authentication-info)$|token|secret|password|api-?key/

export const notStored = '(not stored)'

/** At most 4 KiB of them, without secrets. */
export function keepHeaders(headers: RawHeaders): ResponseHeaders {
  const kept: ResponseHeaders = []
  let length = 0
  for (const [name, value] of Object.entries(headers)) {
    for (const one of typeof value === 'string' ? [value] : (value ?? [])) {
      const shown = secret.test(name) ? notStored : shorten(one)
      length += name.length + shown.length
      if (kept.length === maxHeaders || length > maxTotalLength) return kept
      kept.push([name, shown])
    }
  }
  return kept
}

function shorten(value: string): string {
  const text = value.length > maxValueLength ? `${value.slice(0, maxValueLength)}…` : value
  // Last, because the cut may leave half a character. What PostgreSQL rejects would fail the attempts settled with this one.
  return text.replaceAll('\0', '').toWellFormed()
}

/** Null without a valid Retry-After, which is a number of seconds or a date. */
export function retryAfterSeconds(headers: RawHeaders, now: Date): number | null {
  const wanted = [headers['retry-after'] ?? []].flat()[0]?.trim()
  if (wanted === undefined) return null
  if (/^\d{1,9}$/.test(wanted)) return Number(wanted)
  const until = Date.parse(wanted)
  if (Number.isNaN(until) || !/[a-z]/i.test(wanted)) return null
  // The receiver's own clock, if it tells: it may differ from ours.
  const said = Date.parse([headers.date ?? []].flat()[0] ?? '')
  return Math.max(0, (until - (Number.isNaN(said) ? now.getTime() : said)) / 1_000)
}
