import type { Command } from 'commander'
import { commandLine } from '../server/organizations/activity.ts'
import { isMemberEmail } from '../server/organizations/members.ts'
import type { Services } from '../server/services.ts'
import { createFirstAdmin } from '../server/workflows/create-first-admin.ts'
import { CommandFault, leaf, type Outcome, type Run } from './command.ts'
import { readOrganizationName } from './organization.ts'

type Options = { name: string; email: string }

/** Safe to repeat, so that a container can run it before every start. */
export function setupCommand(program: Command, run: Run): void {
  leaf(program, 'setup', 'create the first organization and its admin; does nothing if there is one already')
    .requiredOption('--name <name>', 'the organization’s name')
    .requiredOption('--email <address>', 'the address the admin signs in with')
    .action((options: Options) => run((services) => setUp(services, options)))
}

async function setUp({ database, config, clock }: Services, options: Options): Promise<Outcome> {
  const organizationName = readOrganizationName(options.name)
  const email = options.email.trim().toLowerCase()
  if (!isMemberEmail(email)) throw new CommandFault('--email must be an email address such as ada@example.com')
  const admin = { organizationName, email, name: email, actor: commandLine }
  const created = await database.transaction((transaction) => createFirstAdmin(transaction, admin, clock()))
  if (!created) return { json: { created: false }, text: 'Already set up. Nothing was changed.' }
  const { organizationId, password } = created
  const text = `Created ${organizationId} and its first admin.

  Settings  ${config.appUrl}/settings
  Email     ${email}
  Password  ${password}

Copy the password now. You won't see it again.`
  return { json: { created: true, organizationId, email, password }, text }
}
