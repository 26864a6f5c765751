import { Button, Group, Modal, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Webhook } from '../../../server/http/settings/schemas.ts'
import { api, errorOf } from '../api.ts'
import { IconKey } from '../icons/icons.tsx'
import { Card } from '../parts/Card.tsx'
import { ChangeButton } from '../parts/ChangeButton.tsx'
import { CopyField } from '../parts/CopyField.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { useOrganization } from '../session/session.ts'
import { generateSecret } from './generate-secret.ts'
import { SecretChoice } from './SecretChoice.tsx'

export function SecretCard({ onChanged }: { onChanged(webhook: Webhook): void }) {
  const [opened, { open, close }] = useDisclosure()
  return (
    <Card
      title="Signing secret"
      description="Every event is signed with this secret so your receiver can verify who sent it. It’s stored encrypted and never shown again."
    >
      <ChangeButton variant="default" leftSection={<IconKey size={18} aria-hidden />} onClick={open}>
        Change secret
      </ChangeButton>
      <Modal opened={opened} onClose={close} title="Change signing secret" size="lg">
        <ChangeForm
          onCancel={close}
          onChanged={(webhook) => {
            close()
            onChanged(webhook)
            notifications.show({ message: 'Signing secret changed. New attempts are signed with it.' })
          }}
        />
      </Modal>
    </Card>
  )
}

function ChangeForm({ onCancel, onChanged }: { onCancel(): void; onChanged(webhook: Webhook): void }) {
  const { id } = useOrganization()
  const [generated] = useState(generateSecret)
  const [own, setOwn] = useState<string | undefined>()
  const change = useMutation({
    mutationFn: () => api.changeSecret(id, { secret: own ?? generated }),
    onSuccess: ({ webhook }) => onChanged(webhook),
  })
  const invalid = errorOf(change.error, 'invalid_secret')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate()
      }}
      noValidate
    >
      <Stack gap="md">
        <p>
          Add the new secret to your receiver first and let it accept both. Then change it here: from the next attempt
          on, events are signed with the new secret only.
        </p>
        <SecretChoice
          value={own}
          onChange={(secret) => {
            setOwn(secret)
            change.reset()
          }}
          generatedHint="Not in use until you change it below"
          generated={<CopyField label="New secret" value={generated} />}
          error={invalid?.message ?? null}
        />
        <ErrorAlert error={invalid ? null : change.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending}>
            Change secret
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
