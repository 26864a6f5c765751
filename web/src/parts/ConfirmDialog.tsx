import { Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { CancelButton, Dialog } from './Dialog.tsx'
import { ErrorAlert } from './ErrorAlert.tsx'

type ConfirmDialogProps = {
  opened: boolean
  title: string
  children: ReactNode
  /** The label of the confirm button: a verb. */
  confirm: string
  danger?: boolean
  disabled?: boolean
  /** What the confirm button starts. */
  mutation: { isPending: boolean; error: Error | null; reset(): void }
  /** What to show instead of the mutation's own error. */
  error?: Error | null
  onConfirm(): void
  onClose(): void
  /** Runs after the closing animation. */
  onClosed?: () => void
}

/** Asks before an action that can't be undone or that affects a lot. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, children, confirm, danger = false, disabled = false, mutation } = props
  const { error = mutation.error, onConfirm, onClose, onClosed } = props
  // The next time, it must not open with the error of this time.
  const close = () => {
    mutation.reset()
    onClose()
  }
  return (
    <Dialog opened={opened} onClose={close} onExitTransitionEnd={onClosed} title={title}>
      <Stack gap="md">
        <div>{children}</div>
        <ErrorAlert error={error} />
        <Group justify="flex-end">
          <CancelButton autoFocus />
          <Button
            {...(danger && { color: 'red' })}
            onClick={onConfirm}
            loading={mutation.isPending}
            disabled={disabled}
          >
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
