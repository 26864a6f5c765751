import { type SignedEvent, signedEvent } from './sample-event.ts'

/** What a receiver must reject, and what to change if it does not. */
export type Forgery = {
  what: string
  advice: string
  forge(event: SignedEvent, secret: string, now: Date): SignedEvent | Promise<SignedEvent>
}

const checkFirst =
  'Check X-Service-Signature before anything else: HMAC-SHA256 of "<t>.<raw body>" with the signing secret. Answer 401 if it is missing or does not match.'
const compareAll = 'Compare the whole digest, all 64 characters, in constant time.'
const useRawBytes =
  'Compute the HMAC over the raw bytes as they arrived, not over JSON that was parsed and serialized again.'

export const forgeries: readonly Forgery[] = [
  {
    what: 'an event without a signature',
    advice: checkFirst,
    forge: (event) => withSignature(event, () => null),
  },
  {
    what: 'a signature of all zeros',
    advice: checkFirst,
    forge: (event) => withSignature(event, (header) => header.replace(/v1=.*/, `v1=${'0'.repeat(64)}`)),
  },
  {
    what: 'a signature made with another secret',
    advice: checkFirst,
    forge: ({ resultId, body }, secret, now) => signedEvent(resultId, body, `${secret}x`, now),
  },
  {
    what: 'a signature that differs only in its last character',
    advice: compareAll,
    forge: (event) => withSignature(event, (header) => header.slice(0, -1) + (header.endsWith('0') ? '1' : '0')),
  },
  {
    what: 'a signature cut to its first 8 characters',
    advice: compareAll,
    forge: (event) => withSignature(event, (header) => header.slice(0, -56)),
  },
  {
    what: 'a body with one byte changed after signing',
    advice: checkFirst,
    forge: (event) => ({ ...event, body: withOtherScore(event.body) }),
  },
  {
    what: 'a body with whitespace added after signing',
    advice: useRawBytes,
    forge: (event) => ({ ...event, body: new Uint8Array([...event.body, 0x20]) }),
  },
]

function withSignature(event: SignedEvent, change: (header: string) => string | null): SignedEvent {
  const { 'x-service-signature': signature = '', ...others } = event.headers
  const changed = change(signature)
  return { ...event, headers: changed === null ? others : { ...others, 'x-service-signature': changed } }
}

function withOtherScore(body: Uint8Array): Uint8Array {
  return new TextEncoder().encode(new TextDecoder().decode(body).replace('81.25', '91.25'))
}
