import { fromBase64, toBase64 } from './base64.ts'
import { fieldsInOrder } from './event.ts'
import { signedText } from './signature.ts'

export type Cause = {
  name: string
  /** What was found. */
  text: string
  /** What to change. */
  advice: string
}

/** What the value should have been if this mistake was made; no cause when none was. */
export type Mistake<Value> = { value: Value; cause: Cause | null }

const encoder = new TextEncoder()

const rawBytes = 'Take the raw bytes of the body before any parser, and compute the HMAC over them.'
const asShown = 'Use the secret exactly as it was shown: its text as UTF-8 is the key.'

/** The body as it was sent, if what arrived is what each of these makes of it. */
export function bodyMistakes(body: Uint8Array): Mistake<Uint8Array>[] {
  const text = decode(body, 'utf-8')
  const mistakes: Mistake<Uint8Array>[] = [{ value: body, cause: null }]
  const add = (name: string, value: string | Uint8Array | null, found: string, advice: string) => {
    if (value === null) return
    mistakes.push({
      value: typeof value === 'string' ? encoder.encode(value) : value,
      cause: { name, text: found, advice },
    })
  }

  if (text !== null) {
    const bare = text.replace(/^\uFEFF/, '')
    const json = parse(bare)
    add('body_byte_order_mark', bare === text ? null : bare, 'The body begins with a byte order mark.', rawBytes)
    add('body_white_space', bare.trim(), 'White space was added around the body, such as a line end.', rawBytes)
    add('body_white_space', `${bare}\n`, 'The line end at the end of the body was removed.', rawBytes)
    add('body_line_ends', bare.replaceAll('\r\n', '\n'), 'Line ends in the body were changed.', rawBytes)
    if (typeof json === 'string') {
      add('body_quoted', json, 'The body was made into a JSON string.', rawBytes)
    } else if (json !== undefined) {
      const found = 'The body was parsed and serialised again: the same JSON, in other bytes.'
      add('body_parsed', JSON.stringify(json), found, rawBytes)
      add('body_parsed', JSON.stringify(fieldsInOrder(json)), `${found} Its fields were reordered, too.`, rawBytes)
    }
    const packed = /^[A-Za-z0-9+/]+={0,2}$/.test(bare) ? fromBase64(bare) : null
    const unpack = 'Decode the body first: gateways such as AWS Lambda hand it over as Base64 (isBase64Encoded).'
    add('body_base64', packed, 'The body is Base64 of the body.', unpack)
    const utf8 = 'Do not decode and encode the body: keep its bytes.'
    add('body_encoded_twice', asSingleBytes(text), 'The body was read as Latin-1 and encoded as UTF-8.', utf8)
  }
  const keepBytes = 'Keep the bytes of the body: it is UTF-8, and any text made of it must be encoded as UTF-8 again.'
  if (text === null) add('body_latin1', decode(body, 'windows-1252'), 'The body is encoded as Latin-1.', keepBytes)
  for (const encoding of ['utf-16le', 'utf-16be']) {
    if (!body.includes(0)) continue
    const bare = decode(body, encoding)?.replace(/^\uFEFF/, '') ?? null
    add('body_utf16', bare, 'The body is encoded as UTF-16.', keepBytes)
  }
  return mistakes
}

/** The secret as it should be, if what is given is what each of these makes of it. */
export function secretMistakes(secret: string, index: number): Mistake<Uint8Array>[] {
  const other: Cause = {
    name: 'secret_other',
    text: `The signature was made with secret number ${index + 1} of those given, not with the first.`,
    advice: 'Set the receiver to that secret, or to both during a rotation.',
  }
  const mistakes: Mistake<Uint8Array>[] = [{ value: encoder.encode(secret), cause: index === 0 ? null : other }]
  const add = (name: string, value: string | Uint8Array | null, text: string) => {
    const bytes = typeof value === 'string' ? encoder.encode(value) : value
    if (bytes && bytes.length > 0) mistakes.push({ value: bytes, cause: { name, text, advice: asShown } })
  }
  const trimmed = secret.trim()
  const unquoted = trimmed.replace(/^(["'`])(.*)\1$/, '$2')
  add('secret_white_space', trimmed, 'The secret has white space around it.')
  add('secret_white_space', trimmed.replace(/\s/g, ''), 'The secret has white space in it.')
  add('secret_quoted', unquoted, 'The secret is in quotation marks.')
  add('secret_named', unquoted.replace(/^\w+=/, ''), 'The secret has a name and an equals sign before it.')
  add('secret_prefix', `whsec_${unquoted}`, 'The secret lacks its beginning, whsec_.')
  add('secret_encoded', toBase64(encoder.encode(unquoted)), 'The secret was decoded from Base64.')
  for (const part of [unquoted, unquoted.replace(/^whsec_/, '')]) {
    add('secret_decoded', decodedBase64(part), 'The signature was made with the secret decoded from Base64.')
    add('secret_decoded', decodedHex(part), 'The signature was made with the secret decoded from hex.')
  }
  add(
    'secret_prefix',
    unquoted.replace(/^whsec_/, ''),
    'The signature was made without the beginning of the secret, whsec_.',
  )
  add('secret_white_space', `${secret}\n`, 'The signature was made with the secret and a line end.')
  return mistakes
}

/** What the HMAC was computed over. */
export const signedTextMistakes: Mistake<(t: string, body: Uint8Array) => Uint8Array<ArrayBuffer>>[] = [
  { value: signedText, cause: null },
  {
    value: (_t, body) => new Uint8Array(body),
    cause: {
      name: 'signed_body_only',
      text: 'The signature was made over the body alone.',
      advice: 'The HMAC is over "<t>.<raw body>": the time, a full stop, the body.',
    },
  },
  {
    value: (t, body) => new Uint8Array([...encoder.encode(t), ...body]),
    cause: {
      name: 'signed_without_stop',
      text: 'The signature was made without the full stop between the time and the body.',
      advice: 'The HMAC is over "<t>.<raw body>": the time, a full stop, the body.',
    },
  },
]

/** What can be said of a body when no mistake makes the signature fit. */
export function bodyFaults(body: Uint8Array, contentLength: string | null): Cause[] {
  const text = decode(body, 'utf-8')
  const causes: Cause[] = []
  const add = (name: string, found: string, advice: string) => causes.push({ name, text: found, advice })
  if (body.length === 0) {
    add('body_empty', 'The body is empty.', 'Something read it before: put the check before any body parser.')
  } else if (text === '[object Object]') {
    add('body_parsed', 'The body is the text "[object Object]": a parsed object was made into a string.', rawBytes)
  } else if (text?.includes('\uFFFD')) {
    const found = 'The body holds replacement characters: it was decoded with the wrong encoding, and bytes were lost.'
    add('body_decoded', found, rawBytes)
  } else if (isCutOff(body, text, contentLength)) {
    const limit = 'See that your framework and every proxy before it accept 2 MB, and read to the end of the body.'
    add('body_cut_off', `The body ends in the middle, after ${body.length} bytes.`, limit)
  }
  return causes
}

function isCutOff(body: Uint8Array, text: string | null, contentLength: string | null): boolean {
  if (contentLength !== null && Number(contentLength) > body.length) return true
  const start = text ?? decode(body.subarray(0, -3), 'utf-8')
  return start?.startsWith('{') === true && parse(start) === undefined
}

function decode(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Each character as the one byte it has in Windows-1252, or null when one of them has none. */
function asSingleBytes(text: string): Uint8Array | null {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  const table = decode(all, 'windows-1252') ?? ''
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const byte = code < 256 ? code : table.indexOf(text.charAt(at))
    if (byte < 0) return null
    bytes[at] = byte
  }
  return bytes
}

/** As forgiving as the libraries that do this. */
function decodedBase64(text: string): Uint8Array | null {
  const standard = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  if (!/^[A-Za-z0-9+/]+$/.test(standard) || standard.length % 4 === 1) return null
  return Uint8Array.from(atob(standard), (character) => character.charCodeAt(0))
}

function decodedHex(text: string): Uint8Array | null {
  if (text.length % 2 !== 0 || !/^[0-9a-f]+$/i.test(text)) return null
  return Uint8Array.from({ length: text.length / 2 }, (_, at) => Number.parseInt(text.slice(2 * at, 2 * at + 2), 16))
}
