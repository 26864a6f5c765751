import { createHmac } from 'node:crypto'

/** `t=<unix seconds>,v1=<lowercase hex HMAC SHA-256 of "<t>.<body>">`, over exactly the bytes sent. */
export function sign(body: Uint8Array, secret: string, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')}`
}
