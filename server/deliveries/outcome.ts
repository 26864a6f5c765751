import type { ThumbnailError } from '../images/thumbnail-verdict.ts'
import type { PostResult } from '../outbound/post.ts'

export const deliveryStatuses = ['PENDING', 'DELIVERED', 'FAILED'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export const failureReasons = [
  'ENQUEUE_FAILED',
  'RECEIVER_REJECTED',
  'RECEIVES_EXHAUSTED',
  'WEBHOOK_DISABLED',
  'ORGANIZATION_INACTIVE',
  'CANDIDATE_ERASED',
] as const
export type FailureReason = (typeof failureReasons)[number]

export const attemptErrors = [
  'HTTP_3XX',
  'HTTP_4XX',
  'HTTP_5XX',
  'TIMEOUT',
  'NETWORK',
  'TLS',
  'DNS',
  'DESTINATION_REFUSED',
  'THUMBNAIL_MISSING',
  'THUMBNAIL_TOO_LARGE',
  'THUMBNAIL_MALFORMED',
  'THUMBNAIL_TOO_COSTLY',
] as const satisfies (NonNullable<PostResult['error']> | ThumbnailError | 'DNS' | 'DESTINATION_REFUSED')[]
export type AttemptError = (typeof attemptErrors)[number]

/**
 * How one receive of a job ended. The state machine, log, metrics and settings page share these words. `dropped`: there
 * was nothing to do because the delivery had finished or moved on to another round.
 */
export const outcomes = ['delivered', 'rejected', 'postponed', 'exhausted', 'canceled', 'dropped'] as const
export type Outcome = (typeof outcomes)[number]

/** One attempt as the history stores it, whether or not its request left. Steps it never reached are null. */
export type AttemptReport = Omit<PostResult, 'error' | 'timing' | 'address' | 'answer'> & {
  error: AttemptError | null
  /** Where the event went, or would have gone. */
  url: string | null
  address: string | null
  answer: Buffer | null
  timing: PostResult['timing'] | null
}
