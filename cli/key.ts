import type { Command } from 'commander'
import type { Database } from '../server/database/database.ts'
import {
  type ApiKey,
  isScope,
  listKeys,
  mintKey,
  revokeKey,
  type Scope,
  scopes,
} from '../server/organizations/api-keys.ts'
import { findOrganization } from '../server/organizations/organizations.ts'
import { CommandFault, leaf, type Run } from './program.ts'
import { table } from './table.ts'

export function keyCommands(program: Command, run: Run): void {
  const key = program.command('key').description('the API keys of an organization')

  leaf(key, 'create', 'make a key; it is shown once')
    .requiredOption('--organization <id>', 'the organization, org_…')
    .requiredOption('--label <label>', 'what the key is for')
    .requiredOption('--scopes <scopes>', `what it may do, joined by commas: ${scopes.join(',')}`)
    .action((options: { organization: string; label: string; scopes: string }) =>
      run(async ({ database, clock }) => {
        const label = options.label.trim()
        if (label.length < 1 || label.length > 100) throw new CommandFault('--label must have 1 to 100 characters')
        const wanted = readScopes(options.scopes)
        await known(database, options.organization)
        const made = await mintKey(
          database,
          { organizationId: options.organization, label, scopes: wanted, createdBy: 'command line' },
          clock(),
        )
        const text = `${made.key}\n\nKept nowhere: copy it now. Id ${made.id}, scopes ${made.scopes.join(', ')}.`
        return { json: made, text }
      }),
    )

  leaf(key, 'list', 'show the keys of an organization')
    .requiredOption('--organization <id>', 'the organization, org_…')
    .action((options: { organization: string }) =>
      run(async ({ database }) => {
        await known(database, options.organization)
        const data = (await listKeys(database, options.organization)).map(shown)
        const rows = data.map((one) => [
          one.id,
          one.prefix,
          one.revokedAt ? 'revoked' : 'active',
          one.lastUsedAt ?? 'never used',
          one.legacy ? 'all scopes (legacy): replace' : one.scopes.join(','),
          one.label,
        ])
        return { json: { data }, text: table(['ID', 'KEY', 'STATUS', 'LAST USED', 'SCOPES', 'LABEL'], rows) }
      }),
    )

  leaf(key, 'revoke', 'refuse a key from now on')
    .requiredOption('--id <id>', 'the key, key_…')
    .action(({ id }: { id: string }) =>
      run(async ({ database, clock }) => {
        const revoked = await revokeKey(database, id, clock())
        if (!revoked) throw new CommandFault(`There is no key ${id}`)
        return { json: shown(revoked), text: `${id} is revoked (${revoked.label})` }
      }),
    )
}

async function known(database: Database, organizationId: string): Promise<void> {
  const found = await findOrganization(database, organizationId)
  if (!found) throw new CommandFault(`There is no organization ${organizationId}`)
}

function readScopes(text: string): Scope[] {
  const names = text.split(',').map((name) => name.trim())
  const wanted = names.filter((name) => name !== '')
  if (wanted.length === 0) throw new CommandFault(`A key needs at least one scope: ${scopes.join(', ')}`)
  return [...new Set(wanted)].map((name) => {
    if (!isScope(name)) throw new CommandFault(`There is no scope ${name}. The scopes are ${scopes.join(', ')}`)
    return name
  })
}

/** A key as it may be seen at any time. */
function shown(key: ApiKey) {
  const { id, label, createdBy, createdAt, lastUsedAt, revokedAt } = key
  const prefix = `service_live_${key.publicId}`
  return {
    id,
    label,
    prefix,
    scopes: key.scopes ?? scopes,
    legacy: key.scopes === null,
    createdBy,
    createdAt,
    lastUsedAt,
    revokedAt,
  }
}
