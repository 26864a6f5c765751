import { EmptyState, Group, Skeleton, VisuallyHidden } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { IconFilterOff, IconSend } from '../icons/icons.tsx'
import { Button } from '../parts/Button.tsx'
import { counted } from '../parts/counts.ts'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import table from '../parts/Table.module.css'
import { useOrganization } from '../session/session.ts'
import classes from './DeliveryList.module.css'
import { DeliveryTable } from './DeliveryTable.tsx'
import { type Filter, isFiltered } from './filter.ts'
import type { List } from './list.ts'
import type { Selection } from './selection.ts'

type DeliveryListProps = {
  filter: Filter
  list: List | undefined
  /** The rows still match the previous filter. */
  isStale: boolean
  /** Null: nothing can be selected. */
  selection: Selection | null
  loadOlder: Pick<UseMutationResult<unknown, Error, string>, 'mutate' | 'isPending' | 'error'>
}

export function DeliveryList({ filter, list, isStale, loadOlder, selection }: DeliveryListProps) {
  const fresh = useFresh(filter, isStale ? undefined : list)
  if (list === undefined) return <Skeleton height={320} radius={14} />
  if (list.rows.length === 0) return isFiltered(filter) ? <NoMatches filter={filter} /> : <NoDeliveries />
  const { nextCursor } = list
  return (
    <div className={classes.list} aria-busy={isStale}>
      <VisuallyHidden role="status">
        {fresh.size > 0 && counted(fresh.size, 'new delivery', 'new deliveries')}
      </VisuallyHidden>
      <DeliveryTable rows={list.rows} fresh={fresh} selection={selection} />
      <ErrorAlert error={loadOlder.error} />
      <Group justify="center" gap="md" className={classes.foot}>
        <span>{counted(list.rows.length, 'delivery', 'deliveries')} shown</span>
        {nextCursor !== null && (
          <Button variant="default" onClick={() => loadOlder.mutate(nextCursor)} loading={loadOlder.isPending}>
            Load older
          </Button>
        )}
      </Group>
    </div>
  )
}

/** The rows that arrived with the last refresh, unless the filter changed since. */
function useFresh(filter: Filter, list: List | undefined): Set<string> {
  const seen = useRef<{ filter: string; newest: string | undefined } | null>(null)
  const [fresh, setFresh] = useState<Set<string>>(new Set())
  const key = JSON.stringify(filter)
  useEffect(() => {
    if (list === undefined) return
    const newest = list.rows[0]?.createdAt
    const previous = seen.current
    seen.current = { filter: key, newest }
    if (previous === null || previous.filter !== key) return setFresh(new Set())
    if (newest === previous.newest) return
    setFresh(new Set(list.rows.filter((row) => row.createdAt > (previous.newest ?? '')).map(({ id }) => id)))
  }, [key, list])
  return fresh
}

function NoDeliveries() {
  const { id, isAdmin } = useOrganization()
  return (
    <EmptyState
      className={table.empty}
      icon={<IconSend aria-hidden />}
      title="No deliveries yet"
      description="When an interview is completed and the webhook is enabled, its delivery shows up here."
    >
      {isAdmin && (
        <EmptyState.Actions>
          <Button
            variant="light"
            renderRoot={(props) => <Link to="/$organizationId/webhook" params={{ organizationId: id }} {...props} />}
          >
            Set up webhook
          </Button>
        </EmptyState.Actions>
      )}
    </EmptyState>
  )
}

function NoMatches({ filter }: { filter: Filter }) {
  const { id } = useOrganization()
  return (
    <EmptyState
      className={table.empty}
      icon={<IconFilterOff aria-hidden />}
      title="No matching deliveries"
      description={hintFor(filter)}
    >
      <EmptyState.Actions>
        <Button
          variant="default"
          renderRoot={(props) => <Link to="/$organizationId/deliveries" params={{ organizationId: id }} {...props} />}
        >
          Show all deliveries
        </Button>
      </EmptyState.Actions>
    </EmptyState>
  )
}

function hintFor({ search, last, from, to }: Filter): string {
  if (search) return 'Enter the start of a name or email address, or a delivery, result, event or invitation ID.'
  if (last || from || to) return 'Deliveries are filtered by creation time. Attempts may have been made later.'
  return 'Change the filters, or show all deliveries.'
}
