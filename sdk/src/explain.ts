import { type HeaderSource, headerEntries, headerOf } from './headers.ts'
import { bodyFaults, bodyMistakes, type Cause, type Mistake, secretMistakes, signedTextMistakes } from './mistakes.ts'
import { digestOf } from './signature.ts'
import { type RawBody, secretsOf, signatureHeader, toBytes } from './verify.ts'

export type Explanation = {
  /** Whether the signature belongs to this body and secret and its time is right. */
  genuine: boolean
  /** Why not, the likeliest first; empty when it is genuine. */
  causes: Cause[]
}

/**
 * Why a signature is refused. Tries the usual mistakes until one of them makes the signature fit, so that what it names
 * is found, not guessed; only when none does it falls back on what the body looks like. Give further secrets, such as
 * the one before, to learn which of them was used. Never part of a receiver: it is slow and says much.
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
  causes.push(...(fit ?? [...bodyFaults(body, headerOf(headers, 'content-length')), unknownMistake]))
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
    const text = `There is no X-Service-Signature header, but one named ${renamed[0]}.`
    causes.push({ name: 'header_renamed', text, advice: 'Let the proxy pass the header on under its own name.' })
    return renamed[1]
  }
  causes.push({
    name: 'header_missing',
    text: 'There is no X-Service-Signature header.',
    advice: headerEntries(headers).some(([name]) => /^x-service-/i.test(name))
      ? 'The other X-Service headers are there: see which proxy or framework drops this one.'
      : 'No X-Service header is there: a proxy drops them, or the request did not come from the service.',
  })
  return null
}

/** The parts of the header even when they are not as they should be; what is odd about them goes to the causes. */
function readLeniently(header: string, causes: Cause[]): Signature | null {
  const bare = decodePercent(header).replace(/["'\s]/g, '')
  const t = /(?:^|,)t=(\d+)(?:,|$)/.exec(bare)?.[1]
  const v1 = /(?:^|,)v1=([^,]+)/.exec(bare)?.[1]
  if (bare !== header.replaceAll(' ', '')) {
    const text = 'The header is quoted or percent-encoded.'
    causes.push({ name: 'header_encoded', text, advice: 'Take the value of the header exactly as it came.' })
  }
  if (t === undefined || v1 === undefined) {
    const missing = [t === undefined && 't', v1 === undefined && 'v1'].filter(Boolean).join(' and ')
    const text = `The header holds no ${missing}: it must read t=<unix seconds>,v1=<hex digest>.`
    causes.push({
      name: 'header_malformed',
      text,
      advice: 'See whether something cut or joined the header on its way.',
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
    text: fromBase64 === null ? 'v1 is not 64 hex digits.' : 'v1 is written in Base64.',
    advice: 'The digest is 64 lowercase hex digits.',
  })
  return fromBase64 === null ? null : { t, v1: fromBase64 }
}

const upperCase: Cause = {
  name: 'digest_upper_case',
  text: 'v1 is written in upper case.',
  advice: 'The digest is lowercase hex: write and compare it so.',
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

/** The mistakes that make the signature fit: none at all, else one, else one with the body and one with the secret. */
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

const unknownMistake: Cause = {
  name: 'unknown',
  text: 'No usual mistake makes the signature fit.',
  advice:
    'Most likely the secret is another one: the one before the last rotation, or that of another environment. Otherwise the body was changed on its way.',
}

function timeCauses(t: string, now: Date): Cause[] {
  const inMilliseconds = Number(t) > 100_000_000_000
  const seconds = Math.round(now.getTime() / 1000 - Number(t) / (inMilliseconds ? 1000 : 1))
  const causes: Cause[] = []
  if (inMilliseconds) {
    const text = 't is in milliseconds.'
    causes.push({ name: 'time_in_milliseconds', text, advice: 't is the Unix time in whole seconds.' })
  }
  if (Math.abs(seconds) > 300) {
    causes.push({
      name: 'clock',
      text: `The time of the signature is ${Math.abs(seconds)} seconds ${seconds > 0 ? 'behind' : 'ahead of'} your clock.`,
      advice:
        'If the request has just come in, set your clock by a time server. If it was kept, this is how old it is.',
    })
  }
  return causes
}
