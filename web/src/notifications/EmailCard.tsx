import { Alert, Checkbox, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { NotificationSettings } from '../../../server/http/settings/notification-schemas.ts'
import { api } from '../api.ts'
import { IconInfoCircle } from '../icons/icons.tsx'
import { Card } from '../parts/Card.tsx'
import { ChangeButton } from '../parts/ChangeButton.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { useOrganization } from '../session/session.ts'
import { ChannelStatus } from './ChannelStatus.tsx'
import { describeMailProblem } from './problems.ts'

type EmailCardProps = { email: NotificationSettings['email']; onChanged(settings: NotificationSettings): void }

export function EmailCard({ email, onChanged }: EmailCardProps) {
  const { id, active, session } = useOrganization()
  // What the admin just chose, until the server has stored it.
  const [choice, setChoice] = useState<boolean | null>(null)
  const choose = useMutation({
    mutationFn: (enabled: boolean) => api.setAlertEmails(id, enabled),
    onSuccess: onChanged,
    onSettled: () => setChoice(null),
  })
  const test = useMutation({
    mutationFn: () => api.sendTestMessage(id, 'email'),
    onSuccess: (settings) => {
      onChanged(settings)
      notifications.show({ message: `Test email queued for ${session.user.email}.` })
    },
  })

  return (
    <Card title="Email" description={`Sent to ${session.user.email}. Every admin decides for themselves.`}>
      {email.configured ? (
        <>
          <Checkbox
            label="Email me about the webhook of this organization"
            checked={choice ?? email.alerts}
            disabled={!active}
            onChange={({ currentTarget }) => {
              setChoice(currentTarget.checked)
              choose.mutate(currentTarget.checked)
            }}
          />
          <ChannelStatus noun="email" status={email} describe={describeMailProblem} />
          <ErrorAlert error={choose.error ?? test.error} />
          <Group gap="sm" mt="md">
            <ChangeButton variant="default" onClick={() => test.mutate()} loading={test.isPending}>
              Send test email
            </ChangeButton>
          </Group>
        </>
      ) : (
        <Alert icon={<IconInfoCircle aria-hidden />}>
          Email is not set up on this server. Ask whoever operates it to set SMTP_URL and MAIL_FROM. Chat messages work
          without it.
        </Alert>
      )}
    </Card>
  )
}
