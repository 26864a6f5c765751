import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openEmbedded } from '../../server/database/database.ts'

/**
 * An empty embedded database in a folder of its own, which goes when it is closed. Making one from nothing keeps a
 * processor busy for seconds, so that is done once and copied from then on.
 */
export async function openCopyOfEmbedded(): Promise<Database> {
  const directory = await mkdtemp(join(tmpdir(), 'embedded-'))
  await cp(await prepared(), directory, { recursive: true })
  const database = openEmbedded(directory)
  return {
    ...database,
    async close() {
      await database.close()
      await rm(directory, { recursive: true })
    },
  }
}

const cache = join(import.meta.dirname, '../../node_modules/.cache/embedded-database')

async function prepared(): Promise<string> {
  const path = join(cache, await engineVersion())
  if (existsSync(path)) return path
  await mkdir(cache, { recursive: true })
  const making = await mkdtemp(join(cache, 'making-'))
  const database = openEmbedded(join(making, 'database'))
  await database.script('select 1')
  await database.close()
  // Another process may have been quicker; what it made is just as good.
  await rename(join(making, 'database'), path).catch((error) => {
    if (!existsSync(path)) throw error
  })
  await rm(making, { recursive: true })
  return path
}

async function engineVersion(): Promise<string> {
  const file = findPackageJSON('@electric-sql/pglite', import.meta.url)
  if (file === undefined) throw new Error('The embedded database is not installed')
  const { version }: { version: string } = JSON.parse(await readFile(file, 'utf8'))
  return version
}
