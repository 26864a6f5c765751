import { TextInput } from '@mantine/core'

type TimeInputProps = { label: string; value: string | undefined; onChange(time: string): void }

/** A local time. Empty: none. */
export function TimeInput({ label, value, onChange }: TimeInputProps) {
  return (
    <TextInput
      label={label}
      type="datetime-local"
      defaultValue={value === undefined ? '' : toLocal(value)}
      key={value}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
      onBlur={({ currentTarget }) => {
        const time = currentTarget.value === '' ? '' : new Date(currentTarget.value).toISOString()
        if (time !== (value ?? '') && toLocal(value) !== currentTarget.value) onChange(time)
      }}
    />
  )
}

/** The format of a datetime-local input: local time, no zone. */
function toLocal(time: string | undefined): string {
  if (time === undefined) return ''
  const at = new Date(time)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
