import { Button, EmptyState, Group, Skeleton, VisuallyHidden } from '@mantine/core'
import { IconFilterOff, IconSend } from '@tabler/icons-react'
import type { UseMutationResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { counted } from '../parts/counts.ts'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { useOrganization } from '../session/session.ts'
import classes from './DeliveryList.module.css'
import { DeliveryTable } from './DeliveryTable.tsx'
import { type Filter, isNarrowed } from './filter.ts'
import type { List } from './list.ts'

type DeliveryListProps = {
  filter: Filter
  list: List | undefined
  /** What is shown is still what the filter before this one found. */
  isStale: boolean
  loadOlder: Pick<UseMutationResult<unknown, Error, string>, 'mutate' | 'isPending' | 'error'>
}

export function DeliveryList({ filter, list, isStale, loadOlder }: DeliveryListProps) {
  const fresh = useFresh(filter, isStale ? undefined : list)
  if (list === undefined) return <Skeleton height={320} radius={14} />
  if (list.rows.length === 0) return isNarrowed(filter) ? <NothingMatches /> : <NothingYet />
  const { nextCursor } = list
  return (
    <div className={classes.list} aria-busy={isStale}>
      <VisuallyHidden role="status">
        {fresh.size > 0 && counted(fresh.size, 'new delivery', 'new deliveries')}
      </VisuallyHidden>
      <DeliveryTable rows={list.rows} fresh={fresh} />
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

/** The rows that came by themselves since the filter was last changed, on the last look. */
function useFresh(filter: Filter, list: List | undefined): Set<string> {
  const seen = useRef<{ filter: string; newest: string | undefined } | null>(null)
  const [fresh, setFresh] = useState<Set<string>>(new Set())
  const key = JSON.stringify(filter)
  useEffect(() => {
    if (list === undefined) return
    const newest = list.rows[0]?.createdAt
    const before = seen.current
    seen.current = { filter: key, newest }
    if (before === null || before.filter !== key) return setFresh(new Set())
    if (newest === before.newest) return
    setFresh(new Set(list.rows.filter((row) => row.createdAt > (before.newest ?? '')).map(({ id }) => id)))
  }, [key, list])
  return fresh
}

function NothingYet() {
  const { id, isAdmin } = useOrganization()
  return (
    <EmptyState
      className={classes.empty}
      icon={<IconSend aria-hidden />}
      title="No deliveries yet"
      description="One appears here by itself as soon as an interview is completed while the webhook is on."
    >
      {isAdmin && (
        <EmptyState.Actions>
          <Button
            variant="light"
            renderRoot={(props) => <Link to="/$organizationId/webhook" params={{ organizationId: id }} {...props} />}
          >
            Set up the webhook
          </Button>
        </EmptyState.Actions>
      )}
    </EmptyState>
  )
}

function NothingMatches() {
  const { id } = useOrganization()
  return (
    <EmptyState
      className={classes.empty}
      icon={<IconFilterOff aria-hidden />}
      title="Nothing matches"
      description="A result id must be complete; of an e-mail address the beginning is enough."
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
