import type { Command } from 'commander'
import type { Queryable } from '../server/database/database.ts'
import { commandLine } from '../server/organizations/activity.ts'
import { isName } from '../server/organizations/names.ts'
import {
  createOrganization,
  findOrganization,
  listOrganizations,
  type Organization,
} from '../server/organizations/organizations.ts'
import { switchOrganization } from '../server/workflows/administer.ts'
import { confirmSignOnDomain } from '../server/workflows/manage-sign-on.ts'
import { CommandFault, leaf, type PageOptions, paged, type Run, readPages } from './command.ts'
import { printable } from './printable.ts'
import { listing } from './table.ts'

export function organizationCommands(program: Command, run: Run): void {
  const organization = program.command('organization').description('organizations that use this service')

  leaf(organization, 'create', 'create an organization')
    .requiredOption('--name <name>', 'its name')
    .action(({ name }: { name: string }) =>
      run(async ({ database, clock }) => {
        const wanted = readOrganizationName(name)
        return outcome(await createOrganization(database, wanted, clock()))
      }),
    )

  paged(leaf(organization, 'list', 'list organizations, oldest first')).action((options: PageOptions) =>
    run(async ({ database }) => {
      const { data, nextCursor } = await readPages(options, (page) => listOrganizations(database, page))
      const rows = data.map(({ id, name, active }) => [id, active ? 'active' : 'inactive', name])
      const text = listing(['ID', 'STATUS', 'NAME'], rows, { none: 'No organizations yet.', nextCursor })
      return { json: { data, nextCursor }, text }
    }),
  )

  const setActive = (name: string, description: string, active: boolean) =>
    leaf(organization, name, description)
      .requiredOption('--id <id>', 'the organization, org_…')
      .action(({ id }: { id: string }) =>
        run(async ({ database, clock }) => {
          const change = { organizationId: id, actor: commandLine }
          const changed = await switchOrganization(database, change, active, clock())
          if (!changed) throw new CommandFault(`There is no organization ${id}`)
          return outcome(changed)
        }),
      )
  setActive('deactivate', 'reject all its keys with 403 until it is activated again', false)
  setActive('activate', 'accept its keys again', true)

  leaf(organization, 'confirm-domain', 'let members with addresses in this domain use its single sign-on')
    .requiredOption('--id <id>', 'the organization, org_…')
    .requiredOption('--domain <domain>', 'the domain its admin entered; check that it is theirs')
    .action(({ id, domain }: { id: string; domain: string }) =>
      run(async ({ database, clock }) => {
        await known(database, id)
        const change = { organizationId: id, actor: commandLine }
        const confirmed = await confirmSignOnDomain(database, change, domain.trim(), clock())
        if (confirmed === 'taken') throw new CommandFault(`Another organization already uses ${domain}`)
        if (confirmed === 'no_such_domain') {
          throw new CommandFault(`${id} has no single sign-on for ${domain}. An admin sets it up on the settings page`)
        }
        const { issuer } = confirmed
        const json = { id, domain: confirmed.domain, issuer }
        return { json, text: `Members with addresses in ${confirmed.domain} can now sign in at ${issuer}.` }
      }),
    )
}

export function readOrganizationName(text: string): string {
  const name = text.trim()
  if (name.length < 1 || name.length > 200) throw new CommandFault('--name must be 1 to 200 characters')
  if (!isName(name)) throw new CommandFault('--name must be text without control characters')
  return name
}

/** Stops a command that names an unknown organization. */
export async function known(database: Queryable, organizationId: string): Promise<void> {
  const found = await findOrganization(database, organizationId)
  if (!found) throw new CommandFault(`There is no organization ${organizationId}`)
}

function outcome(organization: Organization) {
  const { id, name, active } = organization
  return { json: { id, name, active }, text: `${id}  ${active ? 'active' : 'inactive'}  ${printable(name)}` }
}
