import { randomBytes } from 'node:crypto'

export const shortestPassword = 12
export const longestPassword = 128

// Loaded when somebody needs it: most commands and processes never do.
const library = () => import('better-auth/crypto')

/** A salted hash that takes long to make, on purpose. */
export async function hashPassword(password: string): Promise<string> {
  const { hashPassword } = await library()
  return hashPassword(password)
}

export async function isPassword(password: string, hash: string): Promise<boolean> {
  const { verifyPassword } = await library()
  return verifyPassword({ password, hash })
}

export function newPassword(): string {
  return randomBytes(18).toString('base64url')
}
