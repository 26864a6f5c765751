import { Alert, Progress } from '@mantine/core'
import { type QueryClient, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../api.ts'
import { IconRefresh } from '../icons/icons.tsx'
import { counted, grouped } from '../parts/counts.ts'
import { focusIfLost } from '../parts/focus.ts'
import { useOrganization } from '../session/session.ts'

const elementId = 'retry-progress'

/** For the button that started it, which may be gone. */
export function focusRetryProgress(): void {
  focusIfLost(document.getElementById(elementId))
}

/** Shows how the run ends, even if it ended at once. */
export function watchRetryRun(queries: QueryClient, organizationId: string, runId: string | null): void {
  queries.setQueryData(watchedKey(organizationId), runId)
}

function watchedKey(organizationId: string) {
  return ['watched-retry-run', organizationId]
}

/** The progress of a bulk retry, whoever started it and whichever process runs it. */
export function RetryProgress() {
  const { id } = useOrganization()
  const current = useQuery({
    queryKey: ['retry-run', id],
    queryFn: () => api.currentRetryRun(id),
    refetchInterval: ({ state }) => (state.data?.run?.finishedAt === null ? 1_000 : 15_000),
  })
  const run = current.data?.run ?? null
  const isRunning = run?.finishedAt === null
  const queries = useQueryClient()
  const { data: watched = null } = useQuery<string | null>({
    queryKey: watchedKey(id),
    queryFn: skipToken,
    // Only set from here, and never out of date.
    staleTime: Number.POSITIVE_INFINITY,
  })
  const runId = run?.id ?? null
  useEffect(() => {
    if (isRunning) watchRetryRun(queries, id, runId)
  }, [isRunning, id, runId, queries])
  // A run that finished before this page was opened is in the activity log.
  const isWatched = runId !== null && watched === runId
  const hasFinished = isWatched && !isRunning
  useEffect(() => {
    if (!hasFinished) return
    // The button that started it, or whatever else has focus, may go away with what is left to retry.
    const hadFocus = document.activeElement !== document.body
    void queries.invalidateQueries({ queryKey: ['deliveries', id] }).then(() => hadFocus && focusRetryProgress())
  }, [hasFinished, id, queries])

  if (run === null || !isWatched) return null
  if (isRunning) {
    return (
      <Alert id={elementId} tabIndex={-1} color="gray" icon={<IconRefresh aria-hidden />} title="Retry in progress">
        <p>
          {grouped(run.done)} of {counted(run.total, 'delivery', 'deliveries')}, started by {run.startedBy}. You can
          leave this page.
        </p>
        <Progress
          value={run.total === 0 ? 100 : (run.done / run.total) * 100}
          aria-label="Deliveries rescheduled"
          mt="xs"
        />
      </Alert>
    )
  }
  return (
    <Alert
      id={elementId}
      tabIndex={-1}
      color="pine"
      icon={<IconRefresh aria-hidden />}
      role="status"
      withCloseButton
      closeButtonLabel="Close"
      onClose={() => watchRetryRun(queries, id, null)}
    >
      {run.done === 0
        ? 'Nothing was left to retry.'
        : `Retry scheduled for ${counted(run.done, 'delivery', 'deliveries')}. Sends in about a minute.`}
    </Alert>
  )
}
