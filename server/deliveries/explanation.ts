import type { Phase } from '../outbound/post.ts'
import type { AttemptError, DeliveryStatus, FailureReason } from './outcome.ts'

/** One sentence on what happened to a delivery, and one on what to do. */
export type Explanation = { summary: string; advice: string }

type ExplainedDelivery = { status: DeliveryStatus; failureReason: FailureReason | null }

type AttemptFacts = {
  round: number
  /** Null: the worker died before it could record the outcome. */
  finishedAt: string | null
  error: AttemptError | null
  status: number | null
  code: string | null
  phase: Phase | null
  detail: string | null
}

/** `round`: the delivery's current one. */
export function explainDelivery(
  delivery: ExplainedDelivery,
  round: number,
  history: readonly AttemptFacts[],
): Explanation | null {
  const latest = history.at(-1)
  switch (delivery.failureReason) {
    case 'ENQUEUE_FAILED':
      return {
        summary: 'The event could not be queued, so nothing has been sent yet.',
        advice: 'No action needed: it will be queued again within a minute.',
      }
    case 'WEBHOOK_DISABLED':
      return {
        summary: 'The webhook was disabled or removed before this event could be sent.',
        advice: 'Enable the webhook or add one, then Retry.',
      }
    case 'ORGANIZATION_INACTIVE':
      return {
        summary: 'The organization is inactive, so the event was not sent.',
        advice: 'Retry once it is active again.',
      }
    case 'CANDIDATE_ERASED':
      return {
        summary: 'The candidate’s personal data was erased, so there is no event to send.',
        advice: 'No action needed: a Retry would send nothing.',
      }
    case 'RECEIVER_REJECTED':
    case 'RECEIVES_EXHAUSTED': {
      const { summary, fix } = causeOf(latest) ?? interrupted
      return { summary, advice: `${fix}, then Retry.` }
    }
    case null: {
      // After a Retry, the history is about the previous round until an attempt has ended.
      const cause = delivery.status === 'PENDING' && latest?.round === round ? causeOf(latest) : null
      return cause && { summary: cause.summary, advice: `${cause.fix}; the next attempt is automatic.` }
    }
  }
}

/** Why an attempt failed, or what was missing from a response whose status already counted; null if neither. */
export function explainAttempt(attempt: Omit<AttemptFacts, 'round'>): string | null {
  return causeOf(attempt)?.summary ?? missingBody(attempt)
}

function missingBody({ error, status, phase, detail }: Omit<AttemptFacts, 'round'>): string | null {
  if (error !== null || phase !== 'body') return null
  return `Your endpoint answered ${status}, which is what counts, but its response body did not arrive completely: ${detail}.`
}

/** `fix` has no full stop: what happens next is appended. */
type Cause = { summary: string; fix: string }

function causeOf(attempt: Omit<AttemptFacts, 'round'> | undefined): Cause | null {
  if (!attempt || attempt.finishedAt === null || attempt.error === null) return null
  const { error, status, code, phase } = attempt
  const detail = attempt.detail ?? 'the reason is unknown'
  switch (error) {
    case 'HTTP_3XX':
    case 'HTTP_4XX':
    case 'HTTP_5XX':
      return responseCause(error, status ?? 0)
    case 'TIMEOUT':
      return timeoutCauses[phase ?? 'response']
    case 'TLS':
      return { summary: `TLS with your endpoint failed: ${detail}.`, fix: tlsFixes[code ?? ''] ?? tlsFix }
    case 'NETWORK':
      return {
        summary: `${(phase && networkSummaries[phase]) ?? 'The connection to your endpoint failed'}: ${detail}.`,
        fix: networkFixes[code ?? ''] ?? networkFix,
      }
    case 'DNS':
      return {
        summary: `The address of your endpoint could not be found: ${detail}.`,
        fix: 'Check the host name in the webhook URL and its DNS records',
      }
    case 'DESTINATION_REFUSED':
      return {
        summary: `The destination is not allowed: ${detail}.`,
        fix: 'Save an https:// URL whose name resolves to public addresses only',
      }
    default:
      return { summary: imageSummaries[error], fix: imageFix }
  }
}

const interrupted: Cause = {
  summary: 'The last attempt was interrupted before its outcome could be recorded.',
  fix: 'Check whether your endpoint already has the event: a repeat carries the same IDs',
}

type ResponseError = 'HTTP_3XX' | 'HTTP_4XX' | 'HTTP_5XX'
type ResponseTexts = [summary: string, fix: string]

function responseCause(error: ResponseError, status: number): Cause {
  const [summary, fix] = responses[status] ?? otherResponses[error]
  return { summary: `Your endpoint answered ${status}: ${summary}.`, fix }
}

const answerFirst = 'Store the event, answer 2xx at once and do the work afterwards'
const saveTarget = 'Save the address it redirects to as the webhook URL'

const responses: Record<number, ResponseTexts> = {
  301: ['it has moved permanently, and redirects are not followed', saveTarget],
  302: [
    'it redirects, and redirects are not followed',
    'Save an address that accepts the event itself, with no sign-in page in front of it',
  ],
  307: ['it redirects, and redirects are not followed', saveTarget],
  308: ['it has moved permanently, and redirects are not followed', saveTarget],
  400: ['it could not understand the request', 'Parse the body as JSON and accept every field of the event'],
  401: [
    'it did not accept the signature',
    'Check that it has the current signing secret, that it verifies the raw bytes of the body, and that its clock is right',
  ],
  403: [
    'it, or a firewall in front of it, refused the request',
    'Check the signing secret, and that no firewall or bot protection blocks the request',
  ],
  404: ['there is nothing at this path', 'Correct the path in the webhook URL, or publish the route'],
  405: ['it does not accept POST at this path', 'Accept POST there, or correct the path in the webhook URL'],
  408: ['it stopped waiting for the rest of the request', 'Give it more time to read a body of 1.4 MB'],
  409: ['it reports a conflict, probably because it already has this result', 'Answer 2xx to a result it already has'],
  410: ['the address is no longer in use', 'Save the new address as the webhook URL'],
  411: [
    'it requires the length of the body, which every delivery includes',
    'Check the proxy in front of it, which seems to drop Content-Length',
  ],
  413: ['its body limit is below 1.4 MB', 'Raise it to 2 MB'],
  415: ['it does not accept JSON', 'Accept Content-Type: application/json'],
  422: ['it read the event but did not accept its content', 'Accept every field the event may carry'],
  429: [
    'it received too many requests, and a 4xx is final',
    'Set a pace for the webhook below its limit, or answer 503 with Retry-After, after which the event is sent again',
  ],
  500: ['it failed while handling the event', 'Look for the error in its log at that time'],
  502: ['the proxy in front of it got no valid response', 'Check that the application behind the proxy is running'],
  503: ['it was not available', 'Bring it back, or give it more capacity'],
  504: ['the proxy in front of it waited too long', answerFirst],
}

const otherResponses: Record<ResponseError, ResponseTexts> = {
  HTTP_3XX: ['redirects are not followed', 'Save an address that answers 2xx itself'],
  HTTP_4XX: ['it refused the event, and a 4xx is final', 'Find the reason in its response and make it answer 2xx'],
  HTTP_5XX: ['it, or a proxy in front of it, failed', 'Look for the error in their logs at that time'],
}

const timeoutCauses: Record<Phase, Cause> = {
  resolve: {
    summary: 'The name of your endpoint was not resolved within five seconds.',
    fix: 'Check the name servers of its domain',
  },
  wait: { summary: 'All connections to your endpoint were busy for five seconds.', fix: answerFirst },
  connect: {
    summary: 'Your endpoint did not accept the connection within five seconds.',
    fix: 'Check that it is running and that no firewall drops connections to it',
  },
  handshake: {
    summary: 'The TLS handshake with your endpoint did not finish within five seconds.',
    fix: 'Check the TLS settings and the load of the server or of the proxy in front of it',
  },
  response: { summary: 'Your endpoint did not answer within five seconds.', fix: answerFirst },
  // Only in old records: today the status alone decides.
  body: {
    summary: 'Your endpoint began to answer but did not finish within five seconds.',
    fix: 'Send a short response body or none, and end it',
  },
}

const tlsFix = 'Check the TLS settings of the endpoint'
const publicCertificate = 'Install a certificate from a public authority, with its intermediate certificates'
const httpsPort = 'Use the port on which the endpoint speaks HTTPS'
const modernTls = 'Enable TLS 1.2 or TLS 1.3'

const tlsFixes: Record<string, string> = {
  CERT_HAS_EXPIRED: 'Renew the certificate',
  CERT_NOT_YET_VALID: 'Install a certificate that is already valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Install a certificate that is valid for this name',
  DEPTH_ZERO_SELF_SIGNED_CERT: publicCertificate,
  SELF_SIGNED_CERT_IN_CHAIN: publicCertificate,
  UNABLE_TO_GET_ISSUER_CERT: publicCertificate,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: publicCertificate,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: publicCertificate,
  ERR_SSL_WRONG_VERSION_NUMBER: httpsPort,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: httpsPort,
  ERR_SSL_RECORD_LAYER_FAILURE: httpsPort,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: modernTls,
  ERR_SSL_UNSUPPORTED_PROTOCOL: modernTls,
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: 'Enable HTTP/1.1',
}

const networkSummaries: Partial<Record<Phase, string>> = {
  connect: 'Could not connect to your endpoint',
  handshake: 'The connection to your endpoint broke during the TLS handshake',
  response: 'The connection to your endpoint was established, but no valid response arrived',
}

const networkFix = 'Check that the endpoint and every proxy in front of it speak plain HTTP/1.1'
const checkLogs = 'Check the logs of the endpoint and of the proxy in front of it: one of them closed the connection'
const checkRoute = 'Check that the address of the endpoint is reachable from the Internet'

const networkFixes: Record<string, string> = {
  ECONNREFUSED: 'Check that the endpoint is running and that the port in the webhook URL is right',
  ECONNRESET: checkLogs,
  EPIPE: checkLogs,
  ENETUNREACH: checkRoute,
  EHOSTUNREACH: checkRoute,
  ETIMEDOUT: 'Check that the endpoint is running and that no firewall drops connections to it',
}

const imageFix = 'Nothing is wrong with your endpoint: have a valid image stored for this interview'

const imageSummaries: Record<Extract<AttemptError, `THUMBNAIL_${string}`>, string> = {
  THUMBNAIL_MISSING: 'The candidate’s image is missing, and an event is never sent without it.',
  THUMBNAIL_TOO_LARGE: 'The candidate’s image is larger than 1,000,000 bytes, so the event was not sent.',
  THUMBNAIL_MALFORMED: 'The candidate’s image is not a valid JPEG, so the event was not sent.',
  THUMBNAIL_TOO_COSTLY:
    'The candidate’s image has more than 16 megapixels or needs too much memory to decode, so the event was not sent.',
}
