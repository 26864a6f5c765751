import type { Command } from 'commander'
import { commandLine } from '../server/organizations/activity.ts'
import {
  describeKey,
  isScope,
  keyStatus,
  listKeys,
  maxKeys,
  type Scope,
  scopes,
} from '../server/organizations/api-keys.ts'
import { isName } from '../server/organizations/names.ts'
import { createKey, revokeApiKey } from '../server/workflows/administer.ts'
import { CommandFault, leaf, type Run } from './command.ts'
import { known } from './organization.ts'
import { printable } from './printable.ts'
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
        if (!isName(label)) throw new CommandFault('--label must be text without control characters')
        const wanted = readScopes(options.scopes)
        await known(database, options.organization)
        const change = { organizationId: options.organization, actor: commandLine }
        const made = await createKey(database, change, { label, scopes: wanted }, clock())
        if (made === 'too_many_keys') {
          throw new CommandFault(`The organization has ${maxKeys} keys in use, which is the limit. Revoke one first`)
        }
        const text = `${made.key}\n\nKept nowhere: copy it now. Id ${made.id}, scopes ${made.scopes.join(', ')}.`
        return { json: made, text }
      }),
    )

  leaf(key, 'list', 'show the keys of an organization')
    .requiredOption('--organization <id>', 'the organization, org_…')
    .option('--limit <count>', 'how many at most', '100')
    .option('--cursor <cursor>', 'where to go on: nextCursor of the list before')
    .action((options: { organization: string; limit: string; cursor?: string }) =>
      run(async ({ database, clock }) => {
        await known(database, options.organization)
        const limit = Number(options.limit)
        if (!Number.isInteger(limit) || limit < 1 || limit > 10_000) {
          throw new CommandFault('--limit must be a whole number between 1 and 10000')
        }
        const asked = { limit, ...(options.cursor !== undefined && { cursor: options.cursor }) }
        const page = await listKeys(database, options.organization, asked)
        if (page === 'invalid_cursor') throw new CommandFault('--cursor must be one that an earlier list has shown')
        const data = page.data.map(describeKey)
        const rows = data.map((one) => [
          one.id,
          one.prefix,
          keyStatus(one, clock()),
          one.lastUsedAt ?? 'never used',
          one.legacy ? 'all scopes (legacy): replace' : one.scopes.join(','),
          one.label,
        ])
        return {
          json: { data, nextCursor: page.nextCursor },
          text: table(['ID', 'KEY', 'STATUS', 'LAST USED', 'SCOPES', 'LABEL'], rows),
        }
      }),
    )

  leaf(key, 'revoke', 'refuse a key from now on')
    .requiredOption('--id <id>', 'the key, key_…')
    .action(({ id }: { id: string }) =>
      run(async ({ database, clock }) => {
        const change = { id, organizationId: 'any', actor: commandLine }
        const revoked = await revokeApiKey(database, change, clock())
        if (!revoked) throw new CommandFault(`There is no key ${id}`)
        return { json: describeKey(revoked), text: `${id} is revoked (${printable(revoked.label)})` }
      }),
    )
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
