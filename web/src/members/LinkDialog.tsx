import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '../icons/icons.tsx'
import { CopyField } from '../parts/CopyField.tsx'

export type ShownLink = {
  kind: 'invitation' | 'reset'
  email: string
  url: string
  mailed: boolean
  /** As people say it: “7 days”. */
  validFor: string
}

const titles = { invitation: 'Invitation link', reset: 'Password reset link' }

/** Shows a link once. Whoever has it can use it. */
export function LinkDialog({ link, opened, onClose }: { link: ShownLink | null; opened: boolean; onClose(): void }) {
  return (
    <Modal
      opened={opened && link !== null}
      onClose={onClose}
      title={link ? titles[link.kind] : ''}
      size="lg"
      // Shown only once: a stray click or keypress must not close the dialog.
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      {link && (
        <Stack gap="md">
          {link.mailed ? (
            <Alert color="teal" icon={<IconCircleCheck aria-hidden />}>
              We’re emailing this link to {link.email}. You can also copy it now; you won’t see it again.
            </Alert>
          ) : (
            <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
              Copy it now and send it to {link.email}. You won’t see it again.
            </Alert>
          )}
          <CopyField label={titles[link.kind]} value={link.url} autoFocus />
          <div>It works once, for {link.validFor}.</div>
          <Group justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}
