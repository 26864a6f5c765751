import type { DeliveryAttempt, DeliveryRow } from '../../../server/http/settings/delivery-schemas.ts'

export type Status = DeliveryRow['status']
export type AttemptError = NonNullable<DeliveryRow['lastError']>
type FailureReason = NonNullable<DeliveryRow['failureReason']>

export const statusLabels: Record<Status, string> = { PENDING: 'Pending', DELIVERED: 'Delivered', FAILED: 'Failed' }

/** Short enough for a table cell. */
export const errorLabels: Record<AttemptError, string> = {
  HTTP_3XX: 'Redirected (HTTP 3xx)',
  HTTP_4XX: 'Rejected (HTTP 4xx)',
  HTTP_5XX: 'Server error (HTTP 5xx)',
  TIMEOUT: 'Timed out after 5 seconds',
  NETWORK: 'Connection error',
  TLS: 'TLS or certificate error',
  DNS: 'DNS lookup failed',
  DESTINATION_REFUSED: 'Destination not allowed',
  THUMBNAIL_MISSING: 'Image missing',
  THUMBNAIL_TOO_LARGE: 'Image too large',
  THUMBNAIL_MALFORMED: 'Invalid image',
  THUMBNAIL_TOO_COSTLY: 'Image too complex',
}

/** What the system says about a connection, where that is more than a connection error. */
const connectionLabels: Record<string, string> = {
  ECONNREFUSED: 'Connection refused',
  ECONNRESET: 'Connection reset',
  EPIPE: 'Connection reset',
  UND_ERR_SOCKET: 'Connection closed',
  ENETUNREACH: 'Host unreachable',
  EHOSTUNREACH: 'Host unreachable',
}

export function attemptLabel({ status, error, code, finishedAt }: DeliveryAttempt): string {
  if (status !== null) return `HTTP ${status}`
  if (error === null) return finishedAt === null ? 'Interrupted' : 'Finished'
  return (error === 'NETWORK' && connectionLabels[code ?? '']) || errorLabels[error]
}

const reasonLabels: Record<FailureReason, string> = {
  ENQUEUE_FAILED: 'Waiting for first attempt',
  RECEIVER_REJECTED: 'Rejected by the receiver',
  RECEIVES_EXHAUSTED: 'Gave up after four attempts',
  WEBHOOK_DISABLED: 'Webhook was disabled',
  ORGANIZATION_INACTIVE: 'Organization is inactive',
  CANDIDATE_ERASED: 'Candidate data erased',
}

/** These say more than the last attempt's error. */
const specificReasons: ReadonlySet<FailureReason | null> = new Set<FailureReason>([
  'WEBHOOK_DISABLED',
  'ORGANIZATION_INACTIVE',
  'CANDIDATE_ERASED',
])

/** Why a delivery isn't delivered, in a few words; null if there is nothing to say. */
export function shortReason({ lastError, failureReason, status }: DeliveryRow): string | null {
  if (status === 'DELIVERED') return null
  if (lastError !== null && !specificReasons.has(failureReason)) return errorLabels[lastError]
  return failureReason === null ? null : reasonLabels[failureReason]
}
