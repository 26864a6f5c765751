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
import { CommandFault, leaf, type PageOptions, paged, type Run, readPages } from './command.ts'
import { known } from './organization.ts'
import { printable } from './printable.ts'
import { listing } from './table.ts'

export function keyCommands(program: Command, run: Run): void {
  const key = program.command('key').description('an organization’s API keys')

  leaf(key, 'create', 'create a key and print it once')
    .requiredOption('--organization <id>', 'the organization, org_…')
    .requiredOption('--label <label>', 'what the key is for')
    .requiredOption('--scopes <scopes>', `its permissions, separated by commas: ${scopes.join(',')}`)
    .action((options: { organization: string; label: string; scopes: string }) =>
      run(async ({ database, clock }) => {
        const label = options.label.trim()
        if (label.length < 1 || label.length > 100) throw new CommandFault('--label must be 1 to 100 characters')
        if (!isName(label)) throw new CommandFault('--label must be text without control characters')
        const wanted = readScopes(options.scopes)
        await known(database, options.organization)
        const change = { organizationId: options.organization, actor: commandLine }
        const made = await createKey(database, change, { label, scopes: wanted }, clock())
        if (made === 'too_many_keys') {
          throw new CommandFault(`The organization has ${maxKeys} keys in use, which is the limit. Revoke one first`)
        }
        const text = `${made.key}\n\nCopy it now. You won't see it again. ID ${made.id}, scopes ${made.scopes.join(', ')}.`
        return { json: made, text }
      }),
    )

  paged(leaf(key, 'list', 'list an organization’s keys'))
    .requiredOption('--organization <id>', 'the organization, org_…')
    .action((options: PageOptions & { organization: string }) =>
      run(async ({ database, clock }) => {
        await known(database, options.organization)
        const { data: keys, nextCursor } = await readPages(options, (page) =>
          listKeys(database, options.organization, page),
        )
        const data = keys.map(describeKey)
        const rows = data.map((one) => [
          one.id,
          one.prefix,
          keyStatus(one, clock()),
          one.lastUsedAt ?? 'never used',
          one.legacy ? 'all scopes (legacy): replace' : one.scopes.join(','),
          one.label,
        ])
        const headings = ['ID', 'KEY', 'STATUS', 'LAST USED', 'SCOPES', 'LABEL']
        return { json: { data, nextCursor }, text: listing(headings, rows, { none: 'No keys yet.', nextCursor }) }
      }),
    )

  leaf(key, 'revoke', 'revoke a key, immediately and for good')
    .requiredOption('--id <id>', 'the key, key_…')
    .action(({ id }: { id: string }) =>
      run(async ({ database, clock }) => {
        const change = { id, organizationId: null, actor: commandLine }
        const revoked = await revokeApiKey(database, change, clock())
        if (!revoked) throw new CommandFault(`There is no key ${id}`)
        return { json: describeKey(revoked), text: `Revoked ${id} (${printable(revoked.label)}).` }
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
