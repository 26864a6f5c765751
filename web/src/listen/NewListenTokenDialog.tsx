import { Group, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { MintedListenToken } from '../../../server/http/settings/listen-schemas.ts'
import { api } from '../api.ts'
import { Button } from '../parts/Button.tsx'
import { CodeBlock } from '../parts/CodeBlock.tsx'
import { CopyField } from '../parts/CopyField.tsx'
import { useNow } from '../parts/clock.ts'
import { CancelButton, Dialog } from '../parts/Dialog.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { ShownOnce } from '../parts/ShownOnce.tsx'
import { inFull } from '../parts/times.ts'
import { useOrganization } from '../session/session.ts'

type NewListenTokenDialogProps = {
  opened: boolean
  /** What to pass as `--server`. */
  serverUrl: string
  onClose(): void
  /** Runs after the closing animation. */
  onClosed(): void
}

/** Creates a token, then shows it once. */
export function NewListenTokenDialog({ opened, serverUrl, onClose, onClosed }: NewListenTokenDialogProps) {
  const { id, name } = useOrganization()
  const queries = useQueryClient()
  const create = useMutation({
    mutationFn: () => api.createListenToken(id),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['listen-tokens', id] }),
  })
  const minted = create.data ?? null
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => {
        create.reset()
        onClosed()
      }}
      // The button that opened it may have moved: the page returns the focus.
      returnFocus={false}
      size="lg"
      title={minted ? 'Your listen token is ready' : 'New listen token'}
      // The token is shown only once: a stray click or keypress must not close the dialog.
      closeOnClickOutside={minted === null}
      closeOnEscape={minted === null}
      withCloseButton={minted === null}
    >
      {minted ? (
        <TokenShownOnce minted={minted} serverUrl={serverUrl} onDone={onClose} />
      ) : (
        <Stack gap="md">
          <div>
            Whoever has this token sees every new result of {name}, with the candidate’s name and picture, for 24 hours.
          </div>
          <ErrorAlert error={create.error} />
          <Group justify="flex-end">
            <CancelButton />
            <Button onClick={() => create.mutate()} loading={create.isPending} data-autofocus>
              Create token
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}

type TokenShownOnceProps = { minted: MintedListenToken; serverUrl: string; onDone(): void }

function TokenShownOnce({ minted, serverUrl, onDone }: TokenShownOnceProps) {
  return (
    <ShownOnce
      warning={`Copy it now. You won’t see it again. It works until ${inFull(minted.expiresAt, useNow())}.`}
      done="I’ve saved it"
      onDone={onDone}
    >
      <CopyField label="Listen token" value={minted.token} autoFocus />
      <CopyField label="Signing secret for your receiver" value={minted.secret} />
      <CodeBlock label="In your terminal" text={listenCommands(serverUrl, minted.token)} />
    </ShownOnce>
  )
}

function listenCommands(serverUrl: string, token: string): string {
  return `export PARTNER_INTERVIEW_TOKEN='${token}'
npx partner-interview listen --server ${serverUrl} \\
  --forward-to http://localhost:4000/webhooks/interviews`
}
