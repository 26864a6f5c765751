import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '../icons/icons.tsx'
import { CopyField } from '../parts/CopyField.tsx'

export type ShownLink = {
  kind: 'invitation' | 'reset'
  email: string
  /** Null if it was emailed. */
  url: string | null
  /** As people say it: “7 days”. */
  validFor: string
}

const titles = { invitation: 'Invitation link', reset: 'Password reset link' }

/** Shows a link once, because whoever has it can use it. Or says that it was emailed. */
export function LinkDialog({ link, opened, onClose }: { link: ShownLink | null; opened: boolean; onClose(): void }) {
  const isShown = link !== null && link.url !== null
  return (
    <Modal
      opened={opened && link !== null}
      onClose={onClose}
      title={link ? titles[link.kind] : ''}
      size="lg"
      // A link is shown only once: a stray click or keypress must not close the dialog.
      closeOnClickOutside={!isShown}
      closeOnEscape={!isShown}
      withCloseButton={false}
    >
      {link && (
        <Stack gap="md">
          <Notice link={link} />
          {link.url !== null && <CopyField label={titles[link.kind]} value={link.url} autoFocus />}
          <div>It works once, for {link.validFor}.</div>
          <Group justify="flex-end">
            <Button onClick={onClose} data-autofocus={!isShown || undefined}>
              Done
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}

function Notice({ link: { email, url } }: { link: ShownLink }) {
  if (url === null) {
    return (
      <Alert color="teal" icon={<IconCircleCheck aria-hidden />}>
        We’re emailing the link to {email}.
      </Alert>
    )
  }
  return (
    <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
      Copy it now and send it to {email}. You won’t see it again.
    </Alert>
  )
}
