import type { DeliveryRow } from '../../../server/http/settings/delivery-schemas.ts'

export type Status = DeliveryRow['status']
export type AttemptError = NonNullable<DeliveryRow['lastError']>
type FailureReason = NonNullable<DeliveryRow['failureReason']>

export const statusWords: Record<Status, string> = { PENDING: 'Pending', DELIVERED: 'Delivered', FAILED: 'Failed' }

/** What an attempt failed with, short enough for a list. */
export const errorWords: Record<AttemptError, string> = {
  HTTP_3XX: 'Answered with a redirect',
  HTTP_4XX: 'Answered 4xx',
  HTTP_5XX: 'Answered 5xx',
  TIMEOUT: 'No answer in 5 seconds',
  NETWORK: 'Connection failed',
  TLS: 'TLS or certificate',
  DNS: 'Name not found',
  DESTINATION_REFUSED: 'Destination not allowed',
  THUMBNAIL_MISSING: 'No image',
  THUMBNAIL_TOO_LARGE: 'Image too large',
  THUMBNAIL_MALFORMED: 'Image not readable',
  THUMBNAIL_TOO_COSTLY: 'Image too costly to decode',
}

const reasonWords: Record<FailureReason, string> = {
  ENQUEUE_FAILED: 'Waiting for its first attempt',
  RECEIVER_REJECTED: 'Rejected by the receiver',
  RECEIVES_EXHAUSTED: 'Gave up after four attempts',
  WEBHOOK_DISABLED: 'Webhook was off',
  ORGANIZATION_INACTIVE: 'Organization is inactive',
  CANDIDATE_ERASED: 'Candidate’s data was erased',
}

/** Reasons that say more than the last attempt does. */
const telling: ReadonlySet<FailureReason | null> = new Set<FailureReason>([
  'WEBHOOK_DISABLED',
  'ORGANIZATION_INACTIVE',
  'CANDIDATE_ERASED',
])

/** Why a delivery is where it is, in a few words; null when there is nothing to say. */
export function whyInShort({ lastError, failureReason, status }: DeliveryRow): string | null {
  if (status === 'DELIVERED') return null
  if (lastError !== null && !telling.has(failureReason)) return errorWords[lastError]
  return failureReason === null ? null : reasonWords[failureReason]
}
