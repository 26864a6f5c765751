import { Tooltip } from '@mantine/core'
import { useOrganization } from '../session/session.ts'
import { Button, type ButtonProps } from './Button.tsx'

/** A button for something the server rejects in an inactive organization. There it stays focusable and says why. */
export function ChangeButton(props: ButtonProps) {
  const { active, name } = useOrganization()
  if (active) return <Button {...props} />
  return (
    <Tooltip
      label={`${name} is inactive, so nothing can be changed.`}
      events={{ hover: true, focus: true, touch: true }}
    >
      <Button {...props} disabled={false} inactive />
    </Tooltip>
  )
}
