import { Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, errorOf } from '../api.ts'
import { Button } from '../parts/Button.tsx'
import { CancelButton, Dialog } from '../parts/Dialog.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { useOrganization } from '../session/session.ts'
import type { ShownLink } from './LinkDialog.tsx'
import { roleOptions, toRole } from './roles.ts'

type InviteDialogProps = { opened: boolean; onClose(): void; onInvited(link: ShownLink): void }

export function InviteDialog({ opened, onClose, onInvited }: InviteDialogProps) {
  const { name } = useOrganization()
  return (
    <Dialog opened={opened} onClose={onClose} title={`Invite someone to ${name}`}>
      <InviteForm onClose={onClose} onInvited={onInvited} />
    </Dialog>
  )
}

function InviteForm({ onClose, onInvited }: Omit<InviteDialogProps, 'opened'>) {
  const { id } = useOrganization()
  const queries = useQueryClient()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', role: 'viewer' },
    validate: { email: (value) => (/^\S+@\S+\.\S+$/.test(value.trim()) ? null : 'Enter an email address') },
  })
  const invite = useMutation({
    mutationFn: ({ email, role }: { email: string; role: string }) =>
      api.inviteMember(id, { email: email.trim(), role: toRole(role) }),
    onError: (error) => {
      const taken = errorOf(error, 'already_member', 'invalid_email')
      if (taken) form.setErrors({ email: taken.message })
    },
    onSuccess: async ({ invitation: { email, expiresAt }, url }) => {
      await queries.invalidateQueries({ queryKey: ['members', id] })
      onClose()
      onInvited({ kind: 'invitation', email, url, expiresAt })
    },
  })
  return (
    <form onSubmit={form.onSubmit((values) => invite.mutate(values))} noValidate>
      <Stack gap="md">
        <ErrorAlert error={errorOf(invite.error, 'already_member', 'invalid_email') ? null : invite.error} />
        <TextInput
          label="Email"
          type="email"
          autoComplete="off"
          data-autofocus
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <NativeSelect label="Role" data={roleOptions} key={form.key('role')} {...form.getInputProps('role')} />
        <Group justify="flex-end" mt="xs">
          <CancelButton />
          <Button type="submit" loading={invite.isPending}>
            Invite
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
