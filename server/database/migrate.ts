import { readdir, readFile } from 'node:fs/promises'
import sql from 'sql-template-tag'
import type { Database, Queryable } from './database.ts'

const directory = new URL('./migrations/', import.meta.url)

// Arbitrary, but no other program may lock the same number in this database.
const lockId = 712_604_551

/**
 * Forward only; safe if several processes start at once. One transaction per file: together they would lock table after
 * table until the last one is done, and deadlock with the statements of processes that are still running.
 */
export async function migrate(database: Database): Promise<void> {
  while (await database.transaction(applyNext)) {}
}

/** False if there is nothing left to apply. */
async function applyNext(transaction: Queryable): Promise<boolean> {
  // Overrides timeouts set on the server: a migration that timed out would time out at every start.
  await transaction.script('set local statement_timeout = 0; set local lock_timeout = 0')
  await transaction.query(sql`select pg_advisory_xact_lock(${lockId})`)
  await transaction.script(`create table if not exists schema_migrations (
    name text primary key,
    applied_at timestamptz not null default now()
  )`)
  const [name] = await missingMigrations(transaction)
  if (name === undefined) return false
  await transaction.script(await readFile(new URL(name, directory), 'utf8'))
  await transaction.query(sql`insert into schema_migrations (name) values (${name})`)
  return true
}

export async function missingMigrations(database: Queryable): Promise<string[]> {
  const applied = await appliedNames(database)
  return (await migrationNames()).filter((name) => !applied.has(name))
}

/** A database that the service can't work with. */
export class UnsuitableDatabase extends Error {
  override name = 'UnsuitableDatabase'
}

export async function checkDatabase(database: Queryable): Promise<void> {
  const [found] = await database.query<{ version: string; encoding: string }>(sql`
    select current_setting('server_version') as version, current_setting('server_encoding') as encoding`)
  if ((await serverVersion(database)) < 140_000) {
    throw new UnsuitableDatabase(
      `DATABASE_URL leads to PostgreSQL ${found?.version}. The service needs PostgreSQL 14 or newer.`,
    )
  }
  if (found?.encoding !== 'UTF8') {
    throw new UnsuitableDatabase(
      `The database in DATABASE_URL has the encoding ${found?.encoding}. Create one with: createdb --template template0 --encoding UTF8`,
    )
  }
}

/** 140005 is 14.5. */
export async function serverVersion(database: Queryable): Promise<number> {
  const [row] = await database.query<{ version: number }>(
    sql`select current_setting('server_version_num')::int as version`,
  )
  return row?.version ?? 0
}

async function migrationNames(): Promise<string[]> {
  return (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
}

async function appliedNames(database: Queryable): Promise<Set<string>> {
  const rows = await database.query<{ name: string }>(sql`select name from schema_migrations`)
  return new Set(rows.map((row) => row.name))
}
