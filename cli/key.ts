import type { Command } from 'commander'
import { commandLine } from '../server/organizations/activity.ts'
import { isScope, listKeys, type Scope, scopes, shownKey } from '../server/organizations/api-keys.ts'
import { createKey, withdrawKey } from '../server/workflows/administer.ts'
import { CommandFault, leaf, type Run } from './command.ts'
import { known } from './organization.ts'
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
        const change = { organizationId: options.organization, actor: commandLine }
        const made = await createKey(database, change, { label, scopes: wanted }, clock())
        const text = `${made.key}\n\nKept nowhere: copy it now. Id ${made.id}, scopes ${made.scopes.join(', ')}.`
        return { json: made, text }
      }),
    )

  leaf(key, 'list', 'show the keys of an organization')
    .requiredOption('--organization <id>', 'the organization, org_…')
    .action((options: { organization: string }) =>
      run(async ({ database }) => {
        await known(database, options.organization)
        const data = (await listKeys(database, options.organization)).map(shownKey)
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
        const change = { id, organizationId: 'any', actor: commandLine }
        const revoked = await withdrawKey(database, change, clock())
        if (!revoked) throw new CommandFault(`There is no key ${id}`)
        return { json: shownKey(revoked), text: `${id} is revoked (${revoked.label})` }
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
