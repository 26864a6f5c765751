import { Alert, Button, Group, Stack } from '@mantine/core'
import type { MintedKey } from '../../../server/http/settings/schemas.ts'
import { IconAlertTriangle } from '../icons/icons.tsx'
import { CodeBlock } from '../parts/CodeBlock.tsx'
import { CopyField } from '../parts/CopyField.tsx'
import { useOrganization } from '../session/session.ts'
import classes from './NewKeyDialog.module.css'
import { firstRequest } from './scopes.ts'

export function KeyShownOnce({ minted, onDone }: { minted: MintedKey; onDone(): void }) {
  const { session } = useOrganization()
  return (
    <Stack gap="md">
      <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} className={classes.once}>
        Copy it now. You won’t see it again. Store it like a password.
      </Alert>
      <CopyField label="API key" value={minted.key} autoFocus />
      <CodeBlock label="Try it" text={firstRequest(session.apiUrl, minted.key, minted.scopes)} />
      <Group justify="flex-end">
        <Button onClick={onDone}>I’ve saved it</Button>
      </Group>
    </Stack>
  )
}
