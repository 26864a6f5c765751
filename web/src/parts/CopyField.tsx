import { Button, TextInput } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { useRef } from 'react'
import { IconCheck, IconCopy } from '../icons/icons.tsx'
import classes from './CopyField.module.css'

type CopyFieldProps = { label: string; value: string; autoFocus?: boolean }

/** A value with a Copy button. Without clipboard access the text is selected so it can be copied by keyboard. */
export function CopyField({ label, value, autoFocus = false }: CopyFieldProps) {
  const clipboard = useClipboard({ timeout: 3_000 })
  const input = useRef<HTMLInputElement>(null)
  const copy = () => {
    input.current?.select()
    clipboard.copy(value)
  }
  return (
    <div className={classes.field}>
      <TextInput
        ref={input}
        label={label}
        value={value}
        readOnly
        autoFocus={autoFocus}
        className={classes.input}
        classNames={{ input: classes.value }}
        onFocus={(event) => event.currentTarget.select()}
        spellCheck={false}
      />
      <Button
        onClick={copy}
        variant={clipboard.copied ? 'light' : 'filled'}
        leftSection={clipboard.copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
        aria-label={`Copy: ${label}`}
      >
        {clipboard.copied ? 'Copied' : 'Copy'}
      </Button>
      <span role="status" className={classes.status}>
        {clipboard.copied && 'Copied'}
        {clipboard.error && 'Your browser blocked copying. The text is selected; press Ctrl+C or ⌘C.'}
      </span>
    </div>
  )
}
