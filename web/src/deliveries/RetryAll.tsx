import { Button, Loader } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconRefresh } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { counted } from '../parts/counts.ts'
import { useOrganization } from '../session/session.ts'
import { type Filter, inWords, isNarrowed, toFailedFilter } from './filter.ts'

/** Sets everything on its way again that has failed and matches the filter. */
export function RetryAll({ filter }: { filter: Filter }) {
  const { id } = useOrganization()
  const queries = useQueryClient()
  const [asking, { open, close }] = useDisclosure()
  const failed = useQuery({
    queryKey: ['deliveries', id, 'failed-count', filter],
    queryFn: () => api.failedCount(id, toFailedFilter(filter, Date.now())),
    enabled: asking,
    staleTime: 0,
  })
  const start = useMutation({
    mutationFn: () => api.startRetryRun(id, toFailedFilter(filter, Date.now())),
    onSuccess: (run) => {
      queries.setQueryData(['retry-run', id], { run })
      close()
    },
  })
  const count = failed.isFetching ? undefined : failed.data?.count
  const narrowed = inWords(filter)

  return (
    <div>
      <Button variant="default" leftSection={<IconRefresh size={18} aria-hidden />} onClick={open}>
        {isNarrowed(filter) ? 'Retry all failed that match' : 'Retry all failed'}
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={close}
        title="Retry failed deliveries"
        confirm={count === undefined ? 'Retry' : `Retry ${counted(count, 'delivery', 'deliveries')}`}
        disabled={count === undefined || count === 0}
        pending={start.isPending}
        error={start.error ?? failed.error}
        onConfirm={() => start.mutate()}
      >
        {count === undefined && !failed.isError && <Loader size="sm" aria-label="Counting" />}
        {count !== undefined && (
          <p>
            <strong>{counted(count, 'failed delivery matches', 'failed deliveries match')}</strong>
            {narrowed.length > 0 && ` (${narrowed.join(', ')})`}. Each is sent again in about a minute, with the same
            event id and idempotency key as before.
          </p>
        )}
      </ConfirmDialog>
    </div>
  )
}
