import type { AttemptReport } from './outcome.ts'

const defaultPauseSeconds = 30

/** How long the receiver asked us to send nothing: with a 429, or with a 503 that says when to come back. */
export function askedPause({ status, retryAfterSeconds }: AttemptReport): number | null {
  if (status === 429) return retryAfterSeconds ?? defaultPauseSeconds
  return status === 503 ? retryAfterSeconds : null
}
