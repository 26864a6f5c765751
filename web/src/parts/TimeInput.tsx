import { TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'

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
  const commit = () => {
    if (typed !== shown) onChange(typed === '' ? '' : new Date(typed).toISOString())
  }
  return (
    <TextInput
      label={label}
      type="datetime-local"
      value={typed}
      error={error}
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
