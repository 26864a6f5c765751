import { type Database, openEmbedded, openPostgres } from '../../server/database/database.ts'
import { migrate } from '../../server/database/migrate.ts'
import { sharedPostgres } from './postgres.ts'

export type Engine = { name: 'embedded' | 'PostgreSQL'; open(): Promise<Database> }

/** Both databases the service runs on. What holds must hold on each. */
export const engines: Engine[] = [
  {
    name: 'embedded',
    async open() {
      const database = openEmbedded()
      await migrate(database)
      return database
    },
  },
  {
    name: 'PostgreSQL',
    async open() {
      const server = await sharedPostgres()
      const database = openPostgres({ url: await server.createDatabase(), connections: 10 })
      await migrate(database)
      return database
    },
  },
]
