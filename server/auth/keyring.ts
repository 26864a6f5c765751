import { createHash, hkdfSync } from 'node:crypto'
import type { SecretsKeys } from '../endpoints/secrets.ts'

/** The library's secrets, newest first. What it encrypts names the version; only the newest one signs cookies. */
export function keyring({ current, previous }: SecretsKeys): { version: number; value: string }[] {
  return [current, ...(previous ? [previous] : [])].map((key) => {
    const value = derivedSecret(key)
    return { version: createHash('sha256').update(value).digest().readUInt32BE(0), value }
  })
}

/** Cookies get their own secret: one key must not serve two purposes. */
function derivedSecret(secretsKey: Buffer): string {
  return Buffer.from(hkdfSync('sha256', secretsKey, '', 'settings session cookies', 32)).toString('base64')
}
