/** Ignores case and the two Unicode spellings of accents, so that one person is one candidate however they type it. */
export function emailKeyOf(email: string): string {
  return email.toLowerCase().normalize('NFC')
}
