import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type DataDirectory = {
  /** The path of a folder in it that nobody else may enter, whoever may enter the directory itself. */
  folder(name: string): string
  /** A secret kept beside the data: made by `make` the first time, the same ever after. */
  secret(name: string, make: () => string): string
  release(): void
}

/** Another process has the directory. */
export class DirectoryInUse extends Error {
  override name = 'DirectoryInUse'
}

/**
 * Takes the directory for this process alone, or says that another one has it: two on the same files would destroy them.
 * The lock is the operating system's own (SQLite asks for it portably), so it ends with the process, however that ends.
 */
export function takeDataDirectory(path: string): DataDirectory {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const lock = new DatabaseSync(join(path, 'lock'), { timeout: 0 })
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if (!(error instanceof Error && error.message.includes('locked'))) throw error
    throw new DirectoryInUse(`Another process is using ${path}. Stop it first, or set DATA_DIR to another directory.`)
  }
  return {
    folder: (name) => folderIn(path, name),
    secret: (name, make) => secretIn(path, name, make),
    release: () => lock.close(),
  }
}

function folderIn(directory: string, name: string): string {
  const folder = join(directory, name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

function secretIn(directory: string, name: string, make: () => string): string {
  const file = join(directory, name)
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
  const value = make()
  // Renamed into place whole: a crash in the middle leaves no half of a secret.
  writeFileSync(`${file}.new`, `${value}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return value
}
