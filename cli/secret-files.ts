import { readFileSync } from 'node:fs'
import { CommandFault } from './command.ts'

/**
 * Arguments show up in the process list, so each of these can come from a file, or from standard input with `-`. They are
 * read here because a server that runs the command has neither the working directory nor the input. The URL of a chat
 * webhook is a secret, too.
 */
export function readSecretFiles([argument, ...rest]: string[]): string[] {
  if (argument === undefined) return []
  const [, option, , inline] = /^--(password|secret|url)-file(=(.*))?$/s.exec(argument) ?? []
  if (option === undefined) return [argument, ...readSecretFiles(rest)]
  const [file, ...others] = inline === undefined ? rest : [inline, ...rest]
  if (file === undefined) throw new CommandFault(`option '--${option}-file <file>' argument missing`)
  return [`--${option}=${contentOf(file, option)}`, ...readSecretFiles(others)]
}

/** Only for the help: by the time a command runs, this was replaced by the option itself. */
export function secretFileOption(option: 'password' | 'secret' | 'url'): [flags: string, description: string] {
  return [`--${option}-file <file>`, 'read it from a file, or from standard input with -']
}

function contentOf(file: string, option: string): string {
  try {
    // A line break at the end belongs to the editor, not to the secret.
    return readFileSync(file === '-' ? 0 : file, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new CommandFault(`can’t read --${option}-file: ${error instanceof Error ? error.message : error}`)
  }
}
