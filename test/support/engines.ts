import { type Database, openPostgres } from '../../server/database/database.ts'
import { migrate } from '../../server/database/migrate.ts'
import { openCopyOfEmbedded } from './embedded.ts'
import { sharedPostgres } from './postgres.ts'

export type Engine = {
  name: 'embedded' | 'PostgreSQL'
  /** An empty database. */
  openEmpty(options?: EngineOptions): Promise<Database>
  /** A database of its own with the whole schema in it. */
  open(options?: EngineOptions): Promise<Database>
}

/** How many connections there are; the embedded database has one in any case. */
export type EngineOptions = { connections?: number }

/** Both databases the service runs on. What holds must hold on each. */
export const engines: Engine[] = [
  engine('embedded', openCopyOfEmbedded),
  engine('PostgreSQL', async ({ connections = 10 } = {}) => {
    const server = await sharedPostgres()
    return openPostgres({ url: await server.createDatabase(), connections })
  }),
]

export function engine(name: Engine['name'], openEmpty: Engine['openEmpty']): Engine {
  return {
    name,
    openEmpty,
    async open(options) {
      const database = await openEmpty(options)
      await migrate(database)
      return database
    },
  }
}
