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
