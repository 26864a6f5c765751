import { Button, type ButtonProps, Tooltip } from '@mantine/core'
import type { ComponentPropsWithRef } from 'react'
import { useOrganization } from '../session/session.ts'

type ChangeButtonProps = ButtonProps & Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps>

/** A button for something the server rejects in an inactive organization. There it stays focusable and says why. */
export function ChangeButton(props: ChangeButtonProps) {
  const { active, name } = useOrganization()
  if (active) return <Button {...props} />
  return (
    <Tooltip
      label={`${name} is inactive, so nothing can be changed.`}
      events={{ hover: true, focus: true, touch: true }}
    >
      <Button {...props} type="button" aria-disabled data-disabled onClick={(event) => event.preventDefault()} />
    </Tooltip>
  )
}
