/** Markup that is ready to be sent: whatever was put into it is escaped. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | Html | readonly Html[] | null

/** Text is escaped, markup is taken as it is, null is nothing. Values go into content or quoted attributes only. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(parts.reduce((text, part, index) => text + markup(values[index - 1] ?? null) + part))
}

function markup(value: Value): string {
  if (value === null) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map((one) => one.text).join('')
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/**
 * Text for where there is no markup to keep its writing direction in: the title of a page, a label. Without the invisible
 * characters that would turn around what stands beside it.
 */
export function plain(text: string): string {
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
}
