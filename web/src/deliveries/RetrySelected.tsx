import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { IconRefresh } from '../icons/icons.tsx'
import { ChangeButton } from '../parts/ChangeButton.tsx'
import { counted } from '../parts/counts.ts'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { useOrganization } from '../session/session.ts'

const mostAtOnce = 100

/** Retries the selected deliveries. */
export function RetrySelected({ ids, onRetried }: { ids: string[]; onRetried(): void }) {
  const { id } = useOrganization()
  const queries = useQueryClient()
  const retry = useMutation({
    mutationFn: () => api.retrySelected(id, ids.slice(0, mostAtOnce)),
    onSuccess: async ({ retried }) => {
      notifications.show(
        retried === 0
          ? { message: 'Already retried by someone else.', color: 'yellow' }
          : { message: `Retry scheduled for ${counted(retried, 'delivery', 'deliveries')}. Sends in about a minute.` },
      )
      await queries.invalidateQueries({ queryKey: ['deliveries', id] })
      onRetried()
      document.getElementById(ids[0] ?? '')?.focus()
    },
  })
  return (
    <>
      <ErrorAlert error={retry.error} />
      <ChangeButton
        size="sm"
        leftSection={<IconRefresh size={18} aria-hidden />}
        onClick={() => retry.mutate()}
        loading={retry.isPending}
      >
        Retry {counted(Math.min(ids.length, mostAtOnce), 'selected delivery', 'selected deliveries')}
      </ChangeButton>
    </>
  )
}
