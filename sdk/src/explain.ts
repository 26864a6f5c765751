import { type HeaderSource, headerEntries, headerOf } from './headers.ts'
import { bodyDamage, bodyMistakes, type Cause, type Mistake, secretMistakes, signedTextMistakes } from './mistakes.ts'
import { digestOf } from './signature.ts'
import { type RawBody, secretsOf, signatureHeader, toBytes } from './verify.ts'

export type Explanation = {
  /** Whether the signature matches this body and secret and its timestamp is recent. */
  genuine: boolean
  /** Why not, most likely first. Empty if it is genuine. */
  causes: Cause[]
}

/**
 * Explains why a signature does not match. Undoes the usual mistakes one after another until the signature matches, so
 * the cause it names is a finding, not a guess. Only if none does, it judges by what the body looks like. Pass several
 * secrets, such as the previous one, to find out which was used. A debugging tool: it is slow, so keep it out of your
 * receiver.
 */
export async function explain(
  rawBody: RawBody,
  headers: HeaderSource,
  secret: string | readonly string[],
  { now = new Date() }: { now?: Date } = {},
): Promise<Explanation> {
  const body = toBytes(rawBody)
  const causes: Cause[] = []

  const header = findSignature(headers, causes)
  const signature = header === null ? null : readLeniently(header, causes)
  if (signature === null) return { genuine: false, causes }

  const fit = await findFit(body, secretsOf(secret), signature)
  causes.push(...(fit ?? damageOrUnknown(body, headerOf(headers, 'content-length'))))
  causes.push(...timeCauses(signature.t, now))
  return { genuine: causes.length === 0, causes }
}

type Signature = { t: string; v1: string }

function findSignature(headers: HeaderSource, causes: Cause[]): string | null {
  const given = headerOf(headers, signatureHeader)
  if (given !== null) return given
  const renamed = headerEntries(headers).find(
    ([name, value]) => /service[^a-z0-9]*signature/i.test(name) || /^t=\d+,\s*v1=[0-9a-f]+$/i.test(value),
  )
  if (renamed) {
    const text = `The X-Service-Signature header arrived as ${renamed[0]}.`
    causes.push({ name: 'header_renamed', text, advice: 'Make the proxy pass the header on under its own name.' })
    return renamed[1]
  }
  causes.push({
    name: 'header_missing',
    text: 'The X-Service-Signature header is missing.',
    advice: headerEntries(headers).some(([name]) => /^x-service-/i.test(name))
      ? 'The other X-Service headers arrived. Find out which proxy or framework drops this one.'
      : 'No X-Service header arrived. Either a proxy drops them, or the request is not from the service.',
  })
  return null
}

/** Reads the header even if it is malformed, and adds whatever is wrong with it to the causes. */
function readLeniently(header: string, causes: Cause[]): Signature | null {
  const bare = decodePercent(header).replace(/["'\s]/g, '')
  const t = /(?:^|,)t=(\d+)(?:,|$)/.exec(bare)?.[1]
  const v1 = /(?:^|,)v1=([^,]+)/.exec(bare)?.[1]
  if (bare !== header.replaceAll(' ', '')) {
    const text = 'The header is quoted or percent-encoded.'
    causes.push({ name: 'header_encoded', text, advice: 'Use the header value exactly as it arrived.' })
  }
  if (t === undefined || v1 === undefined) {
    const missing = [t === undefined && 't', v1 === undefined && 'v1'].filter(Boolean).join(' and ')
    const text = `The header has no ${missing}. It must look like t=<Unix seconds>,v1=<hex digest>.`
    causes.push({
      name: 'header_malformed',
      text,
      advice: 'Check whether something truncated or merged the header on the way.',
    })
    return null
  }
  if (/^[0-9a-fA-F]{64}$/.test(v1)) {
    if (v1 !== v1.toLowerCase()) causes.push(upperCase)
    return { t, v1: v1.toLowerCase() }
  }
  const fromBase64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(v1)
    ? Array.from(atob(v1.replaceAll('-', '+').replaceAll('_', '/')), hexOfCharacter).join('')
    : null
  causes.push({
    name: fromBase64 === null ? 'digest_malformed' : 'digest_base64',
    text: fromBase64 === null ? 'v1 is not 64 hex digits.' : 'v1 is in Base64.',
    advice: 'The digest is 64 lowercase hex digits.',
  })
  return fromBase64 === null ? null : { t, v1: fromBase64 }
}

const upperCase: Cause = {
  name: 'digest_upper_case',
  text: 'v1 is in uppercase.',
  advice: 'The digest is lowercase hex. Keep it that way when you compare.',
}

function hexOfCharacter(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, '0')
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The mistakes that explain the signature: none, else one, else one with the body and one with the secret. */
async function findFit(body: Uint8Array, secrets: readonly string[], { t, v1 }: Signature): Promise<Cause[] | null> {
  const bodies = bodyMistakes(body)
  const keys = secrets.flatMap(secretMistakes)
  const texts = signedTextMistakes
  for (const [someBodies, someKeys, someTexts] of [
    [right(bodies), right(keys), right(texts)],
    [bodies, right(keys), right(texts)],
    [right(bodies), keys, right(texts)],
    [right(bodies), right(keys), texts],
    [bodies, keys, right(texts)],
  ] as const) {
    for (const text of someTexts) {
      for (const made of someBodies) {
        const signed = text.value(t, made.value)
        for (const key of someKeys) {
          if ((await digestOf(signed, key.value)) !== v1) continue
          return [made.cause, key.cause, text.cause].filter((cause) => cause !== null)
        }
      }
    }
  }
  return null
}

function right<Value>(mistakes: readonly Mistake<Value>[]): Mistake<Value>[] {
  return mistakes.filter(({ cause }) => cause === null)
}

/** A damaged body matches no signature, so nothing can be said about the secret. */
function damageOrUnknown(body: Uint8Array, contentLength: string | null): Cause[] {
  const damage = bodyDamage(body, contentLength)
  return damage === null ? [unknownMistake] : [damage]
}

const unknownMistake: Cause = {
  name: 'unknown',
  text: 'None of the usual mistakes explains the signature.',
  advice:
    'Most likely this is not the secret it was signed with: maybe the one before the last rotation, or one from another environment. Otherwise the body was changed on the way.',
}

function timeCauses(t: string, now: Date): Cause[] {
  const inMilliseconds = Number(t) > 100_000_000_000
  const seconds = Math.round(now.getTime() / 1000 - Number(t) / (inMilliseconds ? 1000 : 1))
  const causes: Cause[] = []
  if (inMilliseconds) {
    const text = 't is in milliseconds.'
    causes.push({ name: 'time_in_milliseconds', text, advice: 't is a Unix time in whole seconds.' })
  }
  if (Math.abs(seconds) > 300) {
    causes.push({
      name: 'clock',
      text: `The signature's timestamp is ${Math.abs(seconds)} seconds ${seconds > 0 ? 'behind' : 'ahead of'} your clock.`,
      advice:
        'If the request has just arrived, synchronize your clock. If you saved it earlier, pass the time it arrived.',
    })
  }
  return causes
}
