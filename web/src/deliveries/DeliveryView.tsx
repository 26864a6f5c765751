import { Alert } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { DeliveryDetail } from '../../../server/http/settings/delivery-schemas.ts'
import { api } from '../api.ts'
import { IconInfoCircle, IconRefresh } from '../icons/icons.tsx'
import { ChangeButton } from '../parts/ChangeButton.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { useOrganization } from '../session/session.ts'
import { DeliveryFacts } from './DeliveryFacts.tsx'
import classes from './DeliveryView.module.css'
import { History } from './History.tsx'
import { Payload } from './Payload.tsx'
import { StatusBadge } from './StatusBadge.tsx'
import { isRetryable } from './selection.ts'

export function DeliveryView({ delivery }: { delivery: DeliveryDetail }) {
  const statusRef = useRef<HTMLDivElement>(null)
  const { status, failure } = delivery
  return (
    <div className={classes.view}>
      <div role="status" ref={statusRef} tabIndex={-1}>
        <StatusBadge status={status} />
      </div>
      {failure && (
        <Alert
          color={status === 'FAILED' ? 'red' : 'gray'}
          icon={<IconInfoCircle aria-hidden />}
          title={failure.summary}
          classNames={{ title: classes.summary }}
        >
          {failure.advice}
        </Alert>
      )}
      {isRetryable(delivery) && <Retry deliveryId={delivery.id} onRetried={() => statusRef.current?.focus()} />}
      <DeliveryFacts delivery={delivery} />
      <History delivery={delivery} />
      {delivery.erased ? (
        <p>There is no payload: the candidate’s personal data was erased.</p>
      ) : (
        <Payload deliveryId={delivery.id} />
      )}
    </div>
  )
}

function Retry({ deliveryId, onRetried }: { deliveryId: string; onRetried(): void }) {
  const { id, isAdmin } = useOrganization()
  const queries = useQueryClient()
  const retry = useMutation({
    mutationFn: () => api.retry(id, deliveryId),
    onSuccess: () => {
      onRetried()
      notifications.show({ message: 'Retry scheduled. Sends in about a minute.' })
      return queries.invalidateQueries({ queryKey: ['deliveries', id] })
    },
  })
  if (!isAdmin) return <p>Only admins can retry a delivery.</p>
  return (
    <div>
      <ErrorAlert error={retry.error} />
      <ChangeButton
        leftSection={<IconRefresh size={18} aria-hidden />}
        onClick={() => retry.mutate()}
        loading={retry.isPending}
      >
        Retry
      </ChangeButton>
    </div>
  )
}
