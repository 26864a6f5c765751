import { Group, NativeSelect } from '@mantine/core'
import { TimeInput } from '../parts/TimeInput.tsx'
import { type HealthSpan, spanError, spanLabels } from './health-span.ts'

const choices = [
  ...Object.entries(spanLabels).map(([value, label]) => ({ value, label })),
  { value: 'custom', label: 'Custom range' },
]

export function HealthSpanSelect({ span, onChange }: { span: HealthSpan; onChange(span: HealthSpan): void }) {
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label="Time range of the health figures"
        data={choices}
        value={'last' in span ? span.last : 'custom'}
        onChange={({ currentTarget: { value } }) => {
          onChange(value === 'day' || value === 'week' || value === 'month' ? { last: value } : {})
        }}
      />
      {!('last' in span) && (
        <Group align="flex-start" gap="xs">
          <TimeInput label="Health from" value={span.from} onChange={(from) => onChange(withTime(span, { from }))} />
          <TimeInput
            label="Health to"
            value={span.to}
            error={spanError(span, Date.now())}
            onChange={(to) => onChange(withTime(span, { to }))}
          />
        </Group>
      )}
    </>
  )
}

function withTime(
  span: { from?: string; to?: string },
  { from = span.from, to = span.to }: { from?: string | undefined; to?: string | undefined },
): HealthSpan {
  return { ...(from && { from }), ...(to && { to }) }
}
