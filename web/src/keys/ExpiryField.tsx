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

/** When a key expires: never, after some time, or at the end of a day. */
export function ExpiryField({ value, onChange, error }: ExpiryFieldProps) {
  const [choice, setChoice] = useState(value === null ? '' : 'date')
  return (
    <Stack gap="xs">
      <NativeSelect
        label="Expires"
        description="An expired key is rejected like a revoked one"
        data={choices}
        value={choice}
        error={choice === 'date' ? null : error}
        onChange={({ currentTarget }) => {
          setChoice(currentTarget.value)
          if (currentTarget.value === '') onChange(null)
          else if (currentTarget.value !== 'date') onChange(inDays(Number(currentTarget.value)))
        }}
      />
      {choice === 'date' && <DayInput label="Last day" value={value} error={error} onChange={(day) => onChange(day)} />}
    </Stack>
  )
}

type DayInputProps = { label: string; value: string | null; onChange(end: string | null): void; error?: ReactNode }

/** A day in the browser's time zone; its value is the end of that day. */
export function DayInput({ label, value, onChange, error }: DayInputProps) {
  return (
    <TextInput
      label={label}
      type="date"
      value={value === null ? '' : localDay(value)}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : endOfDay(currentTarget.value))}
    />
  )
}
