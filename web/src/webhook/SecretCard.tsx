import { Button, Group, Modal, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconKey } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ChangedSecret } from '../../../server/http/settings/schemas.ts'
import { api } from '../api.ts'
import { Card } from '../parts/Card.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { useOrganization } from '../session/session.ts'
import { SecretChoice } from './SecretChoice.tsx'

export function SecretCard({ onSecret }: { onSecret(secret: ChangedSecret['secret']): void }) {
  const [changing, { open, close }] = useDisclosure()
  return (
    <Card
      title="Signing secret"
      description="Every event is signed with it, so that your receiver can tell ours from anybody else’s. It is stored encrypted and never shown again."
    >
      <Button variant="default" leftSection={<IconKey size={18} aria-hidden />} onClick={open}>
        Change the secret
      </Button>
      <Modal opened={changing} onClose={close} title="Change the signing secret">
        <ChangeForm
          onCancel={close}
          onChanged={({ secret }) => {
            close()
            onSecret(secret)
          }}
        />
      </Modal>
    </Card>
  )
}

function ChangeForm({ onCancel, onChanged }: { onCancel(): void; onChanged(changed: ChangedSecret): void }) {
  const { id } = useOrganization()
  const [secret, setSecret] = useState<string | undefined>()
  const change = useMutation({
    mutationFn: () => api.changeSecret(id, secret === undefined ? {} : { secret }),
    onSuccess: onChanged,
  })
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
          The new secret holds from the next attempt on; the old one is gone. Let your receiver accept both for a while:
          set the new one there right after this.
        </p>
        <SecretChoice value={secret} onChange={setSecret} />
        <ErrorAlert error={change.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending}>
            Change the secret
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
