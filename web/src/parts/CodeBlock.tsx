import { Button } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import classes from './CodeBlock.module.css'

/** Text to read as it is, to take away, and to scroll with the keyboard where it is long. */
export function CodeBlock({ label, text }: { label: string; text: string }) {
  const clipboard = useClipboard({ timeout: 3_000 })
  return (
    <div>
      <div className={classes.head}>
        <span>{label}</span>
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => clipboard.copy(text)}
          leftSection={clipboard.copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          aria-label={`Copy: ${label}`}
        >
          {clipboard.copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={classes.text} tabIndex={0} aria-label={label}>
        <pre>{text}</pre>
      </section>
    </div>
  )
}
