import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import type { ChangedSecret, Webhook } from '../../../server/http/settings/schemas.ts'
import { IconKey } from '../icons/icons.tsx'
import { Card } from '../parts/Card.tsx'
import { ChangeButton } from '../parts/ChangeButton.tsx'
import { Dialog } from '../parts/Dialog.tsx'
import { useFocusOnChange } from '../parts/focus.ts'
import { ChangeSecretForm } from './ChangeSecretForm.tsx'
import { PendingSecret } from './PendingSecret.tsx'

type SecretCardProps = {
  webhook: Webhook
  /** A new secret is prepared; the current one still signs. */
  onPrepared(prepared: ChangedSecret): void
  /** A new secret signs, or the prepared one is discarded. */
  onChanged(webhook: Webhook): void
}

export function SecretCard({ webhook, onPrepared, onChanged }: SecretCardProps) {
  const [opened, { open, close }] = useDisclosure()
  const { pendingSecretSince } = webhook
  const headingRef = useFocusOnChange(pendingSecretSince === null ? 'current' : 'pending')
  return (
    <Card
      title="Signing secret"
      description="Every event is signed with this secret so your receiver can verify who sent it. It’s stored encrypted and never shown again."
      headingRef={headingRef}
    >
      {pendingSecretSince === null ? (
        <ChangeButton variant="default" leftSection={<IconKey size={18} aria-hidden />} onClick={open}>
          Change secret
        </ChangeButton>
      ) : (
        // Another one, prepared by someone else, has not been checked.
        <PendingSecret key={pendingSecretSince} since={pendingSecretSince} onChanged={onChanged} />
      )}
      <Dialog opened={opened} onClose={close} title="Change signing secret" size="lg">
        <ChangeSecretForm
          onPrepared={(prepared) => {
            close()
            onPrepared(prepared)
          }}
          onChanged={(webhook) => {
            close()
            onChanged(webhook)
            notifications.show({ message: 'Signing secret changed. New attempts are signed with it.' })
          }}
        />
      </Dialog>
    </Card>
  )
}
