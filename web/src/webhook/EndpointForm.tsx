import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { SavedWebhook, Webhook } from '../../../server/http/settings/schemas.ts'
import { ApiError, api } from '../api.ts'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { useOrganization } from '../session/session.ts'
import { PreflightResult } from './PreflightResult.tsx'
import { SecretChoice } from './SecretChoice.tsx'

type EndpointFormProps = { webhook: Webhook | null; onSaved(saved: SavedWebhook): void; onCancel?: () => void }

export function EndpointForm({ webhook, onSaved, onCancel }: EndpointFormProps) {
  const { id } = useOrganization()
  const [url, setUrl] = useState(webhook?.url ?? '')
  // Undefined: the service makes one, or keeps the one it has.
  const [secret, setSecret] = useState<string | undefined>()
  const check = useMutation({ mutationFn: (wanted: string) => api.preflight(id, wanted) })
  const save = useMutation({
    mutationFn: () => api.saveWebhook(id, { url: url.trim(), ...(secret !== undefined && { secret }) }),
    onMutate: () => check.reset(),
    onSuccess: onSaved,
  })
  const refused = save.error instanceof ApiError ? save.error.preflight : null
  const seen = check.data ?? refused

  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label="Address"
          placeholder="https://hooks.example.com/interviews"
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          value={url}
          onChange={({ currentTarget }) => {
            setUrl(currentTarget.value)
            check.reset()
            save.reset()
          }}
        />
        {webhook === null && <SecretChoice value={secret} onChange={setSecret} />}
        <ErrorAlert error={save.error ?? check.error} />
        {seen && <PreflightResult preflight={seen} />}
        <Group gap="sm">
          <Button type="submit" loading={save.isPending} disabled={url.trim() === ''}>
            Save
          </Button>
          <Button
            variant="default"
            onClick={() => {
              save.reset()
              check.mutate(url.trim())
            }}
            loading={check.isPending}
            disabled={url.trim() === ''}
          >
            Check only
          </Button>
          {onCancel && (
            <Button variant="subtle" color="gray" onClick={onCancel}>
              Cancel
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
