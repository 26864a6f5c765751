import { Modal } from '@mantine/core'
import { CopyField } from '../parts/CopyField.tsx'
import { ShownOnce } from '../parts/ShownOnce.tsx'

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
        <ShownOnce
          warning="Copy it to your receiver now. You won’t see it again."
          done="I’ve saved it"
          onDone={onClose}
        >
          <CopyField label="Signing secret" value={secret} />
        </ShownOnce>
      )}
    </Modal>
  )
}
