import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** `owner` is authenticated too, so that a sealed secret copied to another row can't be decrypted there. */
export function seal(secretsKey: Buffer, secret: string, owner: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', secretsKey, nonce).setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

export class SecretUnreadable extends Error {
  override name = 'SecretUnreadable'
}

export function unseal(secretsKey: Buffer, sealed: Buffer, owner: string): string {
  const secret = tryUnseal(secretsKey, sealed, owner)
  if (secret === null) throw new SecretUnreadable(`SECRETS_KEY cannot decrypt the secret of ${owner}`)
  return secret
}

/** Null if it was sealed with another key or for another owner, or was tampered with. */
export function tryUnseal(secretsKey: Buffer, sealed: Buffer, owner: string): string | null {
  try {
    const decipher = createDecipheriv('aes-256-gcm', secretsKey, sealed.subarray(0, 12))
    decipher.setAAD(Buffer.from(owner)).setAuthTag(sealed.subarray(12, 28))
    return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

/** `previous` is only used to decrypt. */
export type SecretsKeys = { current: Buffer; previous: Buffer | null }

export type Unseal = (sealed: Buffer, owner: string) => string

export function createUnseal({ current, previous }: SecretsKeys): Unseal {
  return (sealed, owner) => (previous && tryUnseal(previous, sealed, owner)) ?? unseal(current, sealed, owner)
}
