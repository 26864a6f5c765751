import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A folder with a whole PostgreSQL, pg_dump and all: the package from npm has only the server. Null where there is none. */
export function installedPostgres(): string | null {
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    // Debian keeps them out of the PATH, one folder for each version.
    ...globSync('/usr/lib/postgresql/*/bin').sort().reverse(),
  ]
  const needed = ['postgres', 'initdb', 'pg_dump', 'pg_restore', 'createdb', 'psql']
  return folders.find((folder) => needed.every((program) => existsSync(join(folder, program)))) ?? null
}
