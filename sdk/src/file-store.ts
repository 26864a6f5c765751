import { createHash, randomUUID } from 'node:crypto'
import { access, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEvent } from './event.ts'
import type { ResultStore } from './store.ts'
import type { ResultCompleted } from './types.ts'

/** A write takes milliseconds, and the service waits five seconds for it. */
const leftoverAge = 10 * 60_000

/**
 * Stores events in a folder that belongs to one process and that only its user can read: a file with the whole event
 * until it is processed, an empty one afterwards. An event is on disk before the response is sent. A damaged file is
 * renamed to end in `.bad`; `reconcile` then finds its result missing.
 */
export async function openFileStore(directory: string): Promise<ResultStore> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await removeLeftovers(directory)
  /** What this process is working on, from the moment it starts to write it. */
  const running = new Map<string, Promise<boolean>>()

  const eventFile = (resultId: string) => join(directory, `${nameOf(resultId)}.event`)
  const doneFile = (resultId: string) => join(directory, `${nameOf(resultId)}.done`)

  async function store(event: ResultCompleted): Promise<boolean> {
    if (await exists(doneFile(event.resultId))) return false
    if (!(await exists(eventFile(event.resultId))))
      await write(directory, eventFile(event.resultId), JSON.stringify(event))
    return true
  }

  return {
    async add(event) {
      const { resultId } = event
      const other = running.get(resultId)
      if (other) {
        // This response promises as much as the first one, so it waits until the event is on disk too.
        await other
        return false
      }
      const storing = store(event)
      running.set(resultId, storing)
      const mine = await storing.catch((error: unknown) => {
        running.delete(resultId)
        throw error
      })
      if (!mine) running.delete(resultId)
      return mine
    },
    async done(resultId) {
      await write(directory, doneFile(resultId), '')
      await rm(eventFile(resultId), { force: true })
      running.delete(resultId)
    },
    async failed(resultId) {
      running.delete(resultId)
    },
    async *unfinished() {
      await removeLeftovers(directory)
      const files = (await readdir(directory)).filter((file) => file.endsWith('.event'))
      const problems: string[] = []
      for (const file of files) {
        const read = await readEvent(join(directory, file))
        if ('problem' in read) {
          const name = read.problem === 'not an event' ? await setAside(directory, file) : file
          // Missing: processed since the folder was listed.
          if (read.problem !== 'ENOENT') problems.push(`${name} (${read.problem})`)
          continue
        }
        const { event } = read
        if (running.has(event.resultId)) continue
        running.set(event.resultId, Promise.resolve(true))
        if (await exists(doneFile(event.resultId))) {
          await rm(join(directory, file), { force: true })
          running.delete(event.resultId)
        } else yield event
      }
      // Last, so that the others are processed. The names only: what a file holds is about a person.
      if (problems.length > 0) throw new Error(`Could not be read: ${problems.join(', ')}`)
    },
    async has(resultId) {
      return (await exists(doneFile(resultId))) || (await exists(eventFile(resultId)))
    },
  }
}

/** Returns its new name, or the old one if it can't be renamed. */
async function setAside(directory: string, file: string): Promise<string> {
  const aside = `${file}.bad`
  return rename(join(directory, file), join(directory, aside)).then(
    () => aside,
    () => file,
  )
}

/** Result IDs are safe file names. Anything else is hashed into one. */
function nameOf(resultId: string): string {
  if (/^[a-z0-9_]{1,100}$/.test(resultId)) return resultId
  return `other-${createHash('sha256').update(resultId).digest('hex')}`
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** Written under another name first, so a file that exists is complete. */
async function write(directory: string, path: string, text: string): Promise<void> {
  const temporary = join(directory, `${randomUUID()}.part`)
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    // It holds a person's data, and would keep a full disk full.
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
  // Without this a power cut can undo the rename. Windows cannot sync a folder.
  const folder = await open(directory, 'r').catch(() => null)
  await folder?.sync().catch(() => {})
  await folder?.close()
}

/**
 * Deletes what a crash left half written. During a restart the previous process may still be writing, so a recent file
 * stays until next time.
 */
async function removeLeftovers(directory: string): Promise<void> {
  const files = (await readdir(directory)).filter((file) => /^[0-9a-f-]{36}\.part$/.test(file))
  for (const file of files) {
    const path = join(directory, file)
    const written = await stat(path).catch(() => null)
    // Next time, if somebody else holds it.
    if (written && Date.now() - written.mtimeMs > leftoverAge) await rm(path, { force: true }).catch(() => {})
  }
}

async function readEvent(path: string): Promise<{ event: ResultCompleted } | { problem: string }> {
  try {
    const parsed = parseEvent(JSON.parse(await readFile(path, 'utf8')))
    return 'event' in parsed ? parsed : { problem: 'not an event' }
  } catch (error) {
    // Otherwise it is no JSON.
    const isFromDisk = error instanceof Error && 'code' in error
    return { problem: isFromDisk ? String(error.code) : 'not an event' }
  }
}
