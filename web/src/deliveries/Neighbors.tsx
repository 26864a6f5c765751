import { Group } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { IconChevronDown, IconChevronUp } from '../icons/icons.tsx'
import { Button } from '../parts/Button.tsx'
import { useOrganization } from '../session/session.ts'
import type { NeighborRows } from './list.ts'
import type { useLoadOlder } from './use-deliveries.ts'

type NeighborsProps = NeighborRows & { loadOlder: ReturnType<typeof useLoadOlder> }

/** Leads to the deliveries above and below in the list, by button or with K and J. */
export function Neighbors({ previous, next, older, loadOlder }: NeighborsProps) {
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
  const { isPending } = loadOlder
  const showPrevious = isPending || !previous ? null : () => show(previous)
  const loadNext =
    older === null ? null : () => loadOlder.mutate(older, { onSuccess: ({ page }) => show(page.data[0]) })
  const showNext = isPending ? null : next ? () => show(next) : loadNext
  useHotkeys([
    ['k', () => showPrevious?.()],
    ['j', () => showNext?.()],
  ])
  return (
    <Group gap="xs" justify="flex-end">
      <Neighbor label="Previous" hint="K" onShow={showPrevious} Icon={IconChevronUp} />
      <Neighbor label="Next" hint="J" onShow={showNext} isLoading={isPending} Icon={IconChevronDown} />
    </Group>
  )
}

type NeighborProps = {
  label: string
  hint: string
  /** Null: there is none. */
  onShow: (() => void) | null
  isLoading?: boolean
  Icon: typeof IconChevronUp
}

function Neighbor({ label, hint, onShow, isLoading = false, Icon }: NeighborProps) {
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="gray"
      // Not `disabled`, which would lose the focus at the end of the list.
      inactive={onShow === null}
      loading={isLoading}
      leftSection={<Icon size={16} aria-hidden />}
      title={`${label} delivery (${hint})`}
      aria-keyshortcuts={hint}
      {...(onShow && { onClick: onShow })}
    >
      {label}
    </Button>
  )
}
