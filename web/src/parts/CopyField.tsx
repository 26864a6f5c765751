import { Button, TextInput } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useRef } from 'react'
import classes from './CopyField.module.css'

/** A value to take away. Where the browser gives no clipboard it is selected instead, ready for the keyboard. */
export function CopyField({ label, value }: { label: string; value: string }) {
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
      <span role="status" className={classes.said}>
        {clipboard.copied && 'Copied'}
        {clipboard.error && 'This browser does not let the page copy: the text is selected, copy it with the keyboard.'}
      </span>
    </div>
  )
}
