/** At most one job per delivery key is queued or running; a job names its delivery and holds nothing else. */
export type QueuedDelivery = { deliveryId: string; deliveryKey: string; organizationId: string }

export type Job = {
  deliveryId: string
  /** Which of the four receives this is, from 1. */
  receive: number
  /** True when no receive follows: unsuccessful now means the dead-letter queue. */
  last: boolean
}

export type DeadLetter = { id: string; deliveryId: string; organizationId: string | null; deadSince: string }

export type DeadLetterFilter = {
  id?: string
  deliveryIds?: readonly string[]
  organizationId?: string
  deadBefore?: Date
  /** Only those that come after this one. */
  after?: Pick<DeadLetter, 'id' | 'deadSince'>
  limit: number
}

export type Consumer = {
  /** Stops taking jobs and waits for those under way. */
  stop(): Promise<void>
}

/** The port to the queue. Every engine behind it passes the same suite of tests. */
export type DeliveryQueue = {
  /** Must come first; may come twice. */
  start(): Promise<void>
  /** For whoever knows to be the only process: jobs that another one left under way come again at once. */
  takeBackOrphans(): Promise<void>
  /** What the database's clock, while it was ahead, has put off further than ever happens is not put off any more. */
  mendTimes(): Promise<void>
  /** False when a job with this key is already queued or running. */
  enqueue(delivery: QueuedDelivery): Promise<boolean>
  /** How many were taken; the others were queued or running already. */
  enqueueAll(deliveries: readonly QueuedDelivery[]): Promise<number>
  /** Which of these keys have a job that is queued or running. */
  inHand(deliveryKeys: readonly string[]): Promise<Set<string>>
  /**
   * Runs jobs, first in first out, as capacity frees: at most `capacity` here at once, at most `perOrganization` of one
   * organization here, and anywhere but for processes that fetch at the very same moment. Of the organizations with a
   * place the one that has waited longest comes first, or of very many some after the others; how much another has waiting
   * costs it nothing. `handle` says whether the job is done; if not, or if it throws, the job comes again later, before
   * those that came after it and were not taken in the moment in which it came due. It may call `leave` when only its
   * outcome is left to be written down: its place is then free for another job.
   */
  consume(options: {
    capacity: number
    perOrganization: number
    handle: (job: Job, leave: () => void) => Promise<'done' | 'again'>
    report: (problem: string, error: unknown) => void
  }): Consumer
  /** Newest first. */
  deadLetters(filter: DeadLetterFilter): Promise<DeadLetter[]>
  /** How many there are, or `most` of more than that. */
  countDeadLetters(most: number): Promise<number>
  /** Those that were there. */
  removeDeadLetters(ids: readonly string[]): Promise<DeadLetter[]>
  /**
   * Looks at some of the jobs that have ended and are still kept, in the order of their ids, and removes those that did so
   * before a time, or only counts them. `next` is where to go on, null when there are no more.
   */
  stepThroughFinished(step: {
    endedBefore: Date
    after: string | null
    remove: boolean
  }): Promise<{ due: number; next: string | null }>
  stop(): Promise<void>
}

export const receives = 4
