/** The limits of server/auth/passwords.ts, of which the page may import only types. */
export const passwordHint = '12 to 128 characters'

export function passwordError(password: string): string | null {
  return password.length < 12 || password.length > 128 ? `Use ${passwordHint}` : null
}
