import pg from 'pg'
import { DatabaseUnavailable } from './failures.ts'
import type { PrimaryFinder } from './primary.ts'

/** Lets the connections of a pool follow the primary. */
export function followPrimary(primary: PrimaryFinder, settings: pg.ClientConfig) {
  /** Connects to whichever server is the primary when the connection is opened. */
  class PrimaryClient extends pg.Client {
    readonly server: string

    constructor() {
      const server = primary.current()
      super({ ...settings, connectionString: server })
      this.server = server
    }
  }
  const isOutdated = (client: pg.ClientBase) => client instanceof PrimaryClient && client.server !== primary.current()

  return {
    Client: PrimaryClient,
    isOutdated,
    /** A former primary may be gone without a word, or read-only: its connections must not be used again. */
    dropOutdated(pool: pg.Pool) {
      const open = new Set<pg.PoolClient>()
      pool.on('acquire', (client) => open.add(client))
      pool.on('remove', (client) => open.delete(client))
      primary.onMoved(() => {
        for (const client of [...open].filter(isOutdated)) {
          // The pool removes an idle connection that has an error. One in use breaks off, and its statement fails.
          client.emit('error', new DatabaseUnavailable('another server has become the primary'))
          void client.end().catch(() => {})
        }
      })
    },
  }
}
