import { ActionIcon, Tooltip, VisuallyHidden } from '@mantine/core'
import { useRef } from 'react'
import { IconCheck, IconCopy } from '../icons/icons.tsx'
import classes from './CopyText.module.css'
import { useCopy } from './use-copy.ts'

/** Text that can be selected, with a small Copy button. `name` says what it is, such as `result ID`. */
export function CopyText({ name, text }: { name: string; text: string }) {
  const element = useRef<HTMLElement>(null)
  const { copy, copied, blocked } = useCopy(text, element)
  const Icon = copied ? IconCheck : IconCopy
  return (
    <span>
      <span className={classes.copy}>
        <code ref={element} className={classes.text}>
          {text}
        </code>
        <Tooltip label={copied ? 'Copied' : `Copy ${name}`}>
          <ActionIcon size="sm" variant="subtle" color="gray" onClick={copy} aria-label={`Copy ${name}`}>
            <Icon size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </span>
      <span role="status" className={classes.status}>
        {copied && <VisuallyHidden>Copied</VisuallyHidden>}
        {blocked}
      </span>
    </span>
  )
}
