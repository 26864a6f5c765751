import { readFileSync } from 'node:fs'
import { CommandFault } from './command.ts'

/**
 * Arguments show in the list of processes, so each of these can come from a file, or from standard input as `-`. Read here,
 * where the command was given: the server that may run it has neither the working directory nor the input.
 */
export function readSecretFiles([argument, ...rest]: string[]): string[] {
  if (argument === undefined) return []
  const [, option, , inline] = /^--(password|secret)-file(=(.*))?$/s.exec(argument) ?? []
  if (option === undefined) return [argument, ...readSecretFiles(rest)]
  const [file, ...others] = inline === undefined ? rest : [inline, ...rest]
  if (file === undefined) throw new CommandFault(`option '--${option}-file <file>' argument missing`)
  return [`--${option}=${contentOf(file, option)}`, ...readSecretFiles(others)]
}

/** For the usage: by the time a command runs, the option itself has taken its place. */
export function secretFileOption(option: 'password' | 'secret'): [flags: string, description: string] {
  return [`--${option}-file <file>`, 'the same from a file, or from standard input with -']
}

function contentOf(file: string, option: string): string {
  try {
    // One line break at the end is the editor's, not the secret's.
    return readFileSync(file === '-' ? 0 : file, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new CommandFault(`--${option}-file cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}
