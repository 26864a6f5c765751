import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ChangedSecret } from '../../../server/http/settings/schemas.ts'
import { CopyField } from '../parts/CopyField.tsx'
import classes from './SecretDialog.module.css'

type SecretDialogProps = {
  secret: ChangedSecret['secret'] | null
  opened: boolean
  onClose(): void
  /** It is out of sight, and need not be kept any longer. */
  onClosed(): void
}

/** Shown once; so it takes a click on its button to lose it. */
export function SecretDialog({ secret, opened, onClose, onClosed }: SecretDialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      title="Your signing secret"
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      {secret && (
        <Stack gap="md">
          <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} className={classes.once}>
            This is the only time it is shown. Give it to your receiver now.
          </Alert>
          <CopyField label="Signing secret" value={secret.value} />
          <Group justify="flex-end">
            <Button onClick={onClose}>I have stored it</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}
