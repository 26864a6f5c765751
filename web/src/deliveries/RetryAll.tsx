import { type ButtonProps, Loader } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { IconRefresh } from '../icons/icons.tsx'
import { ChangeButton } from '../parts/ChangeButton.tsx'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { counted } from '../parts/counts.ts'
import { useOrganization } from '../session/session.ts'
import { describeFilter, type Filter, isFiltered, toFailedFilter } from './filter.ts'
import { focusRetryProgress, watchRetryRun } from './RetryProgress.tsx'

type RetryAllProps = {
  filter: Filter
  size?: ButtonProps['size']
  /** For pages that don't show the progress. */
  onStarted?: () => void
}

/** Retries every failed delivery that matches the filter. Hidden from viewers, and while there is none. */
export function RetryAll({ filter, size = 'sm', onStarted }: RetryAllProps) {
  const { id, isAdmin } = useOrganization()
  const queries = useQueryClient()
  const [opened, { open, close }] = useDisclosure()
  const failed = useQuery({
    queryKey: ['deliveries', id, 'failed-count', filter],
    queryFn: () => api.failedCount(id, toFailedFilter(filter, Date.now())),
    refetchInterval: 15_000,
    enabled: isAdmin && (filter.status ?? 'FAILED') === 'FAILED',
  })
  const start = useMutation({
    mutationFn: () => api.startRetryRun(id, toFailedFilter(filter, Date.now())),
    onSuccess: (run) => {
      queries.setQueryData(['retry-run', id], { run })
      watchRetryRun(queries, id, run.id)
      onStarted?.()
      close()
    },
  })
  const count = failed.data?.count
  const conditions = describeFilter(filter)

  return (
    <>
      {(count ?? 0) > 0 && (
        <ChangeButton
          variant="default"
          size={size}
          leftSection={<IconRefresh size={18} aria-hidden />}
          onClick={() => {
            void failed.refetch()
            open()
          }}
        >
          {isFiltered(filter) ? 'Retry matching failures' : 'Retry all failed'}
        </ChangeButton>
      )}
      <ConfirmDialog
        opened={opened}
        onClose={close}
        onClosed={() => start.isSuccess && focusRetryProgress()}
        title="Retry failed deliveries"
        confirm={count === undefined ? 'Retry' : `Retry ${counted(count, 'delivery', 'deliveries')}`}
        disabled={!count}
        mutation={start}
        error={start.error ?? failed.error}
        onConfirm={() => start.mutate()}
      >
        {count === undefined && !failed.isError && <Loader size="sm" aria-label="Counting" />}
        {count !== undefined && (
          <p>
            <strong>{counted(count, 'failed delivery matches', 'failed deliveries match')}</strong>
            {conditions.length > 0 && ` (${conditions.join(', ')})`}. {count === 1 ? 'It’s' : 'Each is'} sent again in
            about a minute, with the same event ID and idempotency key.
          </p>
        )}
      </ConfirmDialog>
    </>
  )
}
