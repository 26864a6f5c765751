import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconCircleCheck, IconCircleOff } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CurrentWebhook, Preflight, SavedWebhook, Webhook } from '../../../server/http/settings/schemas.ts'
import { api } from '../api.ts'
import { Card } from '../parts/Card.tsx'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { Moment } from '../parts/Moment.tsx'
import { useOrganization } from '../session/session.ts'
import classes from './EndpointCard.module.css'
import { EndpointForm } from './EndpointForm.tsx'
import { PreflightResult } from './PreflightResult.tsx'

type EndpointCardProps = { webhook: Webhook | null; onSecret(secret: SavedWebhook['secret']): void }

/** The address itself: set it, change it, switch it off, take it away. */
export function EndpointCard({ webhook, onSecret }: EndpointCardProps) {
  const { id } = useOrganization()
  const queries = useQueryClient()
  const [editing, setEditing] = useState(false)
  const [preflight, setPreflight] = useState<Preflight | null>(null)
  const store = (webhook: Webhook | null) => {
    queries.setQueryData<CurrentWebhook>(['webhook', id], { webhook })
    // What was said of the endpoint as it was no longer holds.
    void queries.invalidateQueries({ queryKey: ['alert', id] })
  }
  const onSaved = (saved: SavedWebhook) => {
    store(saved.webhook)
    setPreflight(saved.preflight)
    setEditing(false)
    onSecret(saved.secret)
    notifications.show({ message: 'The webhook is saved.' })
  }

  if (webhook === null || editing) {
    return (
      <Card
        title={webhook ? 'Change the address' : 'Set the address'}
        description="It must be public and speak HTTPS. The check below shows what the service sees before anything is sent."
      >
        <EndpointForm webhook={webhook} onSaved={onSaved} {...(webhook && { onCancel: () => setEditing(false) })} />
      </Card>
    )
  }
  return (
    <Card title="Endpoint" aside={<State enabled={webhook.enabled} />}>
      <p className={classes.url}>{webhook.url}</p>
      <p className={classes.soft}>
        Set <Moment time={webhook.createdAt} />, last changed <Moment time={webhook.updatedAt} />
      </p>
      {preflight && <PreflightResult preflight={preflight} />}
      <Switches
        webhook={webhook}
        onChanged={store}
        onEdit={() => {
          setPreflight(null)
          setEditing(true)
        }}
      />
    </Card>
  )
}

function State({ enabled }: { enabled: boolean }) {
  const Icon = enabled ? IconCircleCheck : IconCircleOff
  return (
    <span className={classes.state} data-enabled={enabled} role="status">
      <Icon size={18} stroke={2} aria-hidden /> {enabled ? 'Enabled' : 'Disabled'}
    </span>
  )
}

type SwitchesProps = { webhook: Webhook; onChanged(webhook: Webhook | null): void; onEdit(): void }

function Switches({ webhook, onChanged, onEdit }: SwitchesProps) {
  const { id } = useOrganization()
  const [asking, setAsking] = useState<'disable' | 'remove' | null>(null)
  const close = () => setAsking(null)
  const switchTo = useMutation({
    mutationFn: (enabled: boolean) => api.switchWebhook(id, enabled),
    onSuccess: ({ webhook }) => {
      close()
      onChanged(webhook)
    },
  })
  const remove = useMutation({
    mutationFn: () => api.removeWebhook(id),
    onSuccess: () => {
      close()
      onChanged(null)
    },
  })

  return (
    <>
      {asking === null && <ErrorAlert error={switchTo.error} />}
      <Group gap="sm" mt="md">
        <Button variant="default" onClick={onEdit}>
          Change the address
        </Button>
        {webhook.enabled ? (
          <Button variant="default" onClick={() => setAsking('disable')}>
            Disable
          </Button>
        ) : (
          <Button onClick={() => switchTo.mutate(true)} loading={switchTo.isPending}>
            Enable
          </Button>
        )}
        <Button variant="subtle" color="red" onClick={() => setAsking('remove')}>
          Remove
        </Button>
      </Group>
      <ConfirmDialog
        opened={asking === 'disable'}
        onClose={close}
        title="Disable the webhook?"
        confirm="Disable"
        danger
        pending={switchTo.isPending}
        error={switchTo.error}
        onConfirm={() => switchTo.mutate(false)}
      >
        Results completed from now on are not sent, and deliveries still pending fail without a request. You can retry
        those once it is enabled again.
      </ConfirmDialog>
      <ConfirmDialog
        opened={asking === 'remove'}
        onClose={close}
        title="Remove the webhook?"
        confirm="Remove"
        danger
        pending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
      >
        The address and its signing secret are deleted, and deliveries still pending fail without a request. Setting it
        again makes a new secret.
      </ConfirmDialog>
    </>
  )
}
