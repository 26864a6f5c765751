import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { IconCircleCheck } from '../icons/icons.tsx'
import { CopyField } from '../parts/CopyField.tsx'
import { useNow } from '../parts/clock.ts'
import { ShownOnce } from '../parts/ShownOnce.tsx'
import { inFull } from '../parts/times.ts'

export type ShownLink = {
  kind: 'invitation' | 'reset'
  email: string
  /** Null if it was emailed. */
  url: string | null
  expiresAt: string
}

const titles = { invitation: 'Invitation link', reset: 'Password reset link' }

type LinkDialogProps = {
  link: ShownLink | null
  opened: boolean
  onClose(): void
  /** Runs after the closing animation. */
  onClosed(): void
}

/** Shows a link once, because whoever has it can use it. Or says that it was emailed. */
export function LinkDialog({ link, opened, onClose, onClosed }: LinkDialogProps) {
  const isShown = link !== null && link.url !== null
  return (
    <Modal
      opened={opened && link !== null}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      title={link ? titles[link.kind] : ''}
      size="lg"
      // A link is shown only once: a stray click or keypress must not close the dialog.
      closeOnClickOutside={!isShown}
      closeOnEscape={!isShown}
      withCloseButton={false}
    >
      {link && <Content link={link} onClose={onClose} />}
    </Modal>
  )
}

function Content({ link: { kind, email, url, expiresAt }, onClose }: { link: ShownLink; onClose(): void }) {
  const validity = <div>It works once, until {inFull(expiresAt, useNow())}.</div>
  if (url !== null) {
    const warning = `Copy it now and send it to ${email}. You won’t see it again.`
    return (
      <ShownOnce warning={warning} done="Done" onDone={onClose}>
        <CopyField label={titles[kind]} value={url} autoFocus />
        {validity}
      </ShownOnce>
    )
  }
  return (
    <Stack gap="md">
      <Alert color="teal" icon={<IconCircleCheck aria-hidden />}>
        We’re emailing the link to {email}.
      </Alert>
      {validity}
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          Done
        </Button>
      </Group>
    </Stack>
  )
}
