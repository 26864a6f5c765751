import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The options that `npm start` of a checkout passes to Node. */
export function serverFlags(checkout: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'))
  return scripts.start.split(' ').filter((word: string) => word.startsWith('--'))
}
