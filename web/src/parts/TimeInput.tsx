import { TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { toUtc } from './times.ts'

type TimeInputProps = {
  label: string
  value: string | undefined
  onChange(time: string): void
  error?: string | null
}

/** A local time, taken over with Enter or on leaving the field. Empty: none. */
export function TimeInput({ label, value, onChange, error = null }: TimeInputProps) {
  const shown = toLocal(value)
  const [typed, setTyped] = useState(shown)
  useEffect(() => setTyped(shown), [shown])
  const time = typed === '' ? '' : toUtc(typed)
  const commit = () => {
    if (typed !== shown && time !== null) onChange(time)
  }
  return (
    <TextInput
      label={label}
      type="datetime-local"
      max="9999-12-31T23:59"
      value={typed}
      error={time === null ? 'Enter a time before the year 10000' : error}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onKeyDown={({ key }) => key === 'Enter' && commit()}
      onBlur={commit}
    />
  )
}

/** The format of a datetime-local input: local time, no zone. */
function toLocal(time: string | undefined): string {
  if (time === undefined) return ''
  const at = new Date(time)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
