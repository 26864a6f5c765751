import { Group } from '@mantine/core'
import { mergeRefs } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import type { Preflight, SavedWebhook, Webhook } from '../../../server/http/settings/schemas.ts'
import { api } from '../api.ts'
import { IconCircleCheck, IconCircleOff } from '../icons/icons.tsx'
import { Card } from '../parts/Card.tsx'
import { ChangeButton } from '../parts/ChangeButton.tsx'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { useFocusOnChange } from '../parts/focus.ts'
import { Moment } from '../parts/Moment.tsx'
import { SavedUrl } from '../parts/SavedUrl.tsx'
import { useOrganization } from '../session/session.ts'
import classes from './EndpointCard.module.css'
import { EndpointForm } from './EndpointForm.tsx'
import { PreflightResult } from './PreflightResult.tsx'

type EndpointCardProps = {
  webhook: Webhook | null
  onChanged(webhook: Webhook | null): void
  onSecret(secret: SavedWebhook['secret']): void
  headingRef: RefObject<HTMLHeadingElement | null>
}

/** The endpoint URL: add, change, disable or remove it. */
export function EndpointCard({ webhook, onChanged, onSecret, headingRef }: EndpointCardProps) {
  // While adding, true once something is typed, so that it stays if another admin adds a webhook meanwhile.
  const [editing, setEditing] = useState(false)
  const [preflight, setPreflight] = useState<Preflight | null>(null)
  const focusRef = useFocusOnChange(webhook === null ? 'add' : editing ? 'edit' : 'view')
  const onSaved = (saved: SavedWebhook) => {
    const isReachable = saved.preflight.tls?.ok !== false
    onChanged(saved.webhook)
    setPreflight(saved.preflight)
    setEditing(false)
    onSecret(saved.secret)
    notifications.show(
      isReachable
        ? { message: 'Webhook saved.' }
        : { message: 'Webhook saved, but the endpoint can’t be reached.', color: 'yellow' },
    )
  }

  if (webhook === null || editing) {
    return (
      <Card
        title={webhook ? 'Change endpoint URL' : 'Add an endpoint'}
        description="It must be a public HTTPS URL. Checking it sends nothing."
      >
        <EndpointForm
          webhook={webhook}
          inputRef={focusRef}
          onTyped={() => setEditing(true)}
          onSaved={onSaved}
          {...(webhook && { onCancel: () => setEditing(false) })}
        />
      </Card>
    )
  }
  return (
    <Card title="Endpoint" aside={<State enabled={webhook.enabled} />} headingRef={mergeRefs(focusRef, headingRef)}>
      <SavedUrl url={webhook.url}>
        Added <Moment time={webhook.createdAt} /> · Updated <Moment time={webhook.updatedAt} />
      </SavedUrl>
      {preflight && <PreflightResult preflight={preflight} />}
      <EndpointActions
        webhook={webhook}
        onChanged={onChanged}
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

type EndpointActionsProps = { webhook: Webhook; onChanged(webhook: Webhook | null): void; onEdit(): void }

function EndpointActions({ webhook, onChanged, onEdit }: EndpointActionsProps) {
  const { id } = useOrganization()
  const [confirming, setConfirming] = useState<'disable' | 'remove' | null>(null)
  const close = () => setConfirming(null)
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
      {confirming === null && <ErrorAlert error={switchTo.error} />}
      <Group gap="sm" mt="md">
        <ChangeButton variant="default" onClick={onEdit}>
          Change URL
        </ChangeButton>
        {webhook.enabled ? (
          <ChangeButton variant="default" onClick={() => setConfirming('disable')}>
            Disable
          </ChangeButton>
        ) : (
          <ChangeButton onClick={() => switchTo.mutate(true)} loading={switchTo.isPending}>
            Enable
          </ChangeButton>
        )}
        <ChangeButton variant="subtle" color="red" onClick={() => setConfirming('remove')}>
          Remove
        </ChangeButton>
      </Group>
      <ConfirmDialog
        opened={confirming === 'disable'}
        onClose={close}
        title="Disable the webhook?"
        confirm="Disable"
        danger
        mutation={switchTo}
        onConfirm={() => switchTo.mutate(false)}
      >
        New results won’t be sent, and pending deliveries fail without being sent. You can retry those after you enable
        it again.
      </ConfirmDialog>
      <ConfirmDialog
        opened={confirming === 'remove'}
        onClose={close}
        title="Remove the webhook?"
        confirm="Remove"
        danger
        mutation={remove}
        onConfirm={() => remove.mutate()}
      >
        This deletes the URL and its signing secret. Pending deliveries fail without being sent. A webhook you add later
        gets a new secret.
      </ConfirmDialog>
    </>
  )
}
