import { type ButtonProps as MantineButtonProps, Button as Plain } from '@mantine/core'
import type { ComponentPropsWithRef, MouseEvent, ReactNode } from 'react'

export type ButtonProps = MantineButtonProps &
  Omit<ComponentPropsWithRef<'button'>, keyof MantineButtonProps> & {
    /** Takes no clicks, like a disabled button, but keeps the focus. */
    inactive?: boolean
    /** For a link that looks like a button. */
    renderRoot?: (props: Record<string, unknown>) => ReactNode
  }

/**
 * A button that is inactive while it loads. A disabled one, as Mantine's is then, drops the focus to the page: out of the
 * dialog it is in, and for good.
 */
export function Button({ inactive = false, disabled = false, onClick, ...props }: ButtonProps) {
  const isInactive = inactive || props.loading === true
  if (disabled || !isInactive) return <Plain {...props} disabled={disabled} onClick={onClick} />
  const swallow = (event: MouseEvent) => event.preventDefault()
  return (
    <Plain
      {...props}
      aria-disabled
      data-disabled
      onClick={swallow}
      renderRoot={({ disabled: _, ...root }) => <button {...root} />}
    />
  )
}
