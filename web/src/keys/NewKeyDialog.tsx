import { Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MintedKey, NewKey } from '../../../server/http/settings/schemas.ts'
import { ApiError, api } from '../api.ts'
import { Button } from '../parts/Button.tsx'
import { CancelButton, Dialog } from '../parts/Dialog.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { useOrganization } from '../session/session.ts'
import { ExpiryField, endError } from './ExpiryField.tsx'
import { KeyShownOnce } from './KeyShownOnce.tsx'
import classes from './NewKeyDialog.module.css'
import { allScopes, type Scope, scopeDescriptions } from './scopes.ts'

type NewKeyDialogProps = {
  opened: boolean
  onClose(): void
  /** Runs after the closing animation. */
  onClosed(): void
}

/** Creates a key, then shows it once. */
export function NewKeyDialog({ opened, onClose, onClosed }: NewKeyDialogProps) {
  const [minted, setMinted] = useState<MintedKey | null>(null)
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => {
        setMinted(null)
        onClosed()
      }}
      // The button that opened it may have moved: the page returns the focus.
      returnFocus={false}
      size="lg"
      title={minted ? `“${minted.label}” is ready` : 'New API key'}
      // The key is shown only once: a stray click or keypress must not close the dialog.
      closeOnClickOutside={minted === null}
      closeOnEscape={minted === null}
      withCloseButton={minted === null}
    >
      {minted ? <KeyShownOnce minted={minted} onDone={onClose} /> : <KeyForm onMinted={setMinted} />}
    </Dialog>
  )
}

function KeyForm({ onMinted }: { onMinted(minted: MintedKey): void }) {
  const { id } = useOrganization()
  const queries = useQueryClient()
  const form = useForm<{ label: string; scopes: Scope[]; expiresAt: string | null }>({
    initialValues: { label: '', scopes: [], expiresAt: null },
    validate: {
      label: (label) => (label.trim() === '' ? 'Add a label so you can recognize it later' : null),
      scopes: (scopes) => (scopes.length === 0 ? 'Select at least one permission' : null),
      expiresAt: endError,
    },
  })
  const create = useMutation({
    mutationFn: (key: NewKey) => api.createKey(id, key),
    onError: (error) => {
      if (isLabelError(error)) form.setErrors({ label: error.message })
    },
    onSuccess: (minted) => {
      onMinted(minted)
      void queries.invalidateQueries({ queryKey: ['keys', id] })
    },
  })

  return (
    <form
      onSubmit={form.onSubmit(({ label, scopes, expiresAt }) =>
        create.mutate({ label: label.trim(), scopes, ...(expiresAt && { expiresAt }) }),
      )}
      noValidate
    >
      <Stack gap="md">
        <ErrorAlert error={isLabelError(create.error) ? null : create.error} />
        <TextInput
          label="Label"
          description="The system that uses it, for example “ATS production”"
          maxLength={100}
          data-autofocus
          {...form.getInputProps('label')}
        />
        <Checkbox.Group label="Permissions" {...form.getInputProps('scopes')}>
          <div className={classes.scopes}>
            {allScopes.map((scope) => (
              <Checkbox key={scope} value={scope} label={scope} description={scopeDescriptions[scope]} />
            ))}
          </div>
        </Checkbox.Group>
        <ExpiryField
          value={form.values.expiresAt}
          onChange={(expiresAt) => form.setFieldValue('expiresAt', expiresAt)}
          error={form.errors.expiresAt}
        />
        <Group justify="flex-end">
          <CancelButton />
          <Button type="submit" loading={create.isPending}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The form itself checks the rest. */
function isLabelError(error: Error | null): error is ApiError {
  return error instanceof ApiError && error.status === 400 && error.code !== 'expiry_in_past'
}
