import { Group, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type Ref, useState } from 'react'
import type { NotificationSettings } from '../../../server/http/settings/notification-schemas.ts'
import { api, errorOf } from '../api.ts'
import { Card } from '../parts/Card.tsx'
import { ChangeButton } from '../parts/ChangeButton.tsx'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { useFocusOnChange } from '../parts/focus.ts'
import { Moment } from '../parts/Moment.tsx'
import { SaveButtons } from '../parts/SaveButtons.tsx'
import { SavedUrl } from '../parts/SavedUrl.tsx'
import { UrlInput } from '../parts/UrlInput.tsx'
import { useOrganization } from '../session/session.ts'
import { ChannelStatus } from './ChannelStatus.tsx'
import { describeChatProblem } from './problems.ts'

type ChatCardProps = { chat: NotificationSettings['chat']; onChanged(settings: NotificationSettings): void }

/** The chat webhook: add, replace, test or remove it. */
export function ChatCard({ chat, onChanged }: ChatCardProps) {
  // Null while nobody edits. What was typed stays if another admin adds a webhook meanwhile.
  const [typed, setTyped] = useState<string | null>(null)
  const { webhook } = chat
  const focusRef = useFocusOnChange(webhook === null ? 'add' : typed === null ? 'view' : 'edit')

  if (webhook === null || typed !== null) {
    return (
      <Card
        title={webhook ? 'Replace chat webhook' : 'Chat'}
        description="Post the same alerts to Slack, or to any chat that accepts Slack’s incoming webhooks."
      >
        <ChatForm
          inputRef={focusRef}
          url={typed ?? ''}
          onTyped={setTyped}
          onSaved={(settings) => {
            onChanged(settings)
            setTyped(null)
            notifications.show({ message: 'Chat webhook saved.' })
          }}
          {...(webhook && { onCancel: () => setTyped(null) })}
        />
      </Card>
    )
  }
  return (
    <Card title="Chat" headingRef={focusRef}>
      <SavedUrl url={`https://${webhook.host}/…`}>
        Updated <Moment time={webhook.updatedAt} /> · The rest of the URL is hidden, because it works like a password.
      </SavedUrl>
      <ChannelStatus noun="message" status={chat} describe={describeChatProblem} />
      <ChatActions onChanged={onChanged} onEdit={() => setTyped('')} />
    </Card>
  )
}

type ChatFormProps = {
  inputRef: Ref<HTMLInputElement>
  url: string
  onTyped(url: string): void
  onSaved(settings: NotificationSettings): void
  onCancel?: () => void
}

function ChatForm({ inputRef, url, onTyped, onSaved, onCancel }: ChatFormProps) {
  const { id } = useOrganization()
  const save = useMutation({ mutationFn: () => api.saveChatWebhook(id, url.trim()), onSuccess: onSaved })
  const refused = errorOf(save.error, 'destination_refused')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <UrlInput
          ref={inputRef}
          label="Webhook URL"
          placeholder="https://hooks.slack.com/services/…"
          value={url}
          error={refused?.message}
          onChange={(url) => {
            onTyped(url)
            save.reset()
          }}
        />
        <ErrorAlert error={refused ? null : save.error} />
        <SaveButtons pending={save.isPending} disabled={url.trim() === ''} onCancel={onCancel} />
      </Stack>
    </form>
  )
}

type ChatActionsProps = { onChanged(settings: NotificationSettings): void; onEdit(): void }

function ChatActions({ onChanged, onEdit }: ChatActionsProps) {
  const { id } = useOrganization()
  const [confirming, setConfirming] = useState(false)
  const test = useMutation({
    mutationFn: () => api.sendTestMessage(id, 'chat'),
    onSuccess: (settings) => {
      onChanged(settings)
      notifications.show({ message: 'Test message queued.' })
    },
  })
  const remove = useMutation({
    mutationFn: () => api.removeChatWebhook(id),
    onSuccess: (settings) => {
      setConfirming(false)
      onChanged(settings)
    },
  })
  return (
    <>
      <ErrorAlert error={test.error} />
      <Group gap="sm" mt="md">
        <ChangeButton variant="default" onClick={() => test.mutate()} loading={test.isPending}>
          Send test message
        </ChangeButton>
        <ChangeButton variant="default" onClick={onEdit}>
          Replace URL
        </ChangeButton>
        <ChangeButton variant="subtle" color="red" onClick={() => setConfirming(true)}>
          Remove
        </ChangeButton>
      </Group>
      <ConfirmDialog
        opened={confirming}
        onClose={() => setConfirming(false)}
        title="Remove the chat webhook?"
        confirm="Remove"
        danger
        mutation={remove}
        onConfirm={() => remove.mutate()}
      >
        Alerts are no longer posted to this chat, including those that are still waiting.
      </ConfirmDialog>
    </>
  )
}
