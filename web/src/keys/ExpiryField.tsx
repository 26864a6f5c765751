import { NativeSelect, Stack, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { endOfDay, inDays, localDay } from '../parts/times.ts'

const choices = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'date', label: 'On a date' },
]

type ExpiryFieldProps = { value: string | null; onChange(expiresAt: string | null): void; error?: ReactNode }

/** When a key expires: never (null), after some time, or at the end of a day, which is empty until it's chosen. */
export function ExpiryField({ value, onChange, error }: ExpiryFieldProps) {
  const [choice, setChoice] = useState(value === null ? '' : 'date')
  const choose = (next: string) => {
    setChoice(next)
    if (next === '') onChange(null)
    else if (next === 'date') onChange((value && endOfDay(localDay(value))) ?? '')
    else onChange(inDays(Number(next)))
  }
  return (
    <Stack gap="xs">
      <NativeSelect
        label="Expires"
        description="An expired key is rejected like a revoked one"
        data={choices}
        value={choice}
        error={choice === 'date' ? null : error}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      {choice === 'date' && <DayInput label="Last day" value={value ?? ''} error={error} onChange={onChange} />}
    </Stack>
  )
}

type DayInputProps = { label: string; value: string; onChange(end: string): void; error?: ReactNode }

/** A day in the browser's time zone; its value is the end of that day. Empty: none. */
export function DayInput({ label, value, onChange, error }: DayInputProps) {
  const [day, setDay] = useState(value === '' ? '' : localDay(value))
  const isTooLate = day !== '' && endOfDay(day) === null
  return (
    <TextInput
      label={label}
      type="date"
      max="9999-12-31"
      value={day}
      error={isTooLate ? 'Choose a day before the year 10000' : error}
      onChange={({ currentTarget: { value: day } }) => {
        setDay(day)
        onChange(endOfDay(day) ?? '')
      }}
    />
  )
}

/** What is wrong with the end of a key's life, or null. Never (null) is fine. */
export function endError(end: string | null): string | null {
  if (end === '') return 'Choose a day'
  return end !== null && Date.parse(end) <= Date.now() ? 'Choose today or a later day' : null
}
