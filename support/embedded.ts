import { createHash } from 'node:crypto'
import { cpSync, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../server/database/database.ts'
import { openEmbedded } from '../server/database/embedded.ts'
import { migrate } from '../server/database/migrate.ts'

/**
 * An embedded database in its own folder, which is deleted on close. Creating one from scratch takes seconds of CPU, so
 * that happens once; later databases are copies.
 */
export async function openCopyOfEmbedded(content: 'empty' | 'migrated'): Promise<Database> {
  const directory = await copyEmbedded(content)
  const database = await openEmbedded(directory)
  return {
    ...database,
    async close() {
      await database.close()
      await rm(directory, { recursive: true })
    },
  }
}

/** The folder of a new embedded database. */
export async function copyEmbedded(content: 'empty' | 'migrated'): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'embedded-'))
  // cp() takes seven times the CPU for a thousand small files.
  cpSync(await cachedDatabase(content), directory, { recursive: true })
  return directory
}

const cache = join(import.meta.dirname, '../node_modules/.cache/embedded-database')

async function cachedDatabase(content: 'empty' | 'migrated'): Promise<string> {
  const version = await engineVersion()
  const path = join(cache, content === 'empty' ? version : `${version}-${await schemaDigest()}`)
  if (existsSync(path)) return path
  await mkdir(cache, { recursive: true })
  const staging = await mkdtemp(join(cache, 'staging-'))
  if (content === 'migrated') cpSync(await cachedDatabase('empty'), join(staging, 'database'), { recursive: true })
  const database = await openEmbedded(join(staging, 'database'))
  if (content === 'migrated') await migrate(database)
  else await database.script('select 1')
  await database.close()
  // Another process may have finished first; its copy is just as good.
  await rename(join(staging, 'database'), path).catch((error) => {
    if (!existsSync(path)) throw error
  })
  await rm(staging, { recursive: true })
  return path
}

async function engineVersion(): Promise<string> {
  const file = findPackageJSON('@electric-sql/pglite', import.meta.url)
  if (file === undefined) throw new Error('The embedded database is not installed')
  const { version }: { version: string } = JSON.parse(await readFile(file, 'utf8'))
  return version
}

const migrations = join(import.meta.dirname, '../server/database/migrations')

async function schemaDigest(): Promise<string> {
  const names = (await readdir(migrations)).sort()
  const texts = await Promise.all(names.map((name) => readFile(join(migrations, name), 'utf8')))
  return createHash('sha256')
    .update(JSON.stringify([names, texts]))
    .digest('hex')
    .slice(0, 16)
}
