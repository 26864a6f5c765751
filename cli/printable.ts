import { controlCharacters } from '../server/organizations/names.ts'

// Stored text may contain characters that a terminal acts on, or that make it show something else.
const acting = new RegExp(controlCharacters, 'gu')
const actingBesideNewlines = new RegExp(`(?!\\n)${acting.source}`, acting.flags)

/** One line that is safe on a terminal: control characters are escaped as in JSON. */
export function printable(text: string): string {
  return text.replace(acting, escaped)
}

/** The same for a whole output, which has line breaks of its own. */
export function printableLines(text: string): string {
  return text.replace(actingBesideNewlines, escaped)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
