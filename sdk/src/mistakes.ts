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

/** What the value should have been if this mistake was made. No cause means no mistake. */
export type Mistake<Value> = { value: Value; cause: Cause | null }

const encoder = new TextEncoder()

const rawBytes = 'Compute the HMAC over the raw bytes of the body, before any parser touches them.'
const asShown = 'Use the secret exactly as it was shown. The key is its text in UTF-8.'

/** The body as it was sent, assuming that each of these mistakes turned it into what arrived. */
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
    add(
      'body_byte_order_mark',
      bare === text ? null : bare,
      'A byte order mark was added to the start of the body.',
      rawBytes,
    )
    add('body_white_space', bare.trim(), 'Whitespace, such as a newline, was added around the body.', rawBytes)
    add('body_white_space', `${bare}\n`, 'The newline at the end of the body was removed.', rawBytes)
    add('body_line_ends', bare.replaceAll('\r\n', '\n'), 'The line endings in the body were changed.', rawBytes)
    if (typeof json === 'string') {
      add('body_quoted', json, 'The body was turned into a JSON string.', rawBytes)
    } else if (json !== undefined) {
      const found = 'The body was parsed and serialized again: the same JSON in different bytes.'
      add('body_parsed', JSON.stringify(json), found, rawBytes)
      add('body_parsed', JSON.stringify(fieldsInOrder(json)), `${found} Its fields were reordered too.`, rawBytes)
    }
    const packed = /^[A-Za-z0-9+/]+={0,2}$/.test(bare) ? fromBase64(bare) : null
    const unpack = 'Decode the body first. AWS Lambda and similar platforms pass it as Base64 (isBase64Encoded).'
    add('body_base64', packed, 'The body is still Base64-encoded.', unpack)
    const utf8 = 'Keep the bytes of the body. Do not decode and encode it again.'
    add('body_encoded_twice', asSingleBytes(text), 'The body was read as Latin-1 and encoded as UTF-8.', utf8)
  }
  const keepBytes =
    'Keep the bytes of the body. They are UTF-8, so any text made from them must be encoded as UTF-8 again.'
  if (text === null) add('body_latin1', decode(body, 'windows-1252'), 'The body is encoded as Latin-1.', keepBytes)
  for (const encoding of ['utf-16le', 'utf-16be']) {
    if (!body.includes(0)) continue
    const bare = decode(body, encoding)?.replace(/^\uFEFF/, '') ?? null
    add('body_utf16', bare, 'The body is encoded as UTF-16.', keepBytes)
  }
  return mistakes
}

/** The secret as it should be, assuming that each of these mistakes turned it into what was given. */
export function secretMistakes(secret: string, index: number): Mistake<Uint8Array>[] {
  const other: Cause = {
    name: 'secret_other',
    text: `The signature was made with secret number ${index + 1} of the ones given, not the first.`,
    advice: 'Give the receiver that secret, or both during a rotation.',
  }
  const mistakes: Mistake<Uint8Array>[] = [{ value: encoder.encode(secret), cause: index === 0 ? null : other }]
  const add = (name: string, value: string | Uint8Array | null, text: string) => {
    const bytes = typeof value === 'string' ? encoder.encode(value) : value
    if (bytes && bytes.length > 0) mistakes.push({ value: bytes, cause: { name, text, advice: asShown } })
  }
  const trimmed = secret.trim()
  const unquoted = trimmed.replace(/^(["'`])(.*)\1$/, '$2')
  add('secret_white_space', trimmed, 'The secret has whitespace around it.')
  add('secret_white_space', trimmed.replace(/\s/g, ''), 'The secret has whitespace in it.')
  add('secret_quoted', unquoted, 'The secret is in quotes.')
  add('secret_named', unquoted.replace(/^\w+=/, ''), 'The secret has a name and an equals sign in front of it.')
  add('secret_prefix', `whsec_${unquoted}`, 'The secret is missing its whsec_ prefix.')
  add('secret_encoded', toBase64(encoder.encode(unquoted)), 'The secret was decoded from Base64.')
  for (const part of [unquoted, unquoted.replace(/^whsec_/, '')]) {
    add('secret_decoded', decodedBase64(part), 'The signature was made with the secret decoded from Base64.')
    add('secret_decoded', decodedHex(part), 'The signature was made with the secret decoded from hex.')
  }
  add(
    'secret_prefix',
    unquoted.replace(/^whsec_/, ''),
    'The signature was made without the whsec_ prefix of the secret.',
  )
  add('secret_white_space', `${secret}\n`, 'The signature was made with the secret and a newline.')
  return mistakes
}

/** What the HMAC was computed over. */
export const signedTextMistakes: Mistake<(t: string, body: Uint8Array) => Uint8Array<ArrayBuffer>>[] = [
  { value: signedText, cause: null },
  {
    value: (_t, body) => new Uint8Array(body),
    cause: {
      name: 'signed_body_only',
      text: 'The signature covers only the body.',
      advice: 'Compute the HMAC over "<t>.<raw body>": the timestamp, a period, the body.',
    },
  },
  {
    value: (t, body) => new Uint8Array([...encoder.encode(t), ...body]),
    cause: {
      name: 'signed_without_stop',
      text: 'The signature was made without the period between timestamp and body.',
      advice: 'Compute the HMAC over "<t>.<raw body>": the timestamp, a period, the body.',
    },
  },
]

/** What is visibly wrong with a body that matches no signature. */
export function bodyDamage(body: Uint8Array, contentLength: string | null): Cause | null {
  const text = decode(body, 'utf-8')
  if (body.length === 0) {
    const advice = 'Something read it first. Verify the signature before any body parser runs.'
    return { name: 'body_empty', text: 'The body is empty.', advice }
  }
  if (text === '[object Object]') {
    const found = 'The body is the text "[object Object]": a parsed object was turned into a string.'
    return { name: 'body_parsed', text: found, advice: rawBytes }
  }
  if (text?.includes('\uFFFD')) {
    const found =
      'The body contains replacement characters: it was decoded with the wrong encoding, and bytes were lost.'
    return { name: 'body_decoded', text: found, advice: rawBytes }
  }
  if (!isCutOff(body, text, contentLength)) return null
  const expected = contentLength === null ? '' : ` of ${contentLength}`
  return {
    name: 'body_cut_off',
    text: `The body is cut off after ${body.length}${expected} bytes.`,
    advice:
      'This has one of two causes. Either your code stopped reading early: read the stream to its end, not just the first chunk. Or something in front of it has a size limit: allow 2 MB in your framework and in every proxy.',
  }
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

/** Each character as its single byte in Windows-1252, or null if one has none. */
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

/** As lenient as the libraries that do this. */
function decodedBase64(text: string): Uint8Array | null {
  const standard = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  if (!/^[A-Za-z0-9+/]+$/.test(standard) || standard.length % 4 === 1) return null
  return Uint8Array.from(atob(standard), (character) => character.charCodeAt(0))
}

function decodedHex(text: string): Uint8Array | null {
  if (text.length % 2 !== 0 || !/^[0-9a-f]+$/i.test(text)) return null
  return Uint8Array.from({ length: text.length / 2 }, (_, at) => Number.parseInt(text.slice(2 * at, 2 * at + 2), 16))
}
