import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The folder of a full PostgreSQL with pg_dump, since the npm package has only the server. Null if none is installed. */
export function installedPostgres(): string | null {
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    // Debian has one folder per version, outside the PATH.
    ...globSync('/usr/lib/postgresql/*/bin').sort().reverse(),
  ]
  const needed = ['postgres', 'initdb', 'pg_dump', 'pg_restore', 'createdb', 'psql']
  return folders.find((folder) => needed.every((program) => existsSync(join(folder, program)))) ?? null
}
