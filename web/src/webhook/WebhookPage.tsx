import { Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { CurrentWebhook, SavedWebhook, Webhook } from '../../../server/http/settings/schemas.ts'
import { api } from '../api.ts'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { useOrganization } from '../session/session.ts'
import { CheckReceiver } from './CheckReceiver.tsx'
import { EndpointCard } from './EndpointCard.tsx'
import { HowToVerify } from './HowToVerify.tsx'
import { PaceCard } from './PaceCard.tsx'
import { SecretCard } from './SecretCard.tsx'
import { SecretDialog } from './SecretDialog.tsx'

export function WebhookPage() {
  const { id } = useOrganization()
  const queries = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const [secret, setSecret] = useState<string | null>(null)
  // Counts secrets, because check results say nothing about the next one.
  const [secretVersion, setSecretVersion] = useState(0)
  const [opened, { open, close }] = useDisclosure()
  const show = (secret: SavedWebhook['secret']) => {
    // An admin's own secret needs no reminder to save it.
    if (!secret?.generated) return
    setSecret(secret.value)
    open()
  }
  const store = (webhook: Webhook | null) => {
    queries.setQueryData<CurrentWebhook>(['webhook', id], { webhook })
    // The alert may describe the old endpoint.
    void queries.invalidateQueries({ queryKey: ['alert', id] })
  }
  const current = useQuery({ queryKey: ['webhook', id], queryFn: () => api.webhook(id) })
  const webhook = current.data?.webhook ?? null

  return (
    <>
      <PageHead title="Webhook">
        When an interview is completed, the result is sent to your HTTPS endpoint in a signed POST request.
      </PageHead>
      {current.isPending && <Skeleton height={220} radius={14} />}
      <ErrorAlert error={current.error} onRetry={() => void current.refetch()} />
      {current.data && <EndpointCard webhook={webhook} onChanged={store} onSecret={show} headingRef={heading} />}
      {webhook && <CheckReceiver key={`${secretVersion} ${webhook.url}`} />}
      {webhook && (
        <SecretCard
          webhook={webhook}
          onPrepared={({ webhook, secret }) => {
            store(webhook)
            show(secret)
          }}
          onChanged={(webhook) => {
            store(webhook)
            setSecretVersion(secretVersion + 1)
          }}
        />
      )}
      {webhook && <PaceCard webhook={webhook} onChanged={store} />}
      {current.data && <HowToVerify />}
      <SecretDialog
        secret={secret}
        title={webhook?.pendingSecretSince ? 'Your new signing secret' : 'Your signing secret'}
        opened={opened}
        onClose={close}
        onClosed={() => {
          setSecret(null)
          heading.current?.focus()
        }}
      />
    </>
  )
}
