import { Alert, Progress } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../api.ts'
import { counted, grouped } from '../parts/counts.ts'
import { useOrganization } from '../session/session.ts'

/** How far a retry of many is, whoever started it and whichever process works on it. */
export function RetryProgress() {
  const { id } = useOrganization()
  const current = useQuery({
    queryKey: ['retry-run', id],
    queryFn: () => api.currentRetryRun(id),
    refetchInterval: ({ state }) => (state.data?.run?.finishedAt === null ? 1_000 : 15_000),
  })
  const run = current.data?.run ?? null
  const isRunning = run?.finishedAt === null
  const [watched, setWatched] = useState<string | null>(null)
  const runId = run?.id ?? null
  useEffect(() => {
    if (isRunning) setWatched(runId)
  }, [isRunning, runId])

  // One that was over before anybody looked is history: it is in the activity.
  if (run === null || watched !== run.id) return null
  if (isRunning) {
    return (
      <Alert color="gray" icon={<IconRefresh aria-hidden />} title="Retry is running">
        <p>
          {grouped(run.done)} of {counted(run.total, 'delivery', 'deliveries')}, started by {run.startedBy}. It goes on
          by itself if you leave.
        </p>
        <Progress
          value={run.total === 0 ? 100 : (run.done / run.total) * 100}
          aria-label="Deliveries set on their way again"
          mt="xs"
        />
      </Alert>
    )
  }
  return (
    <Alert
      color="pine"
      icon={<IconRefresh aria-hidden />}
      role="status"
      withCloseButton
      closeButtonLabel="Close"
      onClose={() => setWatched(null)}
    >
      {counted(run.total, 'delivery is', 'deliveries are')} pending again and will be sent in about a minute.
    </Alert>
  )
}
