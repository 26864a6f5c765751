import { Drawer, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { api } from '../api.ts'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { useOrganization } from '../session/session.ts'
import { DeliveryView } from './DeliveryView.tsx'
import { fullName } from './full-name.ts'

const route = getRouteApi('/$organizationId/deliveries/$deliveryId')

/** One delivery beside the list it was chosen from. */
export function DeliveryDrawer() {
  const { id: organizationId } = useOrganization()
  const { deliveryId } = route.useParams()
  const navigate = useNavigate()
  const delivery = useQuery({
    queryKey: ['deliveries', organizationId, 'detail', deliveryId],
    queryFn: () => api.delivery(organizationId, deliveryId),
    refetchInterval: 3_000,
  })
  const close = () =>
    navigate({ to: '/$organizationId/deliveries', params: { organizationId }, search: true, resetScroll: false })
  // However it is left, by its button or by the browser's own: the row it belongs to is where one was.
  useEffect(() => () => document.getElementById(deliveryId)?.focus({ preventScroll: true }), [deliveryId])

  return (
    <Drawer
      opened
      onClose={() => void close()}
      returnFocus={false}
      size={640}
      padding="lg"
      title={delivery.data ? `Delivery for ${fullName(delivery.data.candidate)}` : 'Delivery'}
    >
      {delivery.data === undefined && !delivery.isError && <Skeleton height={360} radius={14} />}
      <ErrorAlert error={delivery.error} onRetry={() => void delivery.refetch()} />
      {delivery.data && <DeliveryView delivery={delivery.data} />}
    </Drawer>
  )
}
