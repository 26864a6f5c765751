import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { openPostgres } from '../server/database/database.ts'
import { startPostgres } from '../support/postgres.ts'

export type Machine = {
  processor: string
  cores: number
  memoryGigabytes: number
  system: string
  node: string
  postgres: string
  pglite: string
}

/** The machine and software that were measured. */
export async function describeMachine(): Promise<Machine> {
  const dependencies: Record<string, string> = JSON.parse(
    readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'),
  ).dependencies
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.versions.node,
    postgres: await postgresVersion(),
    pglite: dependencies['@electric-sql/pglite'] ?? 'unknown',
  }
}

async function postgresVersion(): Promise<string> {
  const server = await startPostgres()
  const database = openPostgres({ url: server.url, connections: 1 })
  const [row] = await database.query<{ version: string }>(sql`select current_setting('server_version') as version`)
  await database.close()
  await server.close()
  return row?.version ?? 'unknown'
}
