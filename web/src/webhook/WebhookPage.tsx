import { Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SavedWebhook } from '../../../server/http/settings/schemas.ts'
import { api } from '../api.ts'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { useOrganization } from '../session/session.ts'
import { CheckReceiver } from './CheckReceiver.tsx'
import { EndpointCard } from './EndpointCard.tsx'
import { HowToVerify } from './HowToVerify.tsx'
import { SecretCard } from './SecretCard.tsx'
import { SecretDialog } from './SecretDialog.tsx'

type Secret = NonNullable<SavedWebhook['secret']>

export function WebhookPage() {
  const { id } = useOrganization()
  const [secret, setSecret] = useState<Secret | null>(null)
  const [shown, { open, close }] = useDisclosure()
  const show = (secret: Secret | null) => {
    if (secret === null) return
    setSecret(secret)
    open()
  }
  const current = useQuery({ queryKey: ['webhook', id], queryFn: () => api.webhook(id) })
  const webhook = current.data?.webhook ?? null

  return (
    <>
      <PageHead title="Webhook">
        Where a result goes the moment an interview is completed: one signed POST to one HTTPS address of yours.
      </PageHead>
      {current.isPending && <Skeleton height={220} radius={14} />}
      <ErrorAlert error={current.error} onRetry={() => void current.refetch()} />
      {current.data && <EndpointCard webhook={webhook} onSecret={show} />}
      {webhook && <CheckReceiver />}
      {webhook && <SecretCard onSecret={show} />}
      {current.data && <HowToVerify />}
      <SecretDialog secret={secret} opened={shown} onClose={close} onClosed={() => setSecret(null)} />
    </>
  )
}
