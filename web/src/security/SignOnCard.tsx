import { Alert, Group, Skeleton, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CurrentSignOn } from '../../../server/http/settings/signon-schemas.ts'
import { api } from '../api.ts'
import { IconInfoCircle } from '../icons/icons.tsx'
import { Button } from '../parts/Button.tsx'
import { Card } from '../parts/Card.tsx'
import { ChangeButton } from '../parts/ChangeButton.tsx'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { CopyField } from '../parts/CopyField.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { PasswordField } from '../parts/PasswordField.tsx'
import { useOrganization } from '../session/session.ts'

export function SignOnCard() {
  const { id } = useOrganization()
  const current = useQuery({ queryKey: ['single-sign-on', id], queryFn: () => api.singleSignOn(id) })
  const stored = JSON.stringify(current.data?.settings, ['issuer', 'clientId', 'domain'])
  const [filledWith, setFilledWith] = useState(stored)
  const [isDirty, setDirty] = useState(false)
  // Another admin may have changed it. What was typed here stays.
  if (filledWith !== stored && !isDirty) setFilledWith(stored)
  return (
    <Card
      title="Single sign-on"
      description="Members sign in at your own identity provider, by OpenID Connect. They still have to be invited."
      aside={current.data && statusOf(current.data)}
    >
      {current.isPending && <Skeleton height={200} />}
      <ErrorAlert error={current.error} onRetry={() => void current.refetch()} />
      {current.data && (
        <SignOnForm
          key={filledWith}
          current={current.data}
          onTyped={() => setDirty(true)}
          onStored={() => setDirty(false)}
        />
      )}
    </Card>
  )
}

function statusOf({ settings }: CurrentSignOn): string {
  if (settings === null) return 'Off'
  return settings.domainConfirmedAt === null ? 'Waiting for confirmation' : 'On'
}

type SignOnFormProps = {
  current: CurrentSignOn
  onTyped(): void
  /** Saved or turned off. */
  onStored(): void
}

function SignOnForm({ current: { settings, redirectUri }, onTyped, onStored }: SignOnFormProps) {
  const { id } = useOrganization()
  const queries = useQueryClient()
  const [removing, { open, close }] = useDisclosure()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: {
      issuer: settings?.issuer ?? '',
      clientId: settings?.clientId ?? '',
      clientSecret: '',
      domain: settings?.domain ?? '',
    },
    validate: {
      issuer: (value) =>
        /^https:\/\/[^\s?#]+$/.test(value.trim()) ? null : 'Enter an https:// address without ? or #',
      clientId: (value) => (value.trim() === '' ? 'Enter the client ID' : null),
      clientSecret: (value) => (value === '' && settings === null ? 'Enter the client secret' : null),
      domain: (value) => (/^[^\s@.]+(\.[^\s@.]+)+$/.test(value.trim()) ? null : 'Enter a domain such as example.com'),
    },
  })
  const save = useMutation({
    mutationFn: ({ clientSecret, ...rest }: typeof form.values) =>
      api.saveSingleSignOn(id, { ...rest, ...(clientSecret !== '' && { clientSecret }) }),
    onSuccess: (saved) => {
      form.setFieldValue('clientSecret', '')
      onStored()
      queries.setQueryData(['single-sign-on', id], saved)
      notifications.show({ message: 'Single sign-on saved.' })
    },
  })
  const remove = useMutation({
    mutationFn: () => api.removeSingleSignOn(id),
    onSuccess: async () => {
      onStored()
      await queries.invalidateQueries({ queryKey: ['single-sign-on', id] })
      close()
      notifications.show({ message: 'Single sign-on is off.' })
    },
  })
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))} onChange={onTyped} noValidate>
      <Stack gap="md">
        {settings?.domainConfirmedAt === null && (
          <Alert icon={<IconInfoCircle aria-hidden />}>
            Nobody can sign in this way yet: ask the service operator to confirm that {settings.domain} is yours.
          </Alert>
        )}
        <CopyField label="Redirect URI to enter at your provider" value={redirectUri} />
        <TextInput
          label="Issuer"
          description="As your provider writes it, for example https://login.example.com"
          key={form.key('issuer')}
          {...form.getInputProps('issuer')}
        />
        <TextInput label="Client ID" key={form.key('clientId')} {...form.getInputProps('clientId')} />
        <PasswordField
          label="Client secret"
          description={settings ? 'Leave empty to keep the stored one' : undefined}
          autoComplete="off"
          key={form.key('clientSecret')}
          {...form.getInputProps('clientSecret')}
        />
        <TextInput
          label="Email domain"
          description="Only addresses in this domain are accepted"
          key={form.key('domain')}
          {...form.getInputProps('domain')}
        />
        <ErrorAlert error={save.error} />
        <Group justify="flex-end">
          {settings && (
            <Button variant="default" onClick={open}>
              Turn off
            </Button>
          )}
          <ChangeButton type="submit" loading={save.isPending}>
            Save
          </ChangeButton>
        </Group>
      </Stack>
      <ConfirmDialog
        opened={removing}
        onClose={close}
        title="Turn off single sign-on?"
        confirm="Turn off"
        danger
        mutation={remove}
        onConfirm={() => remove.mutate()}
      >
        Everyone who signed in this way is signed out. Members without a password need a reset link.
      </ConfirmDialog>
    </form>
  )
}
