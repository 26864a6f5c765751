import { TextInput, type TextInputProps } from '@mantine/core'
import type { Ref } from 'react'

type UrlInputProps = Pick<TextInputProps, 'label' | 'placeholder' | 'error'> & {
  value: string
  onChange(url: string): void
  ref: Ref<HTMLInputElement>
}

export function UrlInput({ onChange, ...props }: UrlInputProps) {
  return (
    <TextInput
      {...props}
      type="url"
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
