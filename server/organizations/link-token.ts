import { createHash, randomBytes } from 'node:crypto'

/** The secret part of a link. Only its hash is stored. */
export function newLinkToken(): string {
  return randomBytes(32).toString('base64url')
}

export function hashLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
