import { parseEvent } from './event.ts'
import { type HeaderSource, headerOf } from './headers.ts'
import { digestOf, sameText, signedText } from './signature.ts'
import type { ResultCompleted } from './types.ts'

export type RawBody = Uint8Array | ArrayBuffer | string

export type Refusal = {
  ok: false
  reason:
    | 'signature_missing'
    | 'signature_malformed'
    | 'too_old'
    | 'too_new'
    | 'signature_mismatch'
    | 'not_json'
    | 'not_an_event'
  /** What to respond with: 401 for a bad signature, 400 for a genuine signature on a body that is not the event. */
  status: 400 | 401
  detail: string
}

export type Verification = { ok: true; event: ResultCompleted } | Refusal

export type VerifyOptions = {
  now?: Date
  /** How far the signature's timestamp may be from now. Default: 300, five minutes. */
  toleranceSeconds?: number
}

/**
 * Checks that the service sent these bytes, and returns the event. Pass the raw body, before any parser touches it, and
 * both secrets during a rotation.
 */
export async function verify(
  rawBody: RawBody,
  headers: HeaderSource,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<Verification> {
  const { now = new Date(), toleranceSeconds = 300 } = options
  const secrets = secretsOf(secret)
  const body = toBytes(rawBody)

  const header = headerOf(headers, signatureHeader)
  if (header === null) return unsigned('signature_missing', 'There is no X-Service-Signature header.')
  const parts = readSignature(header)
  if ('fault' in parts) return unsigned('signature_malformed', parts.fault)

  const age = now.getTime() / 1000 - Number(parts.t)
  if (age > toleranceSeconds) return unsigned('too_old', `The signature is ${Math.round(age)} seconds old.`)
  if (-age > toleranceSeconds)
    return unsigned('too_new', `The signature is from ${Math.round(-age)} seconds in the future.`)

  const signed = signedText(parts.t, body)
  let genuine = false
  for (const key of secrets) {
    const digest = await digestOf(signed, new TextEncoder().encode(key))
    // Every secret is tried, so that timing does not reveal which one matched.
    if (sameText(digest, parts.v1)) genuine = true
  }
  if (!genuine) return unsigned('signature_mismatch', 'The signature does not match this body and secret.')
  return readEvent(body)
}

export const signatureHeader = 'x-service-signature'

/** The parts of the header, or what is wrong with it. Unknown parts are ignored. */
function readSignature(header: string): { t: string; v1: string } | { fault: string } {
  const parts = header.split(',').map((part) => part.trim().split('='))
  const values = (wanted: string) => parts.filter(([name]) => name === wanted).map(([, ...value]) => value.join('='))
  const [times, digests] = [values('t'), values('v1')]
  const [t = '', v1 = ''] = [times[0], digests[0]]
  if (times.length > 1 || digests.length > 1) return { fault: 'The signature has the same part twice.' }
  if (!/^\d{1,12}$/.test(t)) return { fault: 'The signature has no valid t: it must be a Unix time in seconds.' }
  if (!/^[0-9a-f]{64}$/.test(v1)) return { fault: 'The signature has no valid v1: it must be 64 lowercase hex digits.' }
  return { t, v1 }
}

export function toBytes(body: RawBody): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  return body instanceof ArrayBuffer ? new Uint8Array(body) : body
}

/** An empty secret would let anyone sign. */
export function secretsOf(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (!Array.isArray(secrets) || secrets.length === 0 || !secrets.every((one) => typeof one === 'string' && one !== ''))
    throw new TypeError('The signing secret is missing or empty.')
  return secrets
}

function readEvent(body: Uint8Array): Verification {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return {
      ok: false,
      reason: 'not_json',
      status: 400,
      detail: 'The signature is valid, but the body is not JSON in UTF-8.',
    }
  }
  const parsed = parseEvent(value)
  if ('event' in parsed) return { ok: true, event: parsed.event }
  return { ok: false, reason: 'not_an_event', status: 400, detail: parsed.fault }
}

function unsigned(reason: Refusal['reason'], detail: string): Refusal {
  return { ok: false, reason, status: 401, detail }
}
