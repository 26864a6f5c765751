import { Button, Group, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorAlert } from './ErrorAlert.tsx'

type ConfirmDialogProps = {
  opened: boolean
  title: string
  children: ReactNode
  /** The label of the confirm button: a verb. */
  confirm: string
  danger?: boolean
  disabled?: boolean
  pending: boolean
  error: Error | null
  onConfirm(): void
  onClose(): void
  /** Runs after the closing animation. */
  onClosed?: () => void
}

/** Asks before an action that can't be undone or that affects a lot. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    opened,
    title,
    children,
    confirm,
    danger = false,
    disabled = false,
    pending,
    error,
    onConfirm,
    onClose,
    onClosed,
  } = props
  return (
    <Modal opened={opened} onClose={onClose} onExitTransitionEnd={onClosed} title={title}>
      <Stack gap="md">
        <div>{children}</div>
        <ErrorAlert error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button {...(danger && { color: 'red' })} onClick={onConfirm} loading={pending} disabled={disabled}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
