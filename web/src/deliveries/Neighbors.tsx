import { Button, Group } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { IconChevronDown, IconChevronUp } from '../icons/icons.tsx'
import { useOrganization } from '../session/session.ts'
import type { NeighborRows } from './list.ts'

/** Leads to the deliveries above and below in the list, by button or with K and J. */
export function Neighbors({ previous, next }: NeighborRows) {
  const { id: organizationId } = useOrganization()
  const navigate = useNavigate()
  const show = (row: { id: string } | undefined) => {
    if (!row) return
    void navigate({
      to: '/$organizationId/deliveries/$deliveryId',
      params: { organizationId, deliveryId: row.id },
      search: true,
      replace: true,
      resetScroll: false,
    })
  }
  useHotkeys([
    ['k', () => show(previous)],
    ['j', () => show(next)],
  ])
  return (
    <Group gap="xs" justify="flex-end">
      <Neighbor label="Previous" hint="K" row={previous} onShow={show} Icon={IconChevronUp} />
      <Neighbor label="Next" hint="J" row={next} onShow={show} Icon={IconChevronDown} />
    </Group>
  )
}

type NeighborProps = {
  label: string
  hint: string
  row: { id: string } | undefined
  onShow(row: { id: string } | undefined): void
  Icon: typeof IconChevronUp
}

function Neighbor({ label, hint, row, onShow, Icon }: NeighborProps) {
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="gray"
      // Not `disabled`, which would lose the focus at the end of the list.
      aria-disabled={!row}
      data-disabled={!row || undefined}
      leftSection={<Icon size={16} aria-hidden />}
      title={`${label} delivery (${hint})`}
      aria-keyshortcuts={hint}
      onClick={() => onShow(row)}
    >
      {label}
    </Button>
  )
}
