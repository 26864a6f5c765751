import { PGlite } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import { DirectoryUnusable } from './data-directory.ts'
import { createDatabase, type Database } from './database.ts'

/** PostgreSQL inside this process, with its files under `directory`, or in memory without one. */
export async function openEmbedded(directory?: string): Promise<Database> {
  const engine = new PGlite(directory)
  // Asked here: from inside the pool, a database that cannot be opened would end the process.
  await engine.waitReady.catch((error: Error) => {
    throw new DirectoryUnusable(
      `The database in ${directory} cannot be opened (${error.message}). Check that the disk has room, or restore a backup.`,
    )
  })
  const database = createDatabase({ ...createPgConfig(engine), max: 1, idleTimeoutMillis: 0 })
  return {
    ...database,
    async close() {
      await database.close()
      // The pool only closes its connection. The engine must shut down too, or every start begins with a recovery.
      await engine.close()
    },
  }
}
