const date = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' })
const dateWithYear = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' })
const longDate = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' })
const clock = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const clockWithSeconds = new Intl.DateTimeFormat('en-US', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
})

/** `4 min ago` within a day, then the date. */
export function inShort(time: string, now: number): string {
  const seconds = Math.round((now - Date.parse(time)) / 1000)
  if (seconds < 45) return 'just now'
  const minutes = Math.max(1, Math.round(seconds / 60))
  if (minutes < 60) return `${minutes} min ago`
  const hours = Math.max(1, Math.round(seconds / 3_600))
  if (hours < 24) return `${hours} h ago`
  return inFull(time, now)
}

/** `in about 40 s` within a day, then the date. Nothing is due in the past: then it is due now. */
export function untilShort(time: string, now: number): string {
  const seconds = Math.ceil((Date.parse(time) - now) / 1000)
  if (seconds <= 0) return 'now'
  if (seconds < 90) return `in about ${seconds} s`
  if (seconds < 5_400) return `in about ${Math.round(seconds / 60)} min`
  if (seconds < 86_400) return `in about ${Math.round(seconds / 3_600)} h`
  return inFull(time, now)
}

export function inFull(time: string, now: number): string {
  const sameYear = new Date(time).getFullYear() === new Date(now).getFullYear()
  return `${(sameYear ? date : dateWithYear).format(new Date(time))}, ${clock.format(new Date(time))}`
}

/** With the time zone: payloads and logs next to it are in UTC. */
export function toTheSecond(time: string): string {
  return `${dateWithYear.format(new Date(time))}, ${clockWithSeconds.format(new Date(time))}`
}

export function onlyDay(time: string): string {
  return dateWithYear.format(new Date(time))
}

export function shortDay(time: string): string {
  return date.format(new Date(time))
}

export function namedDay(time: string, now: number): string {
  const name = longDate.format(new Date(time))
  if (name === longDate.format(now)) return 'Today'
  // Not 24 hours back, which skips a day when clocks change.
  const yesterday = new Date(now)
  yesterday.setDate(yesterday.getDate() - 1)
  return name === longDate.format(yesterday) ? 'Yesterday' : name
}

export function clockTime(time: string | number): string {
  return clock.format(new Date(time))
}

export function inMilliseconds(milliseconds: number): string {
  if (milliseconds >= 1_000) return `${(milliseconds / 1_000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`
  return `${milliseconds < 10 && milliseconds % 1 !== 0 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`
}

/** The day in the browser's time zone, as a date input writes it. */
export function localDay(time: string): string {
  const at = new Date(time)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

export function endOfDay(day: string): string | null {
  return toUtc(`${day}T23:59:59.999`)
}

/** Null if it isn't a time, or in a year that JavaScript and date inputs accept and the service doesn't. */
export function toUtc(local: string): string | null {
  const at = new Date(local)
  return at.getTime() >= earliest && at.getTime() < Date.UTC(10_000) ? at.toISOString() : null
}

const earliest = Date.parse('0001-01-02T00:00:00Z')

export function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString()
}
