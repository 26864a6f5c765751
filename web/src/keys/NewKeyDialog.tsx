import { Alert, Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MintedKey } from '../../../server/http/settings/schemas.ts'
import { api } from '../api.ts'
import { CodeBlock } from '../parts/CodeBlock.tsx'
import { CopyField } from '../parts/CopyField.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { useOrganization } from '../session/session.ts'
import classes from './NewKeyDialog.module.css'
import { allScopes, firstRequest, type Scope, scopeWords } from './scopes.ts'

/** Asks what the key is for, then shows it: this once. */
export function NewKeyDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const [minted, setMinted] = useState<MintedKey | null>(null)
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setMinted(null)}
      size="lg"
      title={minted ? `“${minted.label}” is ready` : 'New API key'}
      // What is shown once must not be lost to a stray click or key.
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
      label: (label) => (label.trim() === '' ? 'Give it a label, so that you know it again' : null),
      scopes: (scopes) => (scopes.length === 0 ? 'Choose at least one' : null),
    },
  })
  const make = useMutation({
    mutationFn: (key: { label: string; scopes: Scope[] }) => api.makeKey(id, key),
    onSuccess: (minted) => {
      onMinted(minted)
      void queries.invalidateQueries({ queryKey: ['keys', id] })
    },
  })

  return (
    <form onSubmit={form.onSubmit(({ label, scopes }) => make.mutate({ label: label.trim(), scopes }))} noValidate>
      <Stack gap="md">
        <ErrorAlert error={make.error} />
        <TextInput
          label="Label"
          description="The system that will use it, for example “ATS production”"
          maxLength={100}
          data-autofocus
          {...form.getInputProps('label')}
        />
        <Checkbox.Group label="What it may do" {...form.getInputProps('scopes')}>
          <div className={classes.scopes}>
            {allScopes.map((scope) => (
              <Checkbox key={scope} value={scope} label={scope} description={scopeWords[scope]} />
            ))}
          </div>
        </Checkbox.Group>
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={make.isPending}>
            Make the key
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function ShownOnce({ minted, onDone }: { minted: MintedKey; onDone(): void }) {
  const { session } = useOrganization()
  return (
    <Stack gap="md">
      <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} className={classes.once}>
        This is the only time the whole key is shown. Copy it now and keep it like a password.
      </Alert>
      <CopyField label="API key" value={minted.key} />
      <CodeBlock label="Try it" text={firstRequest(session.appUrl, minted.key, minted.scopes)} />
      <Group justify="flex-end">
        <Button onClick={onDone}>I have stored it</Button>
      </Group>
    </Stack>
  )
}
