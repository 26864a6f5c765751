/** Identifiers only. A delivery has at most one job. */
export type Job = { deliveryId: string; organizationId: string; round: number }

/**
 * `receive` counts from 1 within the round. It exceeds `receives` if the worker died during the last one. `holdsTurn`: the
 * turn that the organization's pace requires has been taken, by the claim or by the attempt, and must be renewed and ended.
 * `abandoned`: the queue itself gave up on the job, whatever our count. `claimedAt` tells two claims of the same receive
 * apart, in microseconds on the database's clock.
 */
export type ClaimedJob = Job & { receive: number; claimedAt?: number; holdsTurn?: boolean; abandoned?: boolean }

export const receives = 4

/** The same for every job of a result. */
export function deliveryKey(resultId: string): string {
  return `result.completed:${resultId}`
}

export type Consumer = {
  /** Polls now instead of waiting for the next interval. */
  wake(): void
  /** Stops claiming jobs and waits for the running ones. */
  stop(): Promise<void>
}

/** The queue port. Every engine passes the same conformance suite. */
export type DeliveryQueue = {
  /** The records must be committed. Jobs already queued or running are left alone. */
  enqueue(jobs: readonly Job[]): Promise<void>
  /**
   * Runs up to `capacity` jobs at once in this process, and up to `perOrganization` of one organization: first in, first
   * out by due time within an organization, round-robin across organizations. One organization's backlog must not slow
   * down the others. None is claimed of an organization that is paused or out of turns. `handle` must settle the job before
   * it returns, and calls `release` to free the slot once settling is all that is left. A job that is not settled is
   * received again when its lease expires.
   */
  consume(options: {
    capacity: number
    perOrganization: number
    handle: (job: ClaimedJob, release: () => void) => Promise<void>
    report: (problem: string, error: unknown) => void
  }): Consumer
  /** Looks for jobs now: for callers that have written jobs together with their records. */
  wake(): void
  stop(): Promise<void>
}
