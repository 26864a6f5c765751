import { Button } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '../icons/icons.tsx'
import classes from './CodeBlock.module.css'

/** Preformatted text with a Copy button. Long text scrolls, with the keyboard too. */
export function CodeBlock({ label, text, wrap = false }: { label: string; text: string; wrap?: boolean }) {
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className={classes.text} data-wrap={wrap} tabIndex={0} aria-label={label}>
        <pre>{text}</pre>
      </section>
    </div>
  )
}
