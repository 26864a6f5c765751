import { readFileSync } from 'node:fs'

/** A fenced block of a document. What stands behind its language says how the reader uses it. */
export type Block = {
  language: string
  /** Which of the reader's terminals it is for. */
  terminal: string
  /** It goes on running: the reader does not wait for its end. */
  stays: boolean
  /** The name under which the reader saves it. */
  file: string | null
  text: string
  /** Where it is, for people: docs/api.md:12 */
  place: string
}

export function blocksOf(root: string, path: string): Block[] {
  const lines = readFileSync(`${root}/${path}`, 'utf8').split('\n')
  const blocks: Block[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const [, language, usage = ''] = /^```(\S*)\s*(.*)$/.exec(lines[at] ?? '') ?? []
    if (language === undefined) continue
    const end = lines.indexOf('```', at + 1)
    if (end < 0) throw new Error(`${path}:${at + 1} is not closed`)
    blocks.push({
      language,
      terminal: /\bterminal=(\S+)/.exec(usage)?.[1] ?? 'main',
      stays: /\bstays\b/.test(usage),
      file: /\bfile=(\S+)/.exec(usage)?.[1] ?? null,
      text: `${lines.slice(at + 1, end).join('\n')}\n`,
      place: `${path}:${at + 1}`,
    })
    at = end
  }
  return blocks
}
