import { Alert, Button, Group, Stack } from '@mantine/core'
import { IconAlertTriangle } from '../icons/icons.tsx'
import { CodeBlock } from '../parts/CodeBlock.tsx'

export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone(): void }) {
  return (
    <Stack gap="md">
      <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
        Save these codes now. You won’t see them again. If you lose your phone, each of them signs you in once.
      </Alert>
      <CodeBlock label="Recovery codes" text={codes.join('\n')} />
      <Group justify="flex-end">
        <Button onClick={onDone}>I’ve saved them</Button>
      </Group>
    </Stack>
  )
}
