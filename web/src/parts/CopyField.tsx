import { Button, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { IconCheck, IconCopy } from '../icons/icons.tsx'
import classes from './CopyField.module.css'
import { useCopy } from './use-copy.ts'

type CopyFieldProps = { label: string; value: string; autoFocus?: boolean }

/** A value with a Copy button. */
export function CopyField({ label, value, autoFocus = false }: CopyFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const { copy, copied, blocked } = useCopy(value, input)
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
        variant={copied ? 'light' : 'filled'}
        leftSection={copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
        aria-label={`Copy: ${label}`}
      >
        {copied ? 'Copied' : 'Copy'}
      </Button>
      <span role="status" className={classes.status}>
        {copied && 'Copied'}
        {blocked}
      </span>
    </div>
  )
}
