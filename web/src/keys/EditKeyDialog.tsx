import { Group, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { KeyChange, ListedKey } from '../../../server/http/settings/schemas.ts'
import { ApiError, api, errorOf } from '../api.ts'
import { Button } from '../parts/Button.tsx'
import { CancelButton, Dialog } from '../parts/Dialog.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { focusIfLost } from '../parts/focus.ts'
import { useOrganization } from '../session/session.ts'
import { ExpiryField, endError } from './ExpiryField.tsx'

type EditKeyDialogProps = { apiKey: ListedKey | null; opened: boolean; onClose(): void }

/** Renames a key or changes when it expires. */
export function EditKeyDialog({ apiKey: key, opened, onClose }: EditKeyDialogProps) {
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => key && focusIfLost(document.getElementById(key.id))}
      title={`Edit “${key?.label ?? ''}”`}
    >
      {key && <EditForm key={key.id} apiKey={key} onClose={onClose} />}
    </Dialog>
  )
}

function EditForm({ apiKey: key, onClose }: { apiKey: ListedKey; onClose(): void }) {
  const { id } = useOrganization()
  const queries = useQueryClient()
  const [label, setLabel] = useState(key.label)
  const [expiresAt, setExpiresAt] = useState(key.expiresAt)
  const [expiryError, setExpiryError] = useState<string | null>(null)
  const edit = useMutation({
    mutationFn: (change: KeyChange) => api.editKey(id, key.id, change),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['keys', id] })
      onClose()
    },
  })
  const isLabelError =
    edit.error instanceof ApiError && edit.error.status === 400 && !errorOf(edit.error, 'expiry_in_past')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = expiresAt === key.expiresAt ? null : endError(expiresAt)
    setExpiryError(wrong)
    if (wrong !== null) return
    // What is unchanged here may have been changed by another admin meanwhile.
    const change = {
      ...(label.trim() !== key.label && { label: label.trim() }),
      ...(expiresAt !== key.expiresAt && { expiresAt }),
    }
    if (Object.keys(change).length > 0) edit.mutate(change)
    else onClose()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <ErrorAlert error={isLabelError ? null : edit.error} />
        <TextInput
          label="Label"
          maxLength={100}
          data-autofocus
          value={label}
          error={isLabelError ? edit.error?.message : null}
          onChange={({ currentTarget }) => {
            setLabel(currentTarget.value)
            edit.reset()
          }}
        />
        <ExpiryField
          value={expiresAt}
          onChange={(at) => {
            setExpiresAt(at)
            setExpiryError(null)
            edit.reset()
          }}
          error={expiryError}
        />
        <Group justify="flex-end">
          <CancelButton />
          <Button type="submit" loading={edit.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
