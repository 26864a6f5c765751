import { Client } from 'pg'
import { openPostgres } from '../server/database/database.ts'
import { migrate } from '../server/database/migrate.ts'

// Any number works: nothing else takes locks in a test server's maintenance database.
const lockId = 24_710

let template: Promise<string> | undefined

/** The name of a fully migrated database on the shared server, to copy from. The first caller creates it. */
export function migratedTemplate(serverUrl: string): Promise<string> {
  template ??= createTemplate(serverUrl)
  return template
}

async function createTemplate(serverUrl: string): Promise<string> {
  const name = 'migrated'
  const client = new Client(serverUrl)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockId])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) {
      // Gets its final name only once it is complete: this process may be killed at any moment.
      await client.query('drop database if exists migrating with (force)')
      await client.query('create database migrating template template0')
      const database = openPostgres({
        url: Object.assign(new URL(serverUrl), { pathname: '/migrating' }).href,
        connections: 1,
      })
      await migrate(database).finally(() => database.close())
      await client.query(`alter database migrating rename to ${name}`)
    }
    return name
  } finally {
    await client.end()
  }
}
