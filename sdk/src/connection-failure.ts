export type ConnectionFailure = {
  /** Such as `ECONNREFUSED`, when the runtime gave one. */
  code: string | null
  /** Reads on from "GET http://… failed: ". */
  reason: string
}

/** Why a request got no response. Runtimes hide it: fetch throws "fetch failed" with the reason somewhere below it. */
export function describeConnectionFailure(error: unknown): ConnectionFailure {
  const { code, message } = innermost(error)
  if (/wrong.version.number|packet.length.too.long/i.test(`${code} ${message}`)) return { code, reason: notTls }
  const reason = reasons[code ?? ''] ?? (isIssuerCode(code) ? 'its certificate is not trusted' : message)
  const named = code === null || reason.includes(code) ? reason : `${reason} (${code})`
  return { code, reason: isIssuerCode(code) ? `${named}. ${trustIt}` : named }
}

const nothingListens = 'connection refused, so nothing is listening there'
const notFound = 'the host name does not exist'
const closed = 'the connection closed before the response was complete'
const tooSlow = 'the connection could not be established in time'
const notTls = 'the server does not speak TLS on this port. Try http:// instead'

const reasons: Record<string, string> = {
  ECONNREFUSED: nothingListens,
  ConnectionRefused: nothingListens,
  ENOTFOUND: notFound,
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNRESET: closed,
  EPIPE: closed,
  UND_ERR_SOCKET: closed,
  ETIMEDOUT: tooSlow,
  UND_ERR_CONNECT_TIMEOUT: tooSlow,
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the host',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
}

const trustIt = 'To trust a certificate of your own, start Node with NODE_EXTRA_CA_CERTS=<file of its authority>'

function isIssuerCode(code: string | null): boolean {
  return code !== null && /SELF_SIGNED|ISSUER|UNABLE_TO_VERIFY|UNKNOWN_CA/.test(code)
}

function innermost(error: unknown): { code: string | null; message: string } {
  let found = { code: codeOf(error), message: messageOf(error) }
  for (let at = below(error); at !== undefined; at = below(at)) {
    found = { code: codeOf(at) ?? found.code, message: messageOf(at) || found.message }
  }
  return found
}

/** A name with several addresses fails once for each of them; they rarely differ. */
function below(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors[0]
  return error instanceof Error && error.cause !== error ? error.cause : undefined
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
