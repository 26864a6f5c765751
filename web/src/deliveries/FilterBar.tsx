import { Button, NativeSelect, SegmentedControl } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { IconX } from '../icons/icons.tsx'
import { SearchInput } from '../parts/SearchInput.tsx'
import { TimeInput } from '../parts/TimeInput.tsx'
import classes from './FilterBar.module.css'
import { type Filter, isFiltered, readFilter, spans } from './filter.ts'
import { errorLabels, statusLabels } from './labels.ts'

const statuses = [{ value: '', label: 'All' }, ...options(statusLabels)]
const errors = [{ value: '', label: 'Any error' }, ...options(errorLabels)]
const times = [
  { value: '', label: 'Any time' },
  ...Object.entries(spans).map(([value, { label }]) => ({ value, label })),
  { value: 'custom', label: 'Custom range' },
]

/** The filter lives in the URL, so a view can be shared. */
export function FilterBar({ filter }: { filter: Filter }) {
  const navigate = useNavigate()
  const [isCustomOpen, setCustomOpen] = useState(false)
  const custom = isCustomOpen || filter.from !== undefined || filter.to !== undefined
  const change = (next: Record<string, unknown>) =>
    void navigate({
      // A search that takes effect only now must not close a delivery that was opened since.
      to: '.',
      search: readFilter({ ...filter, ...next }),
      replace: true,
      resetScroll: false,
    })
  const changeTime = (value: string) => {
    setCustomOpen(value === 'custom')
    change({ last: value, from: undefined, to: undefined })
  }

  return (
    <search className={classes.bar} aria-label="Filter deliveries">
      <SearchInput
        className={classes.search}
        label="Search by candidate name or email, or by ID"
        placeholder="Name, email or ID"
        value={filter.search ?? ''}
        maxLength={254}
        onSearch={(search) => change({ search })}
      />
      <SegmentedControl
        aria-label="Status"
        data={statuses}
        value={filter.status ?? ''}
        onChange={(status) => change({ status })}
      />
      <NativeSelect
        className={classes.select}
        aria-label="Error"
        data={errors}
        value={filter.error ?? ''}
        onChange={({ currentTarget }) => change({ error: currentTarget.value })}
      />
      <NativeSelect
        className={classes.select}
        aria-label="Time"
        data={times}
        value={custom ? 'custom' : (filter.last ?? '')}
        onChange={({ currentTarget }) => changeTime(currentTarget.value)}
      />
      {isFiltered(filter) && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconX size={16} aria-hidden />}
          onClick={() => {
            setCustomOpen(false)
            change({ status: '', error: '', last: '', from: '', to: '', search: '' })
          }}
        >
          Clear
        </Button>
      )}
      {custom && (
        <div className={classes.span}>
          <TimeInput label="Created after" value={filter.from} onChange={(from) => change({ last: '', from })} />
          <TimeInput
            label="Created before"
            value={filter.to}
            error={filter.from && filter.to && filter.to < filter.from ? 'Must be after the start' : null}
            onChange={(to) => change({ last: '', to })}
          />
        </div>
      )}
    </search>
  )
}

function options(labels: Record<string, string>) {
  return Object.entries(labels).map(([value, label]) => ({ value, label }))
}
