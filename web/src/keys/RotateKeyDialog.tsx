import { Group, NativeSelect, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { ListedKey, MintedKey } from '../../../server/http/settings/schemas.ts'
import { api } from '../api.ts'
import { Button } from '../parts/Button.tsx'
import { CancelButton, Dialog } from '../parts/Dialog.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { focusIfLost } from '../parts/focus.ts'
import { inDays } from '../parts/times.ts'
import { useOrganization } from '../session/session.ts'
import { DayInput, endError } from './ExpiryField.tsx'
import { KeyShownOnce } from './KeyShownOnce.tsx'

const choices = [
  { value: '1', label: 'In a day' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: 'date', label: 'On a date' },
  { value: '0', label: 'Immediately' },
]

type RotateKeyDialogProps = { apiKey: ListedKey | null; opened: boolean; onClose(): void }

/** Creates a successor, shows it once, and says when the old key ends. */
export function RotateKeyDialog({ apiKey: key, opened, onClose }: RotateKeyDialogProps) {
  const [minted, setMinted] = useState<MintedKey | null>(null)
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => {
        setMinted(null)
        if (key) focusIfLost(document.getElementById(key.id))
      }}
      size="lg"
      title={minted ? `The new “${minted.label}” is ready` : `Rotate “${key?.label ?? ''}”`}
      // The key is shown only once: a stray click or keypress must not close the dialog.
      closeOnClickOutside={minted === null}
      closeOnEscape={minted === null}
      withCloseButton={minted === null}
    >
      {minted && <KeyShownOnce minted={minted} onDone={onClose} />}
      {!minted && key && <RotateForm apiKey={key} onMinted={setMinted} />}
    </Dialog>
  )
}

type RotateFormProps = { apiKey: ListedKey; onMinted(minted: MintedKey): void }

function RotateForm({ apiKey: key, onMinted }: RotateFormProps) {
  const { id } = useOrganization()
  const queries = useQueryClient()
  const [choice, setChoice] = useState('7')
  const [day, setDay] = useState('')
  const [dayError, setDayError] = useState<string | null>(null)
  const rotate = useMutation({
    mutationFn: (oldEndsAt: string) => api.rotateKey(id, key.id, { oldEndsAt }),
    onSuccess: (minted) => {
      onMinted(minted)
      void queries.invalidateQueries({ queryKey: ['keys', id] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A day in the past would end the old key immediately, which is a choice of its own.
    const wrong = choice === 'date' ? endError(day) : null
    setDayError(wrong)
    if (wrong === null) rotate.mutate(choice === 'date' ? day : endAfter(choice))
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <p>
          Creates a new key with the same label and permissions. The old key keeps working until the time you choose, so
          you can replace it in your system first.
        </p>
        <ErrorAlert error={rotate.error} />
        <NativeSelect
          label="The old key stops working"
          data={choices}
          value={choice}
          data-autofocus
          onChange={({ currentTarget }) => setChoice(currentTarget.value)}
        />
        {choice === 'date' && (
          <DayInput
            label="Last day"
            value={day}
            error={dayError}
            onChange={(day) => {
              setDay(day)
              setDayError(null)
            }}
          />
        )}
        <Group justify="flex-end">
          <CancelButton />
          <Button type="submit" loading={rotate.isPending}>
            Create successor
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function endAfter(days: string): string {
  // The service takes any time in the past for now. A clock that is ahead here would let the old key go on working.
  return days === '0' ? new Date(0).toISOString() : inDays(Number(days))
}
