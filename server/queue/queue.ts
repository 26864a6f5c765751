/** A job names its delivery and the round it is for; it holds nothing else. A delivery has at most one. */
export type Job = { deliveryId: string; organizationId: string; round: number }

/** `receive` counts from 1 within the round. Past `receives` there is nothing left to try: its worker died in the last one. */
export type ClaimedJob = Job & { receive: number }

export const receives = 4

export type Consumer = {
  /** Looks for jobs now instead of at the next look. */
  wake(): void
  /** Stops claiming jobs and waits for those under way. */
  stop(): Promise<void>
}

/** The port to the queue. Every engine behind it passes the same suite of tests. */
export type DeliveryQueue = {
  /** Jobs whose records are committed. Those that are queued or running already are left as they are. */
  enqueue(jobs: readonly Job[]): Promise<void>
  /**
   * Runs jobs as places become free: first in, first out by due time within an organization, the organizations in turn,
   * at most `capacity` at once in this process and at most `perOrganization` of one organization. How much one has
   * waiting costs the others nothing. `handle` must settle the job before it ends; it calls `release` when nothing but
   * that is left to do, and the place is free for another. A job that is not settled comes again when its lease runs out.
   */
  consume(options: {
    capacity: number
    perOrganization: number
    handle: (job: ClaimedJob, release: () => void) => Promise<void>
    report: (problem: string, error: unknown) => void
  }): Consumer
  stop(): Promise<void>
}
