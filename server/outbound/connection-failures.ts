import { constants } from 'node:os'

/** The steps of a request, in order. A failure names the step that failed or timed out. */
export const phases = ['resolve', 'wait', 'connect', 'handshake', 'response', 'body'] as const
export type Phase = (typeof phases)[number]

/** `code` comes from the operating system, OpenSSL or undici; `detail` is for people only. */
export type Failure = { error: 'NETWORK' | 'TLS' | 'TIMEOUT'; code: string | null; phase: Phase; detail: string }

export function describeFailure(error: Error, { hostname, phase }: { hostname: string; phase: Phase }): Failure {
  const code = codeOf(error)
  const detail = detailOf(code, { hostname, phase, message: error.message })
  return { error: isTlsFailure(code, phase) ? 'TLS' : 'NETWORK', code, phase, detail }
}

export function describeTimeout(phase: Phase): Failure {
  return { error: 'TIMEOUT', code: null, phase, detail: timeoutDetails[phase] }
}

export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}

// OpenSSL's many certificate verification codes share no prefix, so during the handshake everything counts as TLS except
// the operating system's own errors.
function isTlsFailure(code: string | null, phase: Phase): boolean {
  if (code === 'EPROTO' || code?.startsWith('ERR_SSL_') || code?.startsWith('ERR_TLS_')) return true
  return phase === 'handshake' && (code === null || !(code in constants.errno))
}

const timeoutDetails: Record<Phase, string> = {
  resolve: 'the name was not resolved in time',
  wait: 'no connection became available in time',
  connect: 'the address did not respond in time',
  handshake: 'the TLS handshake did not finish in time',
  response: 'no response arrived in time',
  body: 'the response body did not end in time',
}

type Context = { hostname: string; phase: Phase; message: string }

function detailOf(code: string | null, { hostname, phase, message }: Context): string {
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
      return phase === 'body' ? 'the connection was closed' : `no valid response arrived: ${message}`
    case 'UND_ERR_HEADERS_OVERFLOW':
      return 'the response headers are larger than 16 KiB'
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
      return 'the response body does not match its Content-Length'
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `the certificate is not valid for ${hostname}`
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
      return 'the endpoint supports neither TLS 1.2 nor TLS 1.3'
    case 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL':
      return 'the endpoint does not support HTTP/1.1'
    case 'ERR_ASSERTION':
      return 'the response is not valid HTTP'
    default:
      return message
  }
}
