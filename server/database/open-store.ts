import { randomBytes } from 'node:crypto'
import { type DataDirectory, lockDataDirectory, lockExistingDataDirectory } from './data-directory.ts'
import { type Database, openPostgres } from './database.ts'
import { checkDatabase, migrate } from './migrate.ts'
import { checkPooler } from './pooler.ts'
import { parsePostgresUrl } from './postgres-url.ts'

export type StoreOptions = {
  store: { engine: 'postgres'; url: string; connections: number } | { engine: 'embedded'; directory: string }
  engineToken: string | null
  secretsKey: Buffer | null
}

export type Store = {
  database: Database
  /** Null only for commands that run without them. */
  engineToken: string | null
  secretsKey: Buffer | null
  close(): Promise<void>
}

/** Opens the configured database and migrates it. */
export async function openStore(config: StoreOptions): Promise<Store> {
  return config.store.engine === 'embedded'
    ? openEmbeddedStore(config, lockDataDirectory(config.store.directory))
    : openPostgresStore(config, config.store)
}

/** The same for a single command, which creates no database: given in the wrong folder, it would work on an empty one. */
export async function openExistingStore(config: StoreOptions): Promise<Store> {
  return config.store.engine === 'embedded'
    ? openEmbeddedStore(config, lockExistingDataDirectory(config.store.directory))
    : openPostgresStore(config, config.store)
}

/** Which database this is, without its password. */
export function nameOf(store: StoreOptions['store']): string {
  if (store.engine === 'embedded') return store.directory
  const address = parsePostgresUrl(store.url)
  return 'fault' in address ? 'PostgreSQL' : address.name
}

async function openEmbeddedStore(config: StoreOptions, directory: DataDirectory): Promise<Store> {
  // A whole PostgreSQL: loaded only where it runs.
  const { openEmbedded } = await import('./embedded.ts')
  const database = await openEmbedded(directory.folder('database'))
  try {
    await migrate(database)
  } catch (error) {
    await database.close()
    throw error
  }
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
    // Not prepared: if that doesn't work here, the pooler is to blame, and the next line says so.
    await database.script('select')
    await checkPooler(store.url)
    await checkDatabase(database)
    await migrateWithoutTimeouts(store.url)
  } catch (error) {
    await database.close()
    throw error
  }
  const { engineToken, secretsKey } = config
  return { database, engineToken, secretsKey, close: () => database.close() }
}

/** A migration may take minutes if there are many rows, or if it waits for another process that migrates. */
async function migrateWithoutTimeouts(url: string): Promise<void> {
  const database = openPostgres({ url, connections: 1, unlimited: true })
  try {
    await migrate(database)
  } finally {
    await database.close()
  }
}
