import { Alert, Progress } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
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
  const [watched, setWatched] = useState<string | null>(null)
  const runId = run?.id ?? null
  useEffect(() => {
    if (isRunning) setWatched(runId)
  }, [isRunning, runId])
  // A run that finished before this page was opened is in the activity log.
  const isWatched = runId !== null && watched === runId
  const hasFinished = isWatched && !isRunning
  const queries = useQueryClient()
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
      onClose={() => setWatched(null)}
    >
      {run.done === 0
        ? 'Already retried by someone else.'
        : `Retry scheduled for ${counted(run.done, 'delivery', 'deliveries')}. Sends in about a minute.`}
    </Alert>
  )
}
