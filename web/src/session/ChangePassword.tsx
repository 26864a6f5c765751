import { Button, Group, Modal, PasswordInput, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { api } from '../api.ts'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'

export function ChangePassword({ opened, onClose }: { opened: boolean; onClose(): void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Change password">
      <PasswordForm onClose={onClose} />
    </Modal>
  )
}

function PasswordForm({ onClose }: { onClose(): void }) {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { current: '', next: '', again: '' },
    validate: {
      current: (value) => (value === '' ? 'Type your current password' : null),
      next: (value) => (value.length < 12 || value.length > 128 ? 'Use 12 to 128 characters' : null),
      again: (value, { next }) => (value === next ? null : 'This is not the same as the new password'),
    },
  })
  const change = useMutation({
    mutationFn: api.changePassword,
    onSuccess: () => {
      onClose()
      notifications.show({ message: 'Your password is changed. Other sessions of yours have ended.' })
    },
  })

  return (
    <form onSubmit={form.onSubmit(({ current, next }) => change.mutate({ current, next }))} noValidate>
      <Stack gap="md">
        <ErrorAlert error={change.error} />
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          data-autofocus
          key={form.key('current')}
          {...form.getInputProps('current')}
        />
        <PasswordInput
          label="New password"
          description="12 to 128 characters"
          autoComplete="new-password"
          key={form.key('next')}
          {...form.getInputProps('next')}
        />
        <PasswordInput
          label="New password, once more"
          autoComplete="new-password"
          key={form.key('again')}
          {...form.getInputProps('again')}
        />
        <Group justify="flex-end" mt="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending}>
            Change password
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
