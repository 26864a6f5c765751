import { Group, Stack } from '@mantine/core'
import type { FormEvent } from 'react'
import { errorOf } from '../api.ts'
import { Button } from '../parts/Button.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { PasswordField } from '../parts/PasswordField.tsx'

type PasswordFormProps = {
  text: string
  submit: string
  pending: boolean
  error: Error | null
  onPassword(password: string): void
}

/** Asks for the password before a change to the account. */
export function PasswordForm({ text, submit, pending, error, onPassword }: PasswordFormProps) {
  const wrong = errorOf(error, 'current_password_wrong')
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onPassword(String(new FormData(event.currentTarget).get('password')))
  }
  return (
    <form onSubmit={send}>
      <Stack gap="md">
        <div>{text}</div>
        <ErrorAlert error={wrong ? null : error} />
        <PasswordField
          label="Your password"
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus
          error={wrong?.message}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={pending}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
