import { Button, VisuallyHidden } from '@mantine/core'
import { useRef } from 'react'
import { IconCheck, IconCopy } from '../icons/icons.tsx'
import classes from './CodeBlock.module.css'
import { useCopy } from './use-copy.ts'

/** Preformatted text with a Copy button. Long text scrolls, with the keyboard too. */
export function CodeBlock({ label, text, wrap = false }: { label: string; text: string; wrap?: boolean }) {
  const element = useRef<HTMLPreElement>(null)
  const { copy, copied, blocked } = useCopy(text, element)
  return (
    <div>
      <div className={classes.head}>
        <span>{label}</span>
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={copy}
          leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          aria-label={`Copy: ${label}`}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className={classes.text} data-wrap={wrap} tabIndex={0} aria-label={label}>
        <pre ref={element}>{text}</pre>
      </section>
      <span role="status" className={classes.status}>
        {blocked}
        {copied && <VisuallyHidden>Copied</VisuallyHidden>}
      </span>
    </div>
  )
}
