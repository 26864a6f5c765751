import { constants } from 'node:os'

export type Failure = { error: 'NETWORK' | 'TLS'; detail: string }

/** What was waited for when the five seconds were over. */
export const late = {
  name: 'was not resolved in time',
  free: 'no connection was free in time',
  connect: 'the address did not respond in time',
  handshake: 'the TLS handshake did not end in time',
  answer: 'no answer came in time',
  end: 'the answer did not end in time',
} as const

/** Says in plain words what went wrong on a connection, with the code behind it for those who search for it. */
export function describeFailure(error: Error, { hostname, inHandshake }: FailureContext): Failure {
  const code = codeOf(error)
  const kind = isTlsFailure(code, inHandshake) ? 'TLS' : 'NETWORK'
  const words = plainWords(code, hostname, error.message)
  return { error: kind, detail: code === '' ? words : `${words} (${code})` }
}

type FailureContext = { hostname: string; inHandshake: boolean }

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

// A certificate that is not accepted has one of OpenSSL's many verification codes, which share no prefix: within the
// handshake everything is TLS except what the system says about the connection itself.
function isTlsFailure(code: string, inHandshake: boolean): boolean {
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return true
  return inHandshake && !(code in constants.errno)
}

function plainWords(code: string, hostname: string, message: string): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'the connection was refused'
    case 'ECONNRESET':
    case 'EPIPE':
      return 'the connection was reset'
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
      return 'there is no route to the address'
    case 'ETIMEDOUT':
      return 'the address did not respond'
    case 'UND_ERR_SOCKET':
      return `no proper answer came: ${message}`
    case 'UND_ERR_HEADERS_OVERFLOW':
      return 'the headers of the answer are larger than 16 KiB'
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
      return 'the answer is not as long as it says'
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `the certificate is not made out to ${hostname}`
    case 'CERT_HAS_EXPIRED':
      return 'the certificate has expired'
    case 'CERT_NOT_YET_VALID':
      return 'the certificate is not valid yet'
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return 'the certificate is self-signed'
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return 'the certificate was not issued by a trusted authority'
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return 'the certificate was not issued by a trusted authority, or an intermediate certificate is missing'
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
    case 'ERR_SSL_RECORD_LAYER_FAILURE':
      return 'the port does not speak TLS'
    case 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION':
    case 'ERR_SSL_UNSUPPORTED_PROTOCOL':
      return 'the endpoint offers neither TLS 1.2 nor TLS 1.3'
    case 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL':
      return 'the endpoint does not offer HTTP/1.1'
    case 'ERR_ASSERTION':
      return 'the answer is not valid HTTP'
    default:
      return message
  }
}
