import { Modal, type ModalProps } from '@mantine/core'
import { type Mutation, useIsMutating, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect, useRef } from 'react'
import { Button } from './Button.tsx'

type DialogState = { close(): void; isBusy: boolean }

const DialogContext = createContext<DialogState>({ close: () => {}, isBusy: false })

/**
 * A modal dialog that can't be closed while a request from it is under way: the response may be a secret that is shown
 * only here, and it must find the dialog it belongs to.
 */
export function Dialog({ opened, onClose, children, ...props }: ModalProps) {
  const queries = useQueryClient()
  const openedAt = useRef(0)
  useEffect(() => {
    if (opened) openedAt.current = Date.now()
  }, [opened])
  // What the page sent before doesn't count. After that only the dialog can send anything.
  const predicate = ({ state }: Mutation) => state.submittedAt >= openedAt.current
  const isBusy = useIsMutating({ predicate }) > 0
  const close = () => {
    // The hook lags a moment behind.
    if (queries.isMutating({ predicate }) === 0) onClose()
  }
  return (
    <Modal
      {...props}
      opened={opened}
      onClose={close}
      closeButtonProps={{ 'aria-label': 'Close', 'aria-disabled': isBusy }}
    >
      <DialogContext value={{ close, isBusy }}>{children}</DialogContext>
    </Modal>
  )
}

/** Closes the dialog it is in. */
export function CancelButton({ autoFocus = false }: { autoFocus?: boolean }) {
  const { close, isBusy } = useContext(DialogContext)
  return (
    <Button variant="default" onClick={close} inactive={isBusy} data-autofocus={autoFocus || undefined}>
      Cancel
    </Button>
  )
}
