import { ActionIcon, Tooltip, VisuallyHidden } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '../icons/icons.tsx'
import classes from './CopyText.module.css'

/** Text that can be selected, with a small Copy button. `name` says what it is, such as `result ID`. */
export function CopyText({ name, text }: { name: string; text: string }) {
  const clipboard = useClipboard({ timeout: 3_000 })
  const Icon = clipboard.copied ? IconCheck : IconCopy
  return (
    <span className={classes.copy}>
      <code className={classes.text}>{text}</code>
      <Tooltip label={clipboard.copied ? 'Copied' : `Copy ${name}`}>
        <ActionIcon
          size="sm"
          variant="subtle"
          color="gray"
          onClick={() => clipboard.copy(text)}
          aria-label={`Copy ${name}`}
        >
          <Icon size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <VisuallyHidden role="status">{clipboard.copied && 'Copied'}</VisuallyHidden>
    </span>
  )
}
