const encoder = new TextEncoder()

/** `t=<Unix seconds>,v1=<hex digest>`, as the service sends it in X-Service-Signature. */
export async function sign(body: Uint8Array, secret: string, now: Date): Promise<string> {
  const seconds = String(Math.floor(now.getTime() / 1000))
  return `t=${seconds},v1=${await digestOf(signedText(seconds, body), encoder.encode(secret))}`
}

/** The bytes that are signed: `<t>.<body>`. */
export function signedText(t: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(`${t}.`)
  const text = new Uint8Array(head.length + body.length)
  text.set(head)
  text.set(body, head.length)
  return text
}

/** HMAC-SHA256 with the secret's bytes as the key, in lowercase hex. */
export async function digestOf(text: Uint8Array<ArrayBuffer>, secret: Uint8Array): Promise<string> {
  const key = await crypto.subtle.importKey('raw', new Uint8Array(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, text))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Constant time: the same wherever the first difference is. */
export function sameText(one: string, other: string): boolean {
  if (one.length !== other.length) return false
  let difference = 0
  for (let at = 0; at < one.length; at += 1) difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  return difference === 0
}
