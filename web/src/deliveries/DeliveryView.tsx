import { Alert, DataList, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import type { DeliveryDetail } from '../../../server/http/settings/delivery-schemas.ts'
import { api } from '../api.ts'
import { IconInfoCircle, IconRefresh } from '../icons/icons.tsx'
import { BreakableText } from '../parts/BreakableText.tsx'
import { ChangeButton } from '../parts/ChangeButton.tsx'
import { counted } from '../parts/counts.ts'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { toTheSecond } from '../parts/times.ts'
import { useOrganization } from '../session/session.ts'
import { Attempt } from './Attempt.tsx'
import classes from './DeliveryView.module.css'
import { Payload } from './Payload.tsx'
import { StatusBadge } from './StatusBadge.tsx'

export function DeliveryView({ delivery }: { delivery: DeliveryDetail }) {
  const statusRef = useRef<HTMLDivElement>(null)
  const {
    status,
    failureReason,
    failure,
    candidate,
    templateName,
    resultId,
    createdAt,
    deliveredAt,
    nextAttemptAt,
    attempts,
    history,
  } = delivery
  const facts: [string, ReactNode][] = [
    ['Candidate', <BreakableText key="email" text={candidate.email} />],
    ['Template', templateName],
    ['Result', resultId],
    ['Created', toTheSecond(createdAt)],
    ...(deliveredAt ? ([['Delivered', toTheSecond(deliveredAt)]] satisfies [string, string][]) : []),
    ...(nextAttemptAt ? ([['Next attempt', toTheSecond(nextAttemptAt)]] satisfies [string, string][]) : []),
  ]
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
      {status === 'FAILED' && failureReason !== 'CANDIDATE_ERASED' && (
        <Retry deliveryId={delivery.id} onRetried={() => statusRef.current?.focus()} />
      )}
      <DataList size="sm" gap="xs" labelWidth="6rem">
        {facts.map(([label, value]) => (
          <DataList.Item key={label}>
            <DataList.ItemLabel>{label}</DataList.ItemLabel>
            <DataList.ItemValue>{value}</DataList.ItemValue>
          </DataList.Item>
        ))}
      </DataList>
      <section aria-label="Attempts">
        <Title order={3} className={classes.heading}>
          {history.length > 0
            ? counted(history.length, 'attempt')
            : attempts > 0
              ? `${counted(attempts, 'attempt')} (details deleted)`
              : 'No attempts yet'}
        </Title>
        <ol className={classes.attempts} reversed>
          {history
            .toSorted((a, b) => b.number - a.number)
            .map((attempt) => (
              <Attempt key={attempt.number} attempt={attempt} shownReason={failure?.summary ?? null} />
            ))}
        </ol>
      </section>
      <Payload deliveryId={delivery.id} />
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
      notifications.show({ message: 'Retry scheduled. Sends within a minute.' })
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
