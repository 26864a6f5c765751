import { type Database, openPostgres } from '../../server/database/database.ts'
import { migrate } from '../../server/database/migrate.ts'
import { openCopyOfEmbedded } from './embedded.ts'
import { sharedPostgres } from './postgres.ts'

export type Engine = {
  name: 'embedded' | 'PostgreSQL'
  /** An empty database. */
  openEmpty(): Promise<Database>
  /** A database of its own with the whole schema in it. */
  open(): Promise<Database>
}

/** Both databases the service runs on. What holds must hold on each. */
export const engines: Engine[] = [
  engine('embedded', openCopyOfEmbedded),
  engine('PostgreSQL', async () => {
    const server = await sharedPostgres()
    return openPostgres({ url: await server.createDatabase(), connections: 10 })
  }),
]

export function engine(name: Engine['name'], openEmpty: () => Promise<Database>): Engine {
  return {
    name,
    openEmpty,
    async open() {
      const database = await openEmpty()
      await migrate(database)
      return database
    },
  }
}
