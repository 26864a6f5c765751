import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { ChangeButton } from './ChangeButton.tsx'

type SaveButtonsProps = {
  pending: boolean
  disabled: boolean
  /** What else the form can do, between Save and Cancel. */
  children?: ReactNode
  /** Undefined: there is nothing to go back to. */
  onCancel: (() => void) | undefined
}

/** The buttons at the end of a form within the page. */
export function SaveButtons({ pending, disabled, children, onCancel }: SaveButtonsProps) {
  return (
    <Group gap="sm">
      <ChangeButton type="submit" loading={pending} disabled={disabled}>
        Save
      </ChangeButton>
      {children}
      {onCancel && (
        <Button variant="subtle" color="gray" onClick={onCancel}>
          Cancel
        </Button>
      )}
    </Group>
  )
}
