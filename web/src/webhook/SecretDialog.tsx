import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { IconAlertTriangle } from '../icons/icons.tsx'
import { CopyField } from '../parts/CopyField.tsx'
import classes from './SecretDialog.module.css'

type SecretDialogProps = {
  secret: string | null
  title: string
  opened: boolean
  onClose(): void
  /** Runs after the closing animation, when the secret can be forgotten. */
  onClosed(): void
}

/** Shown once, so only the button closes it. */
export function SecretDialog({ secret, title, opened, onClose, onClosed }: SecretDialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      returnFocus={false}
    >
      {secret && (
        <Stack gap="md">
          <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} className={classes.once}>
            Copy it to your receiver now. You won’t see it again.
          </Alert>
          <CopyField label="Signing secret" value={secret} />
          <Group justify="flex-end">
            <Button onClick={onClose}>I’ve saved it</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}
