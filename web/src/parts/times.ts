const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const dayAndYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const clockWithSeconds = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** `4 min ago` while that says more, then the day. */
export function inShort(time: string, now: number): string {
  const seconds = Math.round((now - Date.parse(time)) / 1000)
  if (seconds < 45) return 'just now'
  if (seconds < 3_600) return `${Math.max(1, Math.round(seconds / 60))} min ago`
  if (seconds < 86_400) return `${Math.round(seconds / 3_600)} h ago`
  return inFull(time, now)
}

export function inFull(time: string, now: number): string {
  const sameYear = new Date(time).getFullYear() === new Date(now).getFullYear()
  return `${(sameYear ? day : dayAndYear).format(new Date(time))}, ${clock.format(new Date(time))}`
}

export function toTheSecond(time: string): string {
  return `${dayAndYear.format(new Date(time))}, ${clockWithSeconds.format(new Date(time))}`
}

export function onlyDay(time: string): string {
  return dayAndYear.format(new Date(time))
}

export function namedDay(time: string, now: number): string {
  const name = weekday.format(new Date(time))
  if (name === weekday.format(now)) return 'Today'
  return name === weekday.format(now - 86_400_000) ? 'Yesterday' : name
}

export function clockTime(time: string | number): string {
  return clock.format(new Date(time))
}

export function inMilliseconds(milliseconds: number): string {
  if (milliseconds >= 1_000) return `${(milliseconds / 1_000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`
  return `${milliseconds < 10 && milliseconds % 1 !== 0 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`
}
