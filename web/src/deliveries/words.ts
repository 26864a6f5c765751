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
  NETWORK: 'Could not connect',
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
  RECEIVER_REJECTED: 'Refused by the receiver',
  RECEIVES_EXHAUSTED: 'Given up after four attempts',
  WEBHOOK_DISABLED: 'The webhook was off',
}

/** Why a delivery is where it is, in a few words; null when there is nothing to say. */
export function whyInShort({ lastError, failureReason, status, candidate }: DeliveryRow): string | null {
  if (status === 'DELIVERED') return null
  // What stands in the place of the address of somebody whose data was erased.
  if (candidate.email === 'erased') return 'The candidate’s data was erased'
  if (lastError !== null && failureReason !== 'WEBHOOK_DISABLED') return errorWords[lastError]
  return failureReason === null ? null : reasonWords[failureReason]
}
