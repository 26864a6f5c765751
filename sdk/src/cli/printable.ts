// Names come from others and may hold what a terminal acts on, or what makes it show something that is not there.
const unprintable = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Text that is safe on a terminal. Line breaks stay. */
export function printable(text: string): string {
  return text.replace(unprintable, (character) => {
    return character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
