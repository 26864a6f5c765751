import { Alert, Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MintedKey } from '../../../server/http/settings/schemas.ts'
import { ApiError, api } from '../api.ts'
import { IconAlertTriangle } from '../icons/icons.tsx'
import { CodeBlock } from '../parts/CodeBlock.tsx'
import { CopyField } from '../parts/CopyField.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { useOrganization } from '../session/session.ts'
import classes from './NewKeyDialog.module.css'
import { allScopes, firstRequest, type Scope, scopeDescriptions } from './scopes.ts'

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
    <Modal
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
      {minted ? <ShownOnce minted={minted} onDone={onClose} /> : <KeyForm onMinted={setMinted} onCancel={onClose} />}
    </Modal>
  )
}

function KeyForm({ onMinted, onCancel }: { onMinted(minted: MintedKey): void; onCancel(): void }) {
  const { id } = useOrganization()
  const queries = useQueryClient()
  const form = useForm<{ label: string; scopes: Scope[] }>({
    initialValues: { label: '', scopes: [] },
    validate: {
      label: (label) => (label.trim() === '' ? 'Add a label so you can recognize it later' : null),
      scopes: (scopes) => (scopes.length === 0 ? 'Select at least one permission' : null),
    },
  })
  const create = useMutation({
    mutationFn: (key: { label: string; scopes: Scope[] }) => api.createKey(id, key),
    onError: (error) => {
      if (isLabelError(error)) form.setErrors({ label: error.message })
    },
    onSuccess: (minted) => {
      onMinted(minted)
      void queries.invalidateQueries({ queryKey: ['keys', id] })
    },
  })

  return (
    <form onSubmit={form.onSubmit(({ label, scopes }) => create.mutate({ label: label.trim(), scopes }))} noValidate>
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
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The label is the only part of the request a person can get wrong. */
function isLabelError(error: Error | null): error is ApiError {
  return error instanceof ApiError && error.status === 400
}

function ShownOnce({ minted, onDone }: { minted: MintedKey; onDone(): void }) {
  const { session } = useOrganization()
  return (
    <Stack gap="md">
      <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} className={classes.once}>
        Copy it now. You won’t see it again. Store it like a password.
      </Alert>
      <CopyField label="API key" value={minted.key} autoFocus />
      <CodeBlock label="Try it" text={firstRequest(session.appUrl, minted.key, minted.scopes)} />
      <Group justify="flex-end">
        <Button onClick={onDone}>I’ve saved it</Button>
      </Group>
    </Stack>
  )
}
