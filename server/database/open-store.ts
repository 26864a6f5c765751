import { randomBytes } from 'node:crypto'
import { takeDataDirectory } from './data-directory.ts'
import { type Database, openEmbedded, openPostgres } from './database.ts'
import { migrate, serverVersion } from './migrate.ts'

export type StoreOptions = {
  store: { engine: 'postgres'; url: string; connections: number } | { engine: 'embedded'; directory: string }
  engineToken: string | null
  secretsKey: Buffer | null
}

export type Store = {
  database: Database
  /** Null only for single commands that were not given them. */
  engineToken: string | null
  secretsKey: Buffer | null
  close(): Promise<void>
}

/** Opens the database that the configuration names, with its schema brought up to date. */
export async function openStore(config: StoreOptions): Promise<Store> {
  return config.store.engine === 'embedded'
    ? openEmbeddedStore(config, config.store.directory)
    : openPostgresStore(config, config.store)
}

async function openEmbeddedStore(config: StoreOptions, path: string): Promise<Store> {
  const directory = takeDataDirectory(path)
  const database = openEmbedded(directory.folder('database'))
  await migrate(database)
  return {
    database,
    engineToken: config.engineToken ?? directory.secret('engine-token', () => randomBytes(32).toString('base64url')),
    secretsKey:
      config.secretsKey ??
      Buffer.from(
        directory.secret('secrets-key', () => randomBytes(32).toString('base64')),
        'base64',
      ),
    async close() {
      await database.close()
      directory.release()
    },
  }
}

async function openPostgresStore(config: StoreOptions, store: { url: string; connections: number }): Promise<Store> {
  const database = openPostgres(store)
  try {
    const version = await serverVersion(database)
    if (version < 140_000) throw new Error('PostgreSQL 14 or newer is needed; this one is older')
    await migrateUnhurried(store.url)
  } catch (error) {
    await database.close()
    throw error
  }
  const { engineToken, secretsKey } = config
  return { database, engineToken, secretsKey, close: () => database.close() }
}

/** On a connection of its own: with many rows, or behind another process that migrates, it may take minutes. */
async function migrateUnhurried(url: string): Promise<void> {
  const database = openPostgres({ url, connections: 1, unhurried: true })
  try {
    await migrate(database)
  } finally {
    await database.close()
  }
}
