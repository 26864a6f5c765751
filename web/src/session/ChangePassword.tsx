import { Group, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { api, errorOf } from '../api.ts'
import { Button } from '../parts/Button.tsx'
import { CancelButton, Dialog } from '../parts/Dialog.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { PasswordField } from '../parts/PasswordField.tsx'
import { passwordError, passwordHint } from './new-password.ts'

export function ChangePassword({ opened, onClose }: { opened: boolean; onClose(): void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Change password">
      <PasswordForm onClose={onClose} />
    </Dialog>
  )
}

function PasswordForm({ onClose }: { onClose(): void }) {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { current: '', next: '', again: '' },
    validate: {
      current: (value) => (value === '' ? 'Enter your current password' : null),
      next: passwordError,
      again: (value, { next }) => (value === next ? null : 'Passwords don’t match'),
    },
  })
  const change = useMutation({
    mutationFn: api.changePassword,
    onError: (error) => {
      const wrong = errorOf(error, 'current_password_wrong')
      const weak = errorOf(error, 'weak_password')
      form.setErrors({ ...(wrong && { current: wrong.message }), ...(weak && { next: weak.message }) })
    },
    onSuccess: () => {
      onClose()
      notifications.show({ message: 'Password changed. You’ve been signed out everywhere else.' })
    },
  })

  return (
    <form onSubmit={form.onSubmit(({ current, next }) => change.mutate({ current, next }))} noValidate>
      <Stack gap="md">
        <ErrorAlert error={errorOf(change.error, 'current_password_wrong', 'weak_password') ? null : change.error} />
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          data-autofocus
          key={form.key('current')}
          {...form.getInputProps('current')}
        />
        <PasswordField
          label="New password"
          description={passwordHint}
          autoComplete="new-password"
          key={form.key('next')}
          {...form.getInputProps('next')}
        />
        <PasswordField
          label="Confirm new password"
          autoComplete="new-password"
          key={form.key('again')}
          {...form.getInputProps('again')}
        />
        <Group justify="flex-end" mt="xs">
          <CancelButton />
          <Button type="submit" loading={change.isPending}>
            Change password
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
