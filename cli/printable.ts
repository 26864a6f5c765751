import { controlCharacters } from '../server/organizations/names.ts'

// Text of others may hold what a terminal acts on, or what makes it show something else than is there.
const acting = new RegExp(controlCharacters, 'gu')
const actingBesideNewlines = new RegExp(`(?!\\n)${acting.source}`, acting.flags)

/** One line that is safe on a terminal: anything that is no plain character is shown as JSON writes it. */
export function printable(text: string): string {
  return text.replace(acting, escaped)
}

/** A whole output, whose line breaks are ours. */
export function printableLines(text: string): string {
  return text.replace(actingBesideNewlines, escaped)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
