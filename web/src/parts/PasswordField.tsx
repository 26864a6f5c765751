import { PasswordInput, type PasswordInputProps } from '@mantine/core'

/** Mantine marks an invalid password input by color only. */
export function PasswordField(props: PasswordInputProps) {
  return <PasswordInput {...props} aria-invalid={Boolean(props.error)} />
}
