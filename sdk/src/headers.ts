/** A `Headers` object, Node's `request.headers`, or a plain object with names in any case. */
export type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export function headerOf(source: HeaderSource, name: string): string | null {
  for (const [found, value] of headerEntries(source)) if (found.toLowerCase() === name) return value
  return null
}

export function headerEntries(source: HeaderSource): [name: string, value: string][] {
  if (isHeaders(source)) return [...source]
  return Object.entries(source).flatMap(([name, value]): [string, string][] => {
    if (value === undefined) return []
    return [[name, typeof value === 'string' ? value : value.join(', ')]]
  })
}

function isHeaders(source: HeaderSource): source is Headers {
  return typeof source.get === 'function'
}

/** Whether a key or token can be one: printable ASCII without spaces. */
export function isCredential(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}
