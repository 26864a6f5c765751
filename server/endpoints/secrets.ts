import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Encrypts a secret for the database. `owner` is bound in: a sealed secret moved to another row does not open there. */
export function seal(secretsKey: Buffer, secret: string, owner: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', secretsKey, nonce).setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

export function unseal(secretsKey: Buffer, sealed: Buffer, owner: string): string {
  const decipher = createDecipheriv('aes-256-gcm', secretsKey, sealed.subarray(0, 12))
  decipher.setAAD(Buffer.from(owner)).setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
}

export type Unseal = (sealed: Buffer, owner: string) => string

/** For whoever opens the same few again and again: the last of each owner is remembered, and opened anew when it changes. */
export function createUnseal(secretsKey: Buffer, mostOwners = 1_000): Unseal {
  const known = new Map<string, { sealed: Buffer; secret: string }>()
  return (sealed, owner) => {
    const last = known.get(owner)
    if (last?.sealed.equals(sealed)) return last.secret
    const secret = unseal(secretsKey, sealed, owner)
    known.set(owner, { sealed, secret })
    const [oldest] = known.keys()
    if (known.size > mostOwners && oldest !== undefined) known.delete(oldest)
    return secret
  }
}
