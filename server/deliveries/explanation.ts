import { erasedEmail } from '../interviews/erase-interviews.ts'
import { late } from '../outbound/connection-failures.ts'
import type { AttemptError } from './deliveries.ts'
import type { Delivery, PastAttempt } from './delivery-history.ts'

/** A sentence on why a delivery stands where it stands, and one on what to do. */
export type Explanation = { summary: string; advice: string }

type Seen = Pick<PastAttempt, 'finishedAt' | 'error' | 'status' | 'detail'>

export function explainDelivery(
  delivery: Pick<Delivery, 'status' | 'failureReason' | 'attempts'> & { candidate?: { email: string } },
  history: readonly Seen[],
): Explanation | null {
  if (delivery.status === 'FAILED' && delivery.candidate?.email === erasedEmail) {
    return {
      summary: 'The personal data of the candidate was erased, so there is no event to send any more.',
      advice: 'There is nothing to do: a Retry would send nothing.',
    }
  }
  switch (delivery.failureReason) {
    case 'ENQUEUE_FAILED':
      return {
        summary: 'The event could not be put on the queue, so nothing has been sent yet.',
        advice: 'There is nothing to do: it is put there again within a minute.',
      }
    case 'WEBHOOK_DISABLED':
      return {
        summary: 'The webhook was disabled or removed before this event could be sent.',
        advice: 'Enable the webhook or set one, then Retry.',
      }
    case 'RECEIVER_REJECTED':
    case 'RECEIVES_EXHAUSTED': {
      const { summary, fix } = causeOf(history.at(-1)) ?? interrupted
      return { summary, advice: `${fix}, then Retry.` }
    }
    case null: {
      // A delivery that was put back to the beginning has a history, but nothing to say about what comes now.
      const cause = delivery.status === 'PENDING' && delivery.attempts > 0 ? causeOf(history.at(-1)) : null
      return cause && { summary: cause.summary, advice: `${cause.fix}; the next attempt comes by itself.` }
    }
  }
}

export function explainAttempt(attempt: Seen): string | null {
  return causeOf(attempt)?.summary ?? null
}

/** `fix` goes on with what happens after it. */
type Cause = { summary: string; fix: string }

function causeOf(attempt: Seen | undefined): Cause | null {
  if (!attempt || attempt.finishedAt === null || attempt.error === null) return null
  const { error, status } = attempt
  const detail = attempt.detail ?? ''
  switch (error) {
    case 'HTTP_3XX':
    case 'HTTP_4XX':
    case 'HTTP_5XX':
      return answered(error, status ?? 0)
    case 'TIMEOUT':
      return tooLate(detail)
    case 'TLS':
      return { summary: `TLS with your endpoint failed: ${wordsOf(detail)}.`, fix: tlsFixes[codeIn(detail)] ?? tlsFix }
    case 'NETWORK':
      return {
        summary: `The connection to your endpoint failed: ${wordsOf(detail)}.`,
        fix: networkFixes[codeIn(detail)] ?? 'Check that the endpoint and every proxy before it speak plain HTTP/1.1',
      }
    default:
      return { ...others[error], summary: others[error].summary.replace('$', () => wordsOf(detail)) }
  }
}

const interrupted: Cause = {
  summary: 'The last attempt was interrupted before its outcome could be written down.',
  fix: 'Look whether your endpoint has the event already: a repeat carries the same ids',
}

function answered(error: 'HTTP_3XX' | 'HTTP_4XX' | 'HTTP_5XX', status: number): Cause {
  const [words, fix] = answers[status] ?? otherAnswers[error]
  return { summary: `Your endpoint answered ${status}: ${words}.`, fix }
}

const answerFirst = 'Store the event, answer 2xx at once and do the work afterwards'

const answers: Record<number, [words: string, fix: string]> = {
  301: ['it has moved for good, and redirects are not followed', 'Save the address it redirects to as the webhook URL'],
  302: [
    'it redirects, and redirects are not followed',
    'Save an address that takes the event itself, with no sign-in page before it',
  ],
  307: ['it redirects, and redirects are not followed', 'Save the address it redirects to as the webhook URL'],
  308: ['it has moved for good, and redirects are not followed', 'Save the address it redirects to as the webhook URL'],
  400: ['it could not make sense of the request', 'Read the body as JSON and take every field of the event'],
  401: [
    'it did not accept the signature',
    'Check that it has the current signing secret, verifies the raw bytes of the body and that its clock is right',
  ],
  403: [
    'it, or a firewall before it, refused the request',
    'Check the signing secret, and that no firewall or bot protection stands in the way',
  ],
  404: ['there is nothing at this path', 'Correct the path in the webhook URL, or publish the route'],
  405: ['it takes no POST at this path', 'Accept POST there, or correct the path in the webhook URL'],
  408: ['it stopped waiting for the rest of the request', 'Give it more time to read a body of 1.4 MB'],
  409: ['it reports a conflict, most likely because it has this result', 'Answer 2xx to a result it already has'],
  410: ['the address is no longer in use', 'Save the new address as the webhook URL'],
  411: [
    'it misses the length of the body, which every delivery states',
    'Check the proxy before it, which seems to drop Content-Length',
  ],
  413: ['its body limit is below 1.4 MB', 'Raise it to 2 MB'],
  415: ['it does not take JSON', 'Accept Content-Type: application/json'],
  422: ['it read the event but did not accept what is in it', 'Accept every field the event may carry'],
  429: [
    'it had too many requests, and a 4xx is final',
    'Raise its limit, or answer 503 instead, after which the event is sent again',
  ],
  500: ['it failed while it handled the event', 'Look for the error in its log at that time'],
  502: ['the proxy before it got no proper answer', 'Check that the application behind the proxy runs'],
  503: ['it was not available', 'Bring it back, or give it more capacity'],
  504: ['the proxy before it waited too long', answerFirst],
}

const otherAnswers: Record<'HTTP_3XX' | 'HTTP_4XX' | 'HTTP_5XX', [words: string, fix: string]> = {
  HTTP_3XX: ['redirects are not followed', 'Save an address that answers 2xx itself'],
  HTTP_4XX: ['it refused the event, and a 4xx is final', 'Find out why from its answer and let it answer 2xx'],
  HTTP_5XX: ['it, or a proxy before it, failed', 'Look for the error in their logs at that time'],
}

function tooLate(detail: string): Cause {
  const found = waits.find(([words]) => detail.endsWith(words))
  return found ? found[1] : { summary: 'Your endpoint did not answer within five seconds.', fix: answerFirst }
}

const waits: [words: string, cause: Cause][] = [
  [
    late.name,
    {
      summary: 'The name of your endpoint was not resolved within five seconds.',
      fix: 'Check the name servers of its domain',
    },
  ],
  [late.free, { summary: 'All connections to your endpoint were busy for five seconds.', fix: answerFirst }],
  [
    late.connect,
    {
      summary: 'Your endpoint did not take the connection within five seconds.',
      fix: 'Check that it runs and that no firewall drops connections to it',
    },
  ],
  [
    late.handshake,
    {
      summary: 'The TLS handshake with your endpoint did not end within five seconds.',
      fix: 'Check the TLS settings and the load of the server or of the proxy before it',
    },
  ],
  [late.answer, { summary: 'Your endpoint took the event but did not answer within five seconds.', fix: answerFirst }],
  [
    late.end,
    {
      summary: 'Your endpoint began to answer but did not finish within five seconds.',
      fix: 'Answer with a short body or none, and end it',
    },
  ],
]

const tlsFix = 'Check the TLS settings of the endpoint'
const fromAuthority = 'Install a certificate of a public authority, with its intermediate certificates'

const tlsFixes: Record<string, string> = {
  CERT_HAS_EXPIRED: 'Renew the certificate',
  CERT_NOT_YET_VALID: 'Install a certificate that is valid now',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Install a certificate that is made out to this name',
  DEPTH_ZERO_SELF_SIGNED_CERT: fromAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: fromAuthority,
  UNABLE_TO_GET_ISSUER_CERT: fromAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: fromAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: fromAuthority,
  ERR_SSL_WRONG_VERSION_NUMBER: 'Use the port at which the endpoint speaks HTTPS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'Use the port at which the endpoint speaks HTTPS',
  ERR_SSL_RECORD_LAYER_FAILURE: 'Use the port at which the endpoint speaks HTTPS',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'Turn on TLS 1.2 or TLS 1.3',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'Turn on TLS 1.2 or TLS 1.3',
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: 'Turn on HTTP/1.1',
}

const networkFixes: Record<string, string> = {
  ECONNREFUSED: 'Check that the endpoint runs and that the port in the webhook URL is right',
  ECONNRESET: 'Check the logs of the endpoint and of the proxy before it: one of them hung up',
  EPIPE: 'Check the logs of the endpoint and of the proxy before it: one of them hung up',
  ENETUNREACH: 'Check that the address of the endpoint can be reached from the Internet',
  EHOSTUNREACH: 'Check that the address of the endpoint can be reached from the Internet',
  ETIMEDOUT: 'Check that the endpoint runs and that no firewall drops connections to it',
}

const imageFix = 'Nothing is wrong with your endpoint: have a good image stored for this interview'

const others: Record<
  Exclude<AttemptError, 'HTTP_3XX' | 'HTTP_4XX' | 'HTTP_5XX' | 'TIMEOUT' | 'TLS' | 'NETWORK'>,
  Cause
> = {
  DNS: {
    summary: 'The address of your endpoint could not be found: $.',
    fix: 'Check the host name in the webhook URL and its DNS records',
  },
  DESTINATION_REFUSED: {
    summary: 'The destination was refused: $.',
    fix: 'Save an https:// URL whose name leads to public addresses only',
  },
  THUMBNAIL_MISSING: {
    summary: 'The image of the candidate is missing, and an event is never sent without it.',
    fix: imageFix,
  },
  THUMBNAIL_TOO_LARGE: {
    summary: 'The image of the candidate is larger than 1,000,000 bytes, so the event was not sent.',
    fix: imageFix,
  },
  THUMBNAIL_MALFORMED: {
    summary: 'The image of the candidate is not a faultless JPEG, so the event was not sent.',
    fix: imageFix,
  },
  THUMBNAIL_TOO_COSTLY: {
    summary:
      'The image of the candidate has more than 16 megapixels or takes too much memory to decode, so the event was not sent.',
    fix: imageFix,
  },
}

/** A detail ends with the code behind it, if it has one. */
function codeIn(detail: string): string {
  return /\(([A-Z][A-Z0-9_]*)\)$/.exec(detail)?.[1] ?? ''
}

function wordsOf(detail: string): string {
  return detail.replace(/ \([A-Z][A-Z0-9_]*\)$/, '').replace(/\.$/, '')
}
