/** Ignores case and the two Unicode spellings of accents, so that one person is one candidate however they type it. */
export function emailKeyOf(email: string): string {
  // Sigma has two lowercase forms, one of them for the end of a word.
  return email.toLowerCase().replaceAll('ς', 'σ').normalize('NFC')
}
