import { styleText } from 'node:util'

// styleText adds colors only if standard output is a terminal.
const bold = (text: string) => styleText('bold', text)
const dim = (text: string) => styleText('dim', text)
const cyan = (text: string) => styleText('cyan', text)
const green = (text: string) => styleText('green', text)

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

export function chapter(number: number, title: string): void {
  print(`\n${bold(`${number}. ${title}`)}`)
}

export function say(text: string): void {
  print(`\n${indented(text)}`)
}

/** A line you could type. */
export function command(line: string): void {
  print(`\n${cyan(indented(line, '  ', '    '))}`)
}

/** The output, with long texts truncated: a picture would fill many screens. */
export function output(value: unknown, status?: number): void {
  const text = typeof value === 'string' ? value.trimEnd() : JSON.stringify(value, shortened, 2)
  print(dim(indented(status === undefined ? text : `${status} ${text}`)))
}

export function good(text: string): void {
  print(`${indented(`${green('✓')} ${text}`)}`)
}

function shortened(_name: string, value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= 110) return value
  return `${value.slice(0, 60)}… (${value.length} characters)`
}

function indented(text: string, first = '  ', others = first): string {
  return text
    .split('\n')
    .map((line, index) => ((index === 0 ? first : others) + line).trimEnd())
    .join('\n')
}
