import { Drawer, EmptyState, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { api, errorOf, isOffline } from '../api.ts'
import { IconSearchOff } from '../icons/icons.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { useLastingError } from '../parts/lasting-error.ts'
import { useOrganization } from '../session/session.ts'
import { DeliveryView } from './DeliveryView.tsx'
import { fullName } from './full-name.ts'
import { neighborsOf } from './list.ts'
import { Neighbors } from './Neighbors.tsx'
import { useLoadedList, useLoadOlder } from './use-deliveries.ts'

const route = getRouteApi('/$organizationId/deliveries/$deliveryId')
const listRoute = getRouteApi('/$organizationId/deliveries')

/** One delivery, next to the list it was opened from. */
export function DeliveryDrawer() {
  const { id: organizationId } = useOrganization()
  const { deliveryId } = route.useParams()
  const navigate = useNavigate()
  const delivery = useQuery({
    queryKey: ['deliveries', organizationId, 'detail', deliveryId],
    queryFn: () => api.delivery(organizationId, deliveryId),
    refetchInterval: 3_000,
  })
  const error = useLastingError(delivery)
  const notFound = errorOf(error, 'delivery_not_found') !== null
  const close = () =>
    navigate({ to: '/$organizationId/deliveries', params: { organizationId }, search: true, resetScroll: false })
  const filter = listRoute.useSearch()
  const list = useLoadedList(organizationId, filter)
  const loadOlder = useLoadOlder(organizationId, filter)
  const position = list?.rows.find(({ id }) => id === deliveryId) ?? delivery.data
  const neighbors = list && position ? neighborsOf(list, position) : null
  // However the drawer closes, by its button or the browser's Back, focus returns to the row of the delivery it showed,
  // or to one next to it if that has left the list.
  const focusOnClose = useRef(() => {})
  focusOnClose.current = () => {
    const ids = [deliveryId, neighbors?.next?.id, neighbors?.previous?.id, 'content']
    const [element] = ids.flatMap((id) => (id && document.getElementById(id)) || [])
    element?.focus()
  }
  useEffect(() => () => focusOnClose.current(), [])

  return (
    <Drawer
      opened
      onClose={() => void close()}
      returnFocus={false}
      size={640}
      padding="lg"
      title={
        delivery.data ? (
          <>
            Delivery for <bdi>{fullName(delivery.data.candidate)}</bdi>
          </>
        ) : (
          'Delivery'
        )
      }
    >
      {neighbors && <Neighbors {...neighbors} loadOlder={loadOlder} />}
      <ErrorAlert error={loadOlder.error} />
      {delivery.data === undefined && error === null && <Skeleton height={360} radius={14} />}
      {notFound ? (
        <EmptyState
          icon={<IconSearchOff aria-hidden />}
          title="Delivery not found"
          description="It may have been deleted, or it belongs to another organization."
        />
      ) : (
        <ErrorAlert error={delivery.data && isOffline(error) ? null : error} onRetry={() => void delivery.refetch()} />
      )}
      {delivery.data && <DeliveryView key={deliveryId} delivery={delivery.data} />}
    </Drawer>
  )
}
