import { accessSync, chmodSync, constants, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type DataDirectory = {
  /** The path of a subfolder that only this user can open, regardless of the permissions of the directory itself. */
  folder(name: string): string
  /** Reads a stored secret, or generates and stores it on first use. */
  secret(name: string, generate: () => string): string
  release(): void
}

export class DirectoryInUse extends Error {
  override name = 'DirectoryInUse'
}

/** Nobody can keep a database in it, or there is none where one has to be. */
export class DirectoryUnusable extends Error {
  override name = 'DirectoryUnusable'
}

/** Takes a directory in which a server has already created its database. */
export function lockExistingDataDirectory(path: string): DataDirectory {
  try {
    statSync(join(path, 'database', 'PG_VERSION'))
  } catch (error) {
    throw new DirectoryUnusable(isMissing(error) ? noDatabaseIn(path) : `${path} cannot be read: ${messageOf(error)}`)
  }
  const directory = lockDataDirectory(path)
  const { uid } = statSync(path)
  // Files owned by root would lock the server, which runs as another user, out of its own database.
  if (process.getuid?.() === 0 && uid !== 0) {
    directory.release()
    throw new DirectoryUnusable(`${path} belongs to user ${uid}. Run this as that user, not as root`)
  }
  return directory
}

function noDatabaseIn(path: string): string {
  return `There is no database in ${path}. Set DATABASE_URL or DATA_DIR as the server has it. Starting the server creates a database.`
}

/**
 * Locks the directory, because two processes on the same files would corrupt them. It is an operating system lock, taken
 * through SQLite for portability, so it is released however the process ends.
 */
export function lockDataDirectory(path: string): DataDirectory {
  const lock = lockIn(path)
  return {
    folder: (name) => folderIn(path, name),
    secret: (name, generate) => secretIn(path, name, generate),
    release: () => lock.close(),
  }
}

function lockIn(path: string): DatabaseSync {
  let lock: DatabaseSync | null = null
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    restrictAccess(path)
    // The lock alone can be had on a disk that is mounted read-only.
    accessSync(folderIn(path, 'database'), constants.R_OK | constants.W_OK | constants.X_OK)
    lock = new DatabaseSync(join(path, 'lock'), { timeout: 0 })
    lock.exec('begin exclusive')
    return lock
  } catch (error) {
    lock?.close()
    if (isBusy(error)) {
      throw new DirectoryInUse(`Another process is using ${path}. Stop it first, or set DATA_DIR to another directory.`)
    }
    throw new DirectoryUnusable(
      `DATA_DIR must be a directory that this user can write to. ${path} is not: ${messageOf(error)}`,
    )
  }
}

/** It contains the key to every secret, and may have been created with open permissions. */
function restrictAccess(path: string): void {
  if (process.platform === 'win32' || (statSync(path).mode & 0o077) === 0) return
  try {
    chmodSync(path, 0o700)
  } catch {
    process.emitWarning(`Other users of this machine can open ${path}: run chmod 700 on it`)
  }
}

function folderIn(directory: string, name: string): string {
  const folder = join(directory, name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

function secretIn(directory: string, name: string, generate: () => string): string {
  const file = join(directory, name)
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  const value = generate()
  // Renamed into place, so that a crash can't leave half a secret.
  writeFileSync(`${file}.new`, `${value}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return value
}

/** SQLITE_BUSY is 5. The higher bytes say more. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
