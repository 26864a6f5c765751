// Terminal control characters, and those that change the direction of the text around them.
export const controlCharacters = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** Names of organizations, people and keys are one line of plain text: they are shown next to IDs and statuses. */
export function isName(text: string): boolean {
  return text.isWellFormed() && !controlCharacters.test(text)
}
