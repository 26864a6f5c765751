import type { Engine } from '../../support/engines.ts'
import { sharedPostgres } from '../../support/postgres.ts'
import { postgresEnvironment, startServer, temporaryFolder } from '../../support/process.ts'
import type { StartTarget } from './run.ts'

/** The real server with everything it can be asked for, on a database of its own. */
export function serverOn(engine: Engine['name']): StartTarget {
  return async (environment) => {
    const settings = { ...environment, SANDBOX: 'true', LOG_LEVEL: 'error' }
    if (engine === 'PostgreSQL') {
      const postgres = await sharedPostgres()
      const database = await postgres.createDatabase()
      const server = await startServer({ ...settings, ...postgresEnvironment(database) })
      return { port: server.port, ended: server.ended, stop: () => server.stop() }
    }
    const folder = await temporaryFolder()
    const server = await startServer({ ...settings, DATA_DIR: folder.path })
    return {
      port: server.port,
      ended: server.ended,
      async stop() {
        await server.stop()
        await folder[Symbol.asyncDispose]()
      },
    }
  }
}
