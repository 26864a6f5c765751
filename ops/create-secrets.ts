/** Creates the secrets of a Compose installation in a folder. Existing ones stay, so it can run before every start. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Usage: node ops/create-secrets.ts <folder>')

create('engine-token', () => randomBytes(32).toString('hex'))
create('secrets-key', () => randomBytes(32).toString('base64'))
// PostgreSQL runs as another user in its own container and has to read this one.
const password = create('postgres-password', () => randomBytes(24).toString('hex'), 0o644)
create('database-url', () => `postgres://interviews:${password}@postgres:5432/interviews`)

function create(name: string, value: () => string, mode = 0o600): string {
  const path = join(String(folder), name)
  if (!existsSync(path)) writeFileSync(path, value(), { mode, flag: 'wx' })
  return readFileSync(path, 'utf8')
}
