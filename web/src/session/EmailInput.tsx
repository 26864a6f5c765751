import { TextInput } from '@mantine/core'

export function EmailInput() {
  return (
    <TextInput
      label="Email"
      name="email"
      type="email"
      autoComplete="username"
      required
      withAsterisk={false}
      autoFocus
      size="md"
    />
  )
}
