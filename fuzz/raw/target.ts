import type { Engine } from '../../support/engines.ts'
import { sharedPostgres } from '../../support/postgres.ts'
import { type ExitResult, postgresEnvironment, startServer, temporaryFolder } from '../../support/process.ts'
/** A server under test. */
export type Target = {
  port: number
  ended: Promise<ExitResult>
  stop(): Promise<unknown>
}

/** Starts a server in its own process with these environment variables, which make it report to the monitor. */
export type StartTarget = (environment: Record<string, string>) => Promise<Target>

/** The real server with all its routes, on its own database. */
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
