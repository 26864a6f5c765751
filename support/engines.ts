import { type Database, openPostgres } from '../server/database/database.ts'
import { migrate } from '../server/database/migrate.ts'
import { openCopyOfEmbedded } from './embedded.ts'
import { migratedTemplate } from './migrated-template.ts'
import { sharedPostgres } from './postgres.ts'

export type Engine = {
  name: 'embedded' | 'PostgreSQL'
  /** An empty database. */
  openEmpty(options?: EngineOptions): Promise<Database>
  /** A new database with the full schema. */
  open(options?: EngineOptions): Promise<Database>
}

/** The embedded database always has one connection. */
export type EngineOptions = { connections?: number }

// On a machine where everything takes ten times as long, a test that sends a hundred requests at once still passes.
const maxWaitMilliseconds = 60_000

const both: Engine[] = [
  {
    name: 'embedded',
    openEmpty: () => openCopyOfEmbedded('empty'),
    open: () => openCopyOfEmbedded('migrated'),
  },
  {
    name: 'PostgreSQL',
    async openEmpty({ connections = 10 } = {}) {
      const server = await sharedPostgres()
      return openPostgres({ url: await server.createDatabase(), connections, maxWaitMilliseconds })
    },
    async open({ connections = 10 } = {}) {
      const server = await sharedPostgres()
      const url = await server.createDatabase(await migratedTemplate(server.url))
      return openPostgres({ url, connections, maxWaitMilliseconds })
    },
  },
]

/** Both databases the service runs on. TEST_ENGINE limits a run to one of them. */
export const engines: Engine[] = both.filter(({ name }) => name === (process.env.TEST_ENGINE ?? name))

/** An engine that opens its databases with the test's own function. */
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
