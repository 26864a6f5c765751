import { Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type Ref, useState } from 'react'
import type { Preflight, SavedWebhook, Webhook } from '../../../server/http/settings/schemas.ts'
import { api, errorOf } from '../api.ts'
import { ChangeButton } from '../parts/ChangeButton.tsx'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { SaveButtons } from '../parts/SaveButtons.tsx'
import { UrlInput } from '../parts/UrlInput.tsx'
import { useOrganization } from '../session/session.ts'
import { PreflightResult } from './PreflightResult.tsx'
import { SecretChoice } from './SecretChoice.tsx'

type EndpointFormProps = {
  webhook: Webhook | null
  inputRef: Ref<HTMLInputElement>
  onTyped(): void
  onSaved(saved: SavedWebhook): void
  onCancel?: () => void
}

export function EndpointForm({ webhook, inputRef, onTyped, onSaved, onCancel }: EndpointFormProps) {
  const { id } = useOrganization()
  const [url, setUrl] = useState(webhook?.url ?? '')
  // Undefined: the server generates a secret, or keeps the one it has.
  const [secret, setSecret] = useState<string | undefined>()
  // The check that failed on save. Kept while the admin decides, and while the second save runs.
  const [failedCheck, setFailedCheck] = useState<Preflight | null>(null)
  const [confirming, { open, close }] = useDisclosure()
  const check = useMutation({ mutationFn: (url: string) => api.preflight(id, url) })
  const save = useMutation({
    mutationFn: ({ saveAnyway }: { saveAnyway: boolean }) =>
      api.saveWebhook(id, {
        url: url.trim(),
        // If another admin has added a webhook meanwhile, its secret stays.
        ...(webhook === null && secret !== undefined && { secret }),
        ...(saveAnyway && { saveAnyway }),
      }),
    onMutate: () => check.reset(),
    onSuccess: onSaved,
    onError: (error) => {
      const unreachable = errorOf(error, 'endpoint_unreachable')
      if (unreachable === null) return close()
      setFailedCheck(unreachable.preflight)
      open()
    },
  })
  const reset = () => {
    check.reset()
    save.reset()
    setFailedCheck(null)
  }
  const refused = errorOf(save.error, 'destination_refused')
  const invalidSecret = errorOf(save.error, 'invalid_secret')
  const isShownElsewhere = refused !== null || invalidSecret !== null || failedCheck !== null
  const preflight = check.data ?? refused?.preflight ?? failedCheck

  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ saveAnyway: false })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <UrlInput
          ref={inputRef}
          label="Endpoint URL"
          placeholder="https://hooks.example.com/interviews"
          value={url}
          error={refused?.message}
          onChange={(url) => {
            setUrl(url)
            onTyped()
            reset()
          }}
        />
        {webhook === null && (
          <SecretChoice
            value={secret}
            onChange={(secret) => {
              setSecret(secret)
              onTyped()
              reset()
            }}
            generatedHint="32 random bytes, shown once after you save"
            error={invalidSecret?.message ?? null}
          />
        )}
        <ErrorAlert error={isShownElsewhere ? null : (save.error ?? check.error)} />
        {preflight && <PreflightResult preflight={preflight} />}
        <SaveButtons pending={save.isPending} disabled={url.trim() === ''} onCancel={onCancel}>
          <ChangeButton
            variant="default"
            onClick={() => {
              reset()
              check.mutate(url.trim())
            }}
            loading={check.isPending}
            disabled={url.trim() === ''}
          >
            Check
          </ChangeButton>
        </SaveButtons>
      </Stack>
      <ConfirmDialog
        opened={confirming}
        onClose={close}
        title="Save anyway?"
        confirm="Save anyway"
        mutation={save}
        error={null}
        onConfirm={() => save.mutate({ saveAnyway: true })}
      >
        <p>The endpoint failed the check below. Deliveries to it fail until that is fixed.</p>
        {failedCheck && <PreflightResult preflight={failedCheck} />}
      </ConfirmDialog>
    </form>
  )
}
