import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { type Database, openPostgres } from '../server/database/database.ts'
import { openEmbedded } from '../server/database/embedded.ts'
import { migrate } from '../server/database/migrate.ts'
import { createOrReuseTemplate } from '../server/interviews/templates.ts'
import { scopes } from '../server/organizations/api-keys.ts'
import { createOrganization } from '../server/organizations/organizations.ts'
import type { Call } from './load.ts'

export type Environment = Record<string, string>

export type Prepared = {
  takeKey: () => string
  calls: Record<string, Call>
  /** How each server is started. */
  bare: Environment
  sharing: Environment
  ours: Environment
}

/** One database for all servers: they take turns, so neither ever waits for the other. */
export async function preparePostgres(url: string): Promise<Prepared> {
  const database = openPostgres({ url, connections: 1 })
  const data = await fill(database)
  await database.close()
  const environment = {
    DATABASE_URL: url,
    ENGINE_TOKEN: 'bench-'.repeat(8),
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
  }
  return { ...data, bare: environment, sharing: environment, ours: environment }
}

/** An embedded database belongs to one process, so each server gets its own copy of the same files. */
export async function prepareEmbedded(directory: string): Promise<Prepared> {
  const bare = join(directory, 'bare')
  const sharing = join(directory, 'sharing')
  const ours = join(directory, 'ours')
  await mkdir(bare)
  const database = await openEmbedded(join(bare, 'database'))
  const data = await fill(database)
  await database.close()
  for (const copy of [sharing, ours]) await cp(bare, copy, { recursive: true })
  return { ...data, bare: { DATA_DIR: bare }, sharing: { DATA_DIR: sharing }, ours: { DATA_DIR: ours } }
}

const now = new Date('2026-01-02T03:04:05.678Z')

// Enough that even at 10,000 requests a second, 100 with each key, no key is reused within its minute.
const keyCount = 12_000

async function fill(database: Database): Promise<Pick<Prepared, 'takeKey' | 'calls'>> {
  await migrate(database)
  const organization = await createOrganization(database, 'Bench', now)
  const names = Array.from({ length: keyCount }, (_, index) => String(index).padStart(16, '0'))
  const keys = names.map((name) => `service_live_${name}.${name.padStart(43, 'x')}`)
  await database.query(sql`
    insert into api_keys (id, organization_id, public_id, hash, label, scopes, created_by, created_at)
    select 'key_' || name, ${organization.id}, name, sha256(convert_to(key, 'UTF8')), 'bench', ${[...scopes]}, 'bench',
      ${now}::timestamptz
    from unnest(${names}::text[], ${keys}::text[]) as made (name, key)`)

  const fields = {
    title: 'Backend engineer',
    description: 'A conversation about services, queues and databases.',
    externalPostingId: 'job-4711',
  }
  const { template } = await createOrReuseTemplate(database, organization.id, fields, now)
  await database.script('analyze')
  let taken = 0
  return {
    takeKey() {
      const key = keys[taken++ % keys.length]
      if (key === undefined) throw new Error('There are no keys')
      return key
    },
    calls: {
      'GET /v1/templates/{id}': { method: 'GET', path: `/v1/templates/${template.id}` },
      'POST /v1/templates (reuse)': { method: 'POST', path: '/v1/templates', body: JSON.stringify(fields) },
    },
  }
}
