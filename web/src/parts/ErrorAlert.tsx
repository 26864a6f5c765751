import { Alert, Button, Group } from '@mantine/core'
import { IconAlertCircle } from '../icons/icons.tsx'

/** Shows the server's error message and announces it to screen readers. */
export function ErrorAlert({ error, onRetry }: { error: Error | null; onRetry?: () => void }) {
  if (error === null) return null
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} role="alert">
      <Group justify="space-between" gap="sm">
        <span>{error.message}</span>
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  )
}
