import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The options of Node that `npm start` of this checkout runs the server with. */
export function serverFlags(checkout: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'))
  return scripts.start.split(' ').filter((word: string) => word.startsWith('--'))
}
