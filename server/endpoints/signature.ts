import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { Unseal } from './secrets.ts'

/** `t=<unix seconds>,v1=<lowercase hex HMAC SHA-256 of "<t>.<body>">`, over exactly the bytes sent. */
export function sign(body: Uint8Array, secret: string | KeyObject, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')}`
}

export type SigningKey = (sealed: Buffer, organizationId: string) => KeyObject

/** Caches each organization's current key: preparing one costs more than signing an event with it. */
export function createSigningKey(unseal: Unseal, maxOrganizations = 1_000): SigningKey {
  const cache = new Map<string, { sealed: Buffer; key: KeyObject }>()
  return (sealed, organizationId) => {
    const cached = cache.get(organizationId)
    if (cached?.sealed.equals(sealed)) return cached.key
    const key = createSecretKey(unseal(sealed, organizationId), 'utf8')
    cache.set(organizationId, { sealed, key })
    const [oldest] = cache.keys()
    if (cache.size > maxOrganizations && oldest !== undefined) cache.delete(oldest)
    return key
  }
}
