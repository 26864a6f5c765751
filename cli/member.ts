import type { Command } from 'commander'
import {
  hashPassword,
  maxPasswordLength,
  minPasswordLength,
  newPassword,
  passwordFault,
} from '../server/auth/passwords.ts'
import { commandLine } from '../server/organizations/activity.ts'
import {
  addMember,
  findUser,
  isMemberEmail,
  listMembers,
  type Role,
  removeMember,
  roles,
  setPassword,
} from '../server/organizations/members.ts'
import { isName } from '../server/organizations/names.ts'
import type { Services } from '../server/services.ts'
import { CommandFault, leaf, type Outcome, type Run } from './command.ts'
import { known } from './organization.ts'
import { secretFileOption } from './secret-files.ts'
import { listing } from './table.ts'

type Added = { organization: string; email: string; password?: string; role: string; name?: string }

export function memberCommands(program: Command, run: Run): void {
  const member = program.command('member').description('people who can sign in to the settings page')

  leaf(member, 'add', 'add a member, or change a member’s role')
    .requiredOption('--organization <id>', 'the organization, org_…')
    .requiredOption('--email <address>', 'the address they sign in with')
    .requiredOption('--role <role>', 'admin (full access) or viewer (can only view deliveries)')
    .option('--password <password>', `${minPasswordLength} to ${maxPasswordLength} characters; default: generated`)
    .option(...secretFileOption('password'))
    .option('--name <name>', 'their name; default: the email address')
    .action((options: Added) => run((services) => add(services, options)))

  leaf(member, 'list', 'list an organization’s members')
    .requiredOption('--organization <id>', 'the organization, org_…')
    .action(({ organization }: { organization: string }) =>
      run(async ({ database }) => {
        await known(database, organization)
        const data = await listMembers(database, organization)
        const rows = data.map(({ email, role, name, createdAt }) => [email, role, createdAt, name])
        return {
          json: { data, nextCursor: null },
          text: listing(['EMAIL', 'ROLE', 'SINCE', 'NAME'], rows, { none: 'No members yet.' }),
        }
      }),
    )

  leaf(member, 'remove', 'remove a member')
    .requiredOption('--organization <id>', 'the organization, org_…')
    .requiredOption('--email <address>', 'the address they sign in with')
    .action(({ organization, email }: { organization: string; email: string }) =>
      run(async ({ database, clock }) => {
        await known(database, organization)
        const leaving = { organizationId: organization, email: email.trim(), actor: commandLine }
        const removed = await database.transaction((transaction) => removeMember(transaction, leaving, clock()))
        if (!removed) throw new CommandFault(`${email} is not a member of ${organization}`)
        const json = { ...removed, organizationId: organization }
        return { json, text: `Removed ${removed.email} from ${organization}.` }
      }),
    )

  leaf(member, 'set-password', 'change a password and sign its owner out everywhere')
    .requiredOption('--email <address>', 'the address they sign in with')
    .option('--password <password>', `${minPasswordLength} to ${maxPasswordLength} characters; default: generated`)
    .option(...secretFileOption('password'))
    .action((options: { email: string; password?: string }) => run((services) => changePassword(services, options)))
}

async function add({ database, clock }: Services, options: Added): Promise<Outcome> {
  const email = options.email.trim().toLowerCase()
  if (!isMemberEmail(email)) throw new CommandFault('--email must be an email address such as ada@example.com')
  const name = options.name?.trim() || email
  if (name.length > 100) throw new CommandFault('--name must be at most 100 characters')
  if (!isName(name)) throw new CommandFault('--name must be text without control characters')
  const role = readRole(options.role)
  const given = checked(options.password, options.email)
  await known(database, options.organization)
  const existing = await findUser(database, email)
  if (existing && given !== undefined) {
    throw new CommandFault(`${email} already has a password. Leave out --password, or use member set-password`)
  }
  const password = existing ? null : (given ?? newPassword())
  const passwordHash = password === null ? null : await hashPassword(password)
  const wanted = { organizationId: options.organization, email, name, role, passwordHash, actor: commandLine }
  const added = await database.transaction((transaction) => addMember(transaction, wanted, clock()))
  if (added === 'password_needed') throw new CommandFault(`${email} was just removed. Try again.`)
  const shown = given === undefined && password !== null ? { password } : {}
  const text = `${email} is now ${role === 'admin' ? 'an admin' : 'a viewer'} of ${options.organization}.`
  return { json: { email, role, organizationId: options.organization, ...shown }, text: withPassword(text, shown) }
}

async function changePassword(
  { database, clock }: Services,
  options: { email: string; password?: string },
): Promise<Outcome> {
  const given = checked(options.password, options.email)
  const user = await findUser(database, options.email.trim())
  if (!user) throw new CommandFault(`Nobody signs in as ${options.email}`)
  const password = given ?? newPassword()
  const passwordHash = await hashPassword(password)
  const change = { userId: user.id, email: user.email, passwordHash, actor: commandLine }
  await database.transaction((transaction) => setPassword(transaction, change, clock()))
  const shown = given === undefined ? { password } : {}
  return { json: { email: user.email, ...shown }, text: withPassword(`Changed the password of ${user.email}.`, shown) }
}

function readRole(text: string): Role {
  const role = roles.find((known) => known === text)
  if (!role) throw new CommandFault(`--role must be one of ${roles.join(', ')}`)
  return role
}

function checked(password: string | undefined, email: string): string | undefined {
  const fault = password === undefined ? null : passwordFault(password, { email })
  if (fault === 'too short' || fault === 'too long') {
    throw new CommandFault(`--password must be ${minPasswordLength} to ${maxPasswordLength} characters`)
  }
  if (fault)
    throw new CommandFault(`--password is ${fault}: choose one that is hard to guess, or leave it out to generate one`)
  return password
}

function withPassword(text: string, { password }: { password?: string }): string {
  return password === undefined ? text : `${text}\n\nPassword: ${password}\n\nCopy it now. You won't see it again.`
}
