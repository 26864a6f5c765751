import { readFileSync } from 'node:fs'

/** A fenced block in a document. The words after its language say how the reader uses it. */
export type Block = {
  language: string
  /** Which of the reader's terminals to use. */
  terminal: string
  /** Keeps running: the reader doesn't wait for it to end. */
  stays: boolean
  /** The file name the reader saves it under. */
  file: string | null
  /** What a test that types it by itself calls it. */
  name: string | null
  text: string
  /** Where it is, for error messages: docs/api.md:12 */
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
      name: /\bname=(\S+)/.exec(usage)?.[1] ?? null,
      text: `${lines.slice(at + 1, end).join('\n')}\n`,
      place: `${path}:${at + 1}`,
    })
    at = end
  }
  return blocks
}

/** The text of the block with this name. */
export function blockNamed(root: string, path: string, name: string): string {
  const found = blocksOf(root, path).find((block) => block.name === name)
  if (!found) throw new Error(`${path} has no block with name=${name}`)
  return found.text
}
